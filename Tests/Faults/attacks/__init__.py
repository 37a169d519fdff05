"""The attacks of neighbours.py. `python -m attacks` runs one of them: see __main__.py."""

import faults  # noqa: F401, which finds the generated messages

from . import calls, http1, http2, lasting, lists  # noqa: F401, which add their attacks to ALL
from .attack import ALL  # noqa: F401
