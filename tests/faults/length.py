"""Length: how long the attacks run. `make faults` sets PINYON_FAULTS=long; a test run is short.

KILLS = lasting(20, 300)
"""

import os
from typing import TypeVar

LONG = os.environ.get("PINYON_FAULTS") == "long"

Count = TypeVar("Count", int, float)


def lasting(short: Count, long: Count) -> Count:
    """The first in a test run, the second in `make faults`."""
    return long if LONG else short
