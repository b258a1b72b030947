"""Margins in millimetres, with their standard error."""
