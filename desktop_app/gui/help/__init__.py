"""Help, licences and problem reports."""
