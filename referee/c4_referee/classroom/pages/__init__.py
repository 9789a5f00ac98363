"""Pages of a class, from the parts of the report's pages (``site``).

``privacy.py`` takes out of a contest what others must not see. ``class_site.py`` makes the pages
with all runs, and ``feedback.py`` the pages of a student.
"""
