"""The version of battlesim, in one place; the package's build reads it here."""

VERSION = "0.1.0"
