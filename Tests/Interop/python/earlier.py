"""Checks that a client of version 0.1, which knows neither tags, priorities, steps, waiting, repetition nor reminders, leaves all
of them as they are when it edits items, watches them and reverts changes.

    earlier.py ENDPOINT

schema-0.1.binpb is the compiled schema of that version. Do not replace it.
"""

import os
import pathlib
import sys
import uuid

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from todo.v1 import history_pb2, item_reads_pb2, item_writes_pb2, items_pb2

import ttrpc_channel

files = descriptor_pb2.FileDescriptorSet.FromString(
    pathlib.Path(__file__).with_name("schema-0.1.binpb").read_bytes())
pool = descriptor_pool.DescriptorPool()
for file in files.file:
    pool.Add(file)


def earlier(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"todo.v1.{name}"))


def current(name):
    modules = (history_pb2, item_reads_pb2, item_writes_pb2)
    return next(getattr(module, name) for module in modules if hasattr(module, name))


channel = ttrpc_channel.Channel(sys.argv[1], [("authorization", f"Bearer {os.environ['TODO_TOKEN']}")])


def call(version, method, **fields):
    request = version(method + "Request")(**fields)
    return channel.call(f"todo.v1.ToDoService/{method}", request, version(method + "Response"), 10)


def expect(condition, what):
    if not condition:
        sys.exit(f"expectation failed: {what}")


LATER = ("tags", "priority", "steps", "wait_time", "repetition", "reminders")
for name in LATER:
    expect(name not in earlier("Item").DESCRIPTOR.fields_by_name, f"the earlier schema has no {name}")
    expect(name in items_pb2.Item.DESCRIPTOR.fields_by_name, f"the current schema has {name}")
tagged = items_pb2.Item(
    id=str(uuid.uuid4()), title="Tagged", due_date={"year": 2026, "month": 5, "day": 1}, tags=["errands", "work/urgent"],
    priority=items_pb2.PRIORITY_HIGH, steps=[{"text": "Pack", "done": True}, {"text": "Go"}],
    wait_time={"seconds": 1900000000}, repetition={"recurrence_rule": "FREQ=WEEKLY", "missed_count": 2},
    reminders=[{"day": {"days_before": 1, "minute_of_day": 540}, "acknowledged_time": {"seconds": 1}}])
before = call(current, "AddItem", item=tagged).item
expect(
    all(list(getattr(before, name)) if name in ("tags", "steps", "reminders") else getattr(before, name) for name in LATER),
    before)

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



def expect_unchanged(title, revision, what):
    """Expects that the item has this title and revision, and the later fields with which it was added."""
    after = call(current, "GetItem", id=tagged.id).item
    expect((after.title, after.revision) == (title, revision), f"{what} is stored: {after}")
    for name in LATER:
        expect(getattr(after, name) == getattr(before, name), f"{name} remains after {what}: {after}")


expect_unchanged("Renamed", edited.revision, "the edit")

watch = channel.stream(
    "todo.v1.ToDoService/WatchItems", earlier("WatchItemsRequest")(with_snapshot={}), earlier("WatchItemsResponse"))
seen = {}
while (message := watch.receive(10)).WhichOneof("event") != "snapshot_end":
    seen.update({item.id: item for item in message.snapshot_page.items})
watched = seen[tagged.id]
expect(watched.title == "Renamed" and plain.id in seen, "the earlier client's watch begins with both items")
# The whole item as the watch told it, with all fields that the earlier client knows.
watched.title = "Watched"
paths = ["title", "description", "due_date", "location"]
rewritten = call(earlier, "UpdateItem", item=watched, update_mask={"paths": paths}, if_revision=watched.revision).item
while (message := watch.receive(10)).WhichOneof("event") != "changes":
    pass
change = message.changes.changes[0]
expect((change.revision, change.put.item.title) == (rewritten.revision, "Watched"), f"the watch tells the edit: {message}")
watch.cancel()
expect_unchanged("Watched", rewritten.revision, "an edit with a watched item")

reverted = call(earlier, "RevertRevision", revision=rewritten.revision)
expect((reverted.reverted_count, reverted.refused_count) == (1, 0), "the earlier client reverts its edit")
expect_unchanged("Renamed", reverted.revision, "the reversal")
cleared = call(current, "UpdateItem", item={"id": tagged.id}, update_mask={"paths": list(LATER)}).item
expect(not any(getattr(cleared, name) for name in ("tags", "priority", "steps", "reminders")), f"fields are cleared: {cleared}")
reverted = call(earlier, "RevertRevision", revision=cleared.revision)
expect(reverted.reverted_count == 1, "the earlier client reverts an edit of later fields")
expect_unchanged("Renamed", reverted.revision, "the reversal of an edit of later fields")

for item in (tagged, plain):
    call(earlier, "DeleteItem", id=item.id)
channel.close()
print("a client of version 0.1 leaves the fields of later versions as they are")
