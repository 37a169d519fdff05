"""Checks that a client of version 0.1, which knows neither tags nor priorities, leaves both as they are.

    earlier.py ENDPOINT

schema-0.1.binpb is the compiled schema of that version. Do not replace it.
"""

import os
import pathlib
import sys
import uuid

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from todo.v1 import item_reads_pb2, item_writes_pb2, items_pb2

import ttrpc_channel

files = descriptor_pb2.FileDescriptorSet.FromString(
    pathlib.Path(__file__).with_name("schema-0.1.binpb").read_bytes())
pool = descriptor_pool.DescriptorPool()
for file in files.file:
    pool.Add(file)


def earlier(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"todo.v1.{name}"))


def current(name):
    return next(getattr(module, name) for module in (item_reads_pb2, item_writes_pb2) if hasattr(module, name))


channel = ttrpc_channel.Channel(sys.argv[1], [("authorization", f"Bearer {os.environ['TODO_TOKEN']}")])


def call(version, method, **fields):
    request = version(method + "Request")(**fields)
    return channel.call(f"todo.v1.ToDoService/{method}", request, version(method + "Response"), 10)


def expect(condition, what):
    if not condition:
        sys.exit(f"expectation failed: {what}")


expect("tags" not in earlier("Item").DESCRIPTOR.fields_by_name, "the earlier schema has no tags")
tagged = items_pb2.Item(
    id=str(uuid.uuid4()), title="Tagged", tags=["errands", "work/urgent"], priority=items_pb2.PRIORITY_HIGH)
call(current, "AddItem", item=tagged)

plain = earlier("Item")(id=str(uuid.uuid4()), title="Plain")
added = call(earlier, "AddItem", item=plain).item
expect(added.title == "Plain" and added.revision > 0, "the earlier client adds an item")
found = call(earlier, "GetItem", id=tagged.id).item
expect(found.title == "Tagged", "the earlier client gets the item with tags")
listed = [each.id for each in call(earlier, "ListItems").items]
expect({tagged.id, plain.id} <= set(listed), "the earlier client lists both items")
change = earlier("Item")(id=tagged.id, title="Renamed")
edited = call(earlier, "UpdateItem", item=change, update_mask={"paths": ["title"]}, if_revision=found.revision).item
expect(edited.title == "Renamed", "the earlier client edits the title")

after = call(current, "GetItem", id=tagged.id).item
expect((after.title, after.revision) == ("Renamed", edited.revision), "the edit is stored")
expect(list(after.tags) == list(tagged.tags) and after.priority == tagged.priority, f"tags and priority remain: {after}")
for item in (tagged, plain):
    call(earlier, "DeleteItem", id=item.id)
channel.close()
print("a client of version 0.1 leaves tags and priorities as they are")
