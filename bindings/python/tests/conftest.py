"""Tests run on the host unless CHORD_DEVICE says otherwise."""
import os

os.environ.setdefault("CHORD_DEVICE", "host")
