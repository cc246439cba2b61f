"""Reading files: what stands in them, row by row, whatever their form."""
