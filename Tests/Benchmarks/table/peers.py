"""The load program in the folder `peers`."""

import json
import pathlib
import subprocess

from .programs import output, pinned

SOURCES = pathlib.Path(__file__).resolve().parents[1] / "peers"
BUILT = SOURCES.parents[2] / ".build-peers"


def build(names):
    """Builds peers, and returns the reasons why some are missing."""
    missing = {}
    for name in names:
        result = subprocess.run([SOURCES / "build", name], capture_output=True, text=True)
        if result.returncode:
            missing[name] = f"peers/build {name} fails: {result.stderr.strip()[-300:]}"
    return missing


class PeerLoad:
    """The load program among the peers, for any ttrpc server."""

    def run(self, server, core, seconds, connections, in_flight, operation="get", rate=None, is_filled=False):
        """Adds the items to read first, if the server does not have them from the start."""
        if operation == "get" and not is_filled:
            self.fill(server)
        arguments = [server.address, operation, connections, in_flight, seconds, server.id]
        arguments += [rate] if rate else []
        return json.loads(output(*pinned(core, BUILT / "load", *arguments)))

    def fill(self, server):
        output(*pinned(1, BUILT / "load", server.address, "fill"))
