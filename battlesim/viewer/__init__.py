"""Records and battles as people read them. Read `story`."""

from battlesim.viewer.page import watch_page
from battlesim.viewer.story import Story, tell_record
from battlesim.viewer.wording import Wording, find_wording

__all__ = ["watch_page", "Story", "tell_record", "Wording", "find_wording"]
