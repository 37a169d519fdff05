"""Runs the checks of ../conformance.md over Connect: conformance.py ENDPOINT TLS-ENDPOINT ENDPOINT-WITHOUT-GEOCODER

Runs the script of the Python client for ttrpc with another channel. It uses TLS in place of the Unix socket.
"""

import pathlib
import runpy
import sys

import connect_channel

# Provides the module that the script imports under the name that it uses.
sys.modules["ttrpc_channel"] = connect_channel

checks = pathlib.Path(__file__).parent.parent / "python" / "conformance.py"
runpy.run_path(str(checks), run_name="__main__")
