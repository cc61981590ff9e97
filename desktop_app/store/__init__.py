"""The only home of SQLAlchemy and hnswlib."""
