"""A class: from the download of a course platform to a site and feedback for each student.

``settings.py`` reads ``class.toml``, and ``bots_file.py`` reads ``bots.toml``. ``students.py`` and
``runs.py`` store students, versions and runs. Each step of a run is a module: ``take_in.py``,
``compile_versions.py``, ``check_versions.py``, ``play.py`` and ``publish.py``. ``pages`` makes the
pages of the site and of feedback.
"""
