"""The schema's history: one frozen Alembic revision a schema number, shipped in the wheel.

A revision never imports the live models or any rule that may change: it says what was true when it was written.
"""
