"""The library for many: PostgreSQL with pgvector."""
