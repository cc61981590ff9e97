"""The library on disk: the only package that imports SQLAlchemy and hnswlib."""
