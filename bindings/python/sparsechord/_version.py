"""The version of the package is that of the header it was made from."""
from ._raw import CHORD_VERSION_MAJOR, CHORD_VERSION_MINOR, CHORD_VERSION_PATCH

VERSION = f"{CHORD_VERSION_MAJOR}.{CHORD_VERSION_MINOR}.{CHORD_VERSION_PATCH}"
