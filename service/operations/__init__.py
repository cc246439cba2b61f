"""What an operator does: live changes, compaction, backup, feedback, reports."""
