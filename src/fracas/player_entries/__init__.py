"""What players may send: a schema of entries per ruleset, and how an entry becomes a side of a battle.

An entry names content and makes decisions. It holds no stats, no own content, no names, no notes and no files, so that
its price is known and its document tells nothing about its author.
"""
