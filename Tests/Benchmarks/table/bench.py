"""What the rows measure with."""

import contextlib
import tempfile

from . import clients, machine, peers, programs


class Bench:
    """The programs, the place for databases, and an eye on what others do meanwhile. A new one for each round."""

    def __init__(self, options):
        self.seconds, self.parent = options.seconds, options.directory
        self.server_program, self.todo = options.server, options.todo
        self.messages = options.messages
        self.load = clients.Load(options.load)
        self.peer_load, self.http_load = peers.PeerLoad(), peers.HTTPLoad()
        self.others = 0.0

    @contextlib.contextmanager
    def folder(self):
        with tempfile.TemporaryDirectory(dir=self.parent, prefix="benchmark-") as folder:
            yield folder

    @contextlib.contextmanager
    def server(self, folder, **options):
        with programs.Server(self.server_program, folder, **options) as server, self.alone(server.id):
            yield server

    @contextlib.contextmanager
    def alone(self, process=None):
        """Notes what others compute meanwhile."""
        meanwhile = machine.Meanwhile(process)
        yield
        self.others = max(self.others, meanwhile.processors())

    def run(self, client, shape, transport="tcp", core=1, server_options=(), **options):
        """One run of a client against a new server."""
        with self.folder() as folder, self.server(folder, transport=transport, options=server_options) as server:
            result = client.run(server, core, self.seconds, *shape, **options)
            return {**result, "resident": machine.resident_megabytes(server.id)}
