"""No test leaves page scores in the checkout, or finds some there, unless it says so."""

from __future__ import annotations

import os

os.environ["ADJUDICATE_CACHE"] = "off"
