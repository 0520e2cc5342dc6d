"""Records and battles as people read them. Read `story`."""

from battlesim.viewer.story import Story, tell_record
from battlesim.viewer.wording import Wording, find_wording

__all__ = ["Story", "tell_record", "Wording", "find_wording"]
