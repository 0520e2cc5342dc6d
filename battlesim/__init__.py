"""battlesim: a discrete-event battle simulator with AI players."""

__version__ = "0.1.0"
