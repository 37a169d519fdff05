"""Goes through conformance.md: conformance.py TCP-ENDPOINT UNIX-ENDPOINT ENDPOINT-WITHOUT-GEOCODER"""

import os
import sys
import threading
import uuid

from google.type import date_pb2, latlng_pb2
from health.v1 import health_pb2
from todo.v1 import changes_pb2, geocoding_pb2, item_reads_pb2, item_writes_pb2, items_pb2, server_info_pb2

import ttrpc_channel

MESSAGES = (changes_pb2, geocoding_pb2, item_reads_pb2, item_writes_pb2, server_info_pb2)
checks = []


def check(function):
    checks.append(function)
    return function


def message(name):
    return next(getattr(module, name) for module in MESSAGES if hasattr(module, name))


class Client:
    """todo.v1.ToDoService: client.GetItem(id=...) and so on."""

    def __init__(self, endpoint, token=None):
        metadata = [("authorization", f"Bearer {token}")] if token else []
        self.channel = ttrpc_channel.Channel(endpoint, metadata)

    def __getattr__(self, method):
        def call(timeout=10, **fields):
            request = message(method + "Request")(**fields)
            return self.channel.call(f"todo.v1.ToDoService/{method}", request, message(method + "Response"), timeout)

        return call

    def health(self, service=""):
        request = health_pb2.HealthCheckRequest(service=service)
        return self.channel.call("grpc.health.v1.Health/Check", request, health_pb2.HealthCheckResponse).status

    def watch(self, **fields):
        request = changes_pb2.WatchItemsRequest(**fields)
        return self.channel.stream("todo.v1.ToDoService/WatchItems", request, changes_pb2.WatchItemsResponse)


def new_id():
    return str(uuid.uuid4())


def item(title, **fields):
    return items_pb2.Item(id=new_id(), title=title, **fields)


def expect(condition, what="what was expected"):
    if not condition:
        raise AssertionError(f"not {what}")


def refused(reason, call, *arguments, **fields):
    """Calls, and returns the error, which must have this reason."""
    try:
        call(*arguments, **fields)
    except ttrpc_channel.RPCError as error:
        expect(error.reason == reason, f"{reason} but {error.reason}: {error.message}")
        return error
    raise AssertionError(f"no {reason}")


# What the checks share: the clients, and an item that stays.
client = Client(sys.argv[1], os.environ["TODO_TOKEN"])
full = item(
    "Buy milk",
    description="Two bottles",
    due_time={"seconds": 1_900_000_000, "nanos": 500_000_000},
    location={"name": "Shop", "address": "1 High Street", "coordinate": {"latitude": -33.5, "longitude": 151.25}},
)
stored = None


@check
def serving():
    expect(client.health() == client.health("todo.v1.ToDoService") == health_pb2.HealthCheckResponse.SERVING)


@check
def info():
    answer = client.GetServerInfo()
    expect(answer.server_version and answer.geocoder_attribution == "Invented places")
    expect(len(answer.capabilities) == 4, answer.capabilities)
    limits = answer.limits
    expect((limits.max_frame_bytes, limits.max_page_size, limits.max_batch_size) == (4 << 20, 1000, 500))


@check
def empty():
    client.DeleteItems(selection=item_writes_pb2.DELETE_SELECTION_ALL)
    expect(not client.ListItems().items)


@check
def add():
    global stored
    stored = client.AddItem(item=full).item
    for field in ("id", "title", "description", "due_time"):
        expect(getattr(stored, field) == getattr(full, field), field)
    expect(stored.location.coordinate == full.location.coordinate)
    expect(stored.create_time.seconds > 0 and not stored.done)
    expect(stored.revision == client.ListItems().revision)


@check
def add_again():
    expect(client.AddItem(item=full).item == stored)


@check
def get():
    expect(client.GetItem(id=full.id).item == stored)
    expect(client.GetItem(id=full.id.upper()).item == stored, "found by an id in upper case")


@check
def emoji():
    title = "Тест テスト 🦊👩‍👩‍👧‍👦 e\u0301 \u202e"
    expect(client.AddItem(item=item(title)).item.title == title)


@check
def due_date():
    new = item("Someday", due_date=date_pb2.Date(year=2031, month=2, day=28))
    expect(client.AddItem(item=new).item.due_date == new.due_date)


@check
def batch():
    answers = client.BatchAddItems(items=[item(f"Number {number}") for number in range(250)]).items
    expect(len(answers) == 250 and len({each.revision for each in answers}) == 1)


@check
def pages():
    seen, token = [], ""
    while True:
        page = client.ListItems(page_size=100, page_token=token)
        expect(len(page.items) <= 100)
        seen += [each.id for each in page.items]
        token = page.next_page_token
        if not token:
            break
    expect(len(seen) == len(set(seen)) == 253, "each item once")


@check
def filter():
    found = client.ListItems(text="nUMBER 24", page_size=1000).items
    expect(len(found) == 11 and all(each.title.startswith("Number 24") for each in found))
    expect(not client.ListItems(state=items_pb2.STATE_FILTER_DONE).items)


@check
def check_item():
    answer = client.CheckItem(id=full.id).item
    expect(answer.done and answer.HasField("complete_time"))
    expect([each.id for each in client.ListItems(state=items_pb2.STATE_FILTER_DONE).items] == [full.id])


@check
def uncheck():
    answer = client.UncheckItem(id=full.id).item
    expect(not answer.done and not answer.HasField("complete_time"))


@check
def update():
    change = items_pb2.Item(id=full.id, title="Buy oat milk")
    answer = client.UpdateItem(item=change, update_mask={"paths": ["title", "description"]}).item
    expect(answer.title == "Buy oat milk" and not answer.description and answer.due_time == full.due_time)


@check
def lookup():
    answer = client.AddItem(item=item("Visit", location={"address": "7 Some Street"})).item
    expect(answer.location.HasField("coordinate") and answer.location.source)


@check
def geocode():
    answer = client.GeocodeAddress(address="7 Some Street", limit=1)
    expect(len(answer.candidates) == 1 and answer.attribution == "Invented places")


@check
def nearby():
    far = item("Far", location={"coordinate": {"latitude": -33.6, "longitude": 151.25}})
    client.AddItem(item=far)
    found = client.ListNearbyItems(center=full.location.coordinate, radius_meters=20_000).items
    expect([each.item.id for each in found] == [full.id, far.id])
    expect(found[0].distance_meters < 1 and 11_000 < found[1].distance_meters < 11_300)


@check
def delete():
    gone = client.AddItem(item=item("Gone soon")).item
    expect(client.DeleteItem(id=gone.id).revision == gone.revision + 1)
    refused("ITEM_NOT_FOUND", client.GetItem, id=gone.id)


@check
def changes():
    last = client.CheckItem(id=full.id).item
    answer = client.ListChanges(after_revision=last.revision - 1)
    expect(len(answer.changes) == 1 and answer.changes[0].put.item == last and not answer.has_more)
    expect(answer.changes[0].put.cause == changes_pb2.PUT_CAUSE_CHECKED and answer.next_revision == last.revision)


@check
def malformed_request():
    refused(
        "MALFORMED_REQUEST", client.channel.call, "todo.v1.ToDoService/GetItem", b"\xff\xff\xff", message("GetItemResponse"))


@check
def method_not_implemented():
    refused(
        "METHOD_NOT_IMPLEMENTED", client.channel.call, "todo.v1.ToDoService/Fly", b"", message("GetItemResponse"))


@check
def service_not_found():
    refused("SERVICE_NOT_FOUND", client.health, "no.such.Service")


@check
def deadline_exceeded():
    refused("DEADLINE_EXCEEDED", client.GeocodeAddress, address="8 Some Street", timeout=0.001)


@check
def message_too_large():
    error = refused("MESSAGE_TOO_LARGE", client.AddItem, item=item("x" * (4 << 20)))
    expect(error.metadata == {"max_bytes": str(4 << 20)})
    client.GetItem(id=full.id)


@check
def invalid_item():
    wrong = item("", location={"coordinate": {"latitude": 91}})
    error = refused("INVALID_ITEM", client.AddItem, item=wrong)
    expect(set(error.violations) == {"item.title", "item.location.coordinate.latitude"}, error.violations)


@check
def invalid_request():
    expect(set(refused("INVALID_REQUEST", client.ListItems, page_size=-1).violations) == {"page_size"})


@check
def invalid_page_token():
    token = client.ListItems(page_size=1).next_page_token
    refused("INVALID_PAGE_TOKEN", client.ListItems, page_size=1, page_token=token, text="milk")


@check
def item_not_found():
    unknown = new_id()
    expect(refused("ITEM_NOT_FOUND", client.GetItem, id=unknown).metadata == {"item_id": unknown})


@check
def duplicate_item():
    first, second = item("Twice"), item("Twice")
    client.AddItem(item=first)
    error = refused("DUPLICATE_ITEM", client.AddItem, item=second)
    expect(error.metadata == {"item_id": second.id, "existing_id": first.id})
    client.AddItem(item=second, allow_duplicate=True)


@check
def item_id_conflict():
    refused("ITEM_ID_CONFLICT", client.AddItem, item=items_pb2.Item(id=full.id, title="Something else"))


@check
def item_id_deleted():
    gone = item("Gone for good")
    client.AddItem(item=gone)
    client.DeleteItem(id=gone.id)
    refused("ITEM_ID_DELETED", client.AddItem, item=gone)


@check
def revision_mismatch():
    now = client.GetItem(id=full.id).item.revision
    error = refused("REVISION_MISMATCH", client.UncheckItem, id=full.id, if_revision=now - 1)
    expect(error.metadata == {"item_id": full.id, "current_revision": str(now)})


@check
def revision_compacted():
    for _ in range(40):  # The server looks every 64 revisions.
        client.UncheckItem(id=full.id)
        client.CheckItem(id=full.id)
    expect(int(refused("REVISION_COMPACTED", client.ListChanges, after_revision=0).metadata["oldest_revision"]) > 0)


@check
def revision_in_future():
    now = client.ListItems(page_size=1).revision
    error = refused("REVISION_IN_FUTURE", client.ListChanges, after_revision=now + 1)
    expect(error.metadata == {"current_revision": str(now)})


@check
def address_not_found():
    lost = item("Lost", location={"address": "nowhere"})
    expect(set(refused("ADDRESS_NOT_FOUND", client.AddItem, item=lost).violations) == {"item.location.address"})
    expect(not client.AddItem(item=lost, save_without_coordinate=True).item.location.HasField("coordinate"))


@check
def geocoder_unavailable():
    other = Client(sys.argv[3])
    refused("GEOCODER_UNAVAILABLE", other.GeocodeAddress, address="7 Some Street")
    other.channel.close()


@check
def list_full():
    def fill():
        while True:
            client.BatchAddItems(items=[item("Filler", description=new_id()) for _ in range(500)])

    expect(refused("LIST_FULL", fill).metadata == {"max_items": "1200"})


@check
def unauthenticated():
    messages = set()
    for token in (None, "todo_0123456789abcdef_" + "0" * 64, "nonsense"):
        stranger = Client(sys.argv[1], token)
        messages.add(refused("UNAUTHENTICATED", stranger.GetServerInfo).message)
        stranger.channel.close()
    expect(len(messages) == 1)


@check
def read_only():
    reader = Client(sys.argv[1], os.environ["TODO_READ_ONLY_TOKEN"])
    expect(reader.ListItems().items)
    refused("READ_ONLY", reader.AddItem, item=item("Not mine to add"))
    reader.channel.close()


@check
def large():
    client.DeleteItems(selection=item_writes_pb2.DELETE_SELECTION_ALL)
    longest = item("t" * 1024, description="d" * 65_536, location={"name": "n" * 1024, "address": "a" * 1024})
    longest.location.coordinate.CopyFrom(latlng_pb2.LatLng(latitude=1, longitude=1))
    expect(client.AddItem(item=longest).item.description == longest.description)
    batch = [item(f"{number}", description="d" * 65_000) for number in range(48)]
    expect(len(client.BatchAddItems(items=batch).items) == 48)


@check
def concurrent():
    items = client.BatchAddItems(items=[item(f"At once {number}") for number in range(100)]).items
    calls = []
    for number in range(1000):
        request = item_reads_pb2.GetItemRequest(id=items[number % 100].id)
        answer = item_reads_pb2.GetItemResponse
        calls.append(client.channel._open(ttrpc_channel.Call, 0, "todo.v1.ToDoService/GetItem", request, answer, None))
    for number, call in enumerate(calls):
        expect(call.receive(10).item == items[number % 100])


@check
def unix():
    local = Client(sys.argv[2], os.environ["TODO_TOKEN"])
    expect(local.ListItems(page_size=1).revision == client.ListItems(page_size=1).revision)
    local.channel.close()


@check
def cancelled():
    watch = client.watch(now={})
    expect(watch.receive(10).HasField("progress"))
    watch.cancel()
    refused("CANCELLED", watch.receive, 10)


@check
def watch():
    watch, seen = client.watch(with_snapshot={}), set()
    while (event := watch.receive(10)).HasField("snapshot_page"):
        seen |= {each.id for each in event.snapshot_page.items}
    expect(event.snapshot_end.revision == client.ListItems(page_size=1).revision and len(seen) == 149)
    added = client.AddItem(item=item("Seen")).item
    event = watch.receive(10)
    expect(event.changes.changes[0].put.item == added)
    client.DeleteItem(id=added.id)
    expect(watch.receive(10).changes.changes[0].deleted.id == added.id)
    watch.cancel()


@check
def resume():
    own = Client(sys.argv[1], os.environ["TODO_TOKEN"])
    watch = own.watch(now={})
    revision = watch.receive(10).progress.revision
    first = client.AddItem(item=item("Before")).item
    revisions = [watch.receive(10).changes.changes[0].revision]
    own.channel.close()
    missed = [client.AddItem(item=item(f"Missed {number}")).item.revision for number in range(3)]
    own = Client(sys.argv[1], os.environ["TODO_TOKEN"])
    watch = own.watch(after_revision=revisions[-1])
    revisions += [watch.receive(10).changes.changes[0].revision for _ in range(3)]
    expect(watch.receive(10).progress.revision == missed[-1])
    expect(revisions == [first.revision] + missed == list(range(revision + 1, revision + 5)))
    own.channel.close()


@check
def many_watches():
    watches = [client.watch(now={}) for _ in range(50)]
    for each in watches:
        expect(each.receive(10).HasField("progress"))
    added = client.AddItem(item=item("For all")).item
    for each in watches:
        expect(each.receive(10).changes.changes[0].put.item == added)
        each.cancel()


# A call that hangs must not hang the whole check.
timer = threading.Timer(90, lambda: (print("took too long", flush=True), os._exit(1)))
timer.daemon = True
timer.start()
for each in checks:
    each()
    print("ok", each.__name__.replace("_item", "") if each is check_item else each.__name__, flush=True)
print(f"{len(checks)} checks passed")
