"""The systems that are measured, one file each."""
