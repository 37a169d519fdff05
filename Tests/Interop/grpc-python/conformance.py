"""Goes through ../conformance.md over gRPC: conformance.py ENDPOINT TLS-ENDPOINT ENDPOINT-WITHOUT-GEOCODER

The checks are those of the client in Python that speaks ttrpc; where that goes over a Unix socket, this goes over TLS.
"""

import pathlib
import runpy
import sys
import types

from grpc_health.v1 import health_pb2

import grpc_channel

# The modules that the checks import, by the names that they have there.
sys.modules["ttrpc_channel"] = grpc_channel
sys.modules["health"] = types.ModuleType("health")
sys.modules["health.v1"] = types.ModuleType("health.v1")
sys.modules["health.v1"].health_pb2 = health_pb2

checks = pathlib.Path(__file__).parent.parent / "python" / "conformance.py"
runpy.run_path(str(checks), run_name="__main__")
