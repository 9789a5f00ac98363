"""Pages of results: standings, bots and replays of games, as HTML that needs no network.

Modules here turn records into what the templates show. ``environment`` makes the pages safe: no
text of other people becomes HTML.
"""
