"""Runs the checks of ../conformance.md over gRPC: conformance.py ENDPOINT TLS-ENDPOINT ENDPOINT-WITHOUT-GEOCODER

Runs the script of the Python client for ttrpc with another channel. It uses TLS in place of the Unix socket.
"""

import pathlib
import runpy
import sys
import types

from grpc_health.v1 import health_pb2

import grpc_channel

# Provides the modules that the script imports under the names that it uses.
sys.modules["ttrpc_channel"] = grpc_channel
sys.modules["health"] = types.ModuleType("health")
sys.modules["health.v1"] = types.ModuleType("health.v1")
sys.modules["health.v1"].health_pb2 = health_pb2

checks = pathlib.Path(__file__).parent.parent / "python" / "conformance.py"
runpy.run_path(str(checks), run_name="__main__")
