"""The messages of Connect's conformance tests, by the description that `run` makes of the schema."""

import pathlib

from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "connectrpc.conformance.v1."
SERVICE = f"/{PACKAGE}ConformanceService/"
URL = "type.googleapis.com/"


class Messages:
    """The classes of messages, as attributes by their names."""

    def __init__(self, path):
        # Makes google.protobuf.Any known.
        assert any_pb2
        files = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(path).read_bytes())
        self.pool = descriptor_pool.Default()
        for file in files.file:
            self.pool.AddSerializedFile(file.SerializeToString())

    def __getattr__(self, name):
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(PACKAGE + name))

    def code(self, name):
        return self.pool.FindEnumTypeByName(PACKAGE + "Code").values_by_name["CODE_" + name.upper()].number

    def codes(self):
        """The names of all codes but 0, in lower case."""
        values = self.pool.FindEnumTypeByName(PACKAGE + "Code").values
        return [value.name.removeprefix("CODE_").lower() for value in values if value.number]


def packed(message):
    packed = any_pb2.Any()
    packed.Pack(message, URL)
    return packed
