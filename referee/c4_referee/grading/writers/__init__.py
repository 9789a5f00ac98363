"""Writers of grades: one module for each format, with a function ``text`` from a grade to text."""
