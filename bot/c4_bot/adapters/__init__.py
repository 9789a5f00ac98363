"""Our players in the libraries of other projects, one library for each module.

Only a module that is imported imports its library. The extra of the same name installs the library,
for example ``pip install 'c4-arena[gymnasium]'``.
"""
