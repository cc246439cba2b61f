"""Files, folders and small databases: written aside and renamed, locked, checksummed."""
