"""Runs the checks of conformance.md: conformance.py TCP-ENDPOINT UNIX-ENDPOINT ENDPOINT-WITHOUT-GEOCODER"""

import os
import sys
import threading
import uuid

from google.type import date_pb2, latlng_pb2
from health.v1 import health_pb2
from todo.v1 import changes_pb2, geocoding_pb2, history_pb2, item_reads_pb2, item_writes_pb2, items_pb2
from todo.v1 import lists_pb2, server_info_pb2

import ttrpc_channel

MESSAGES = (changes_pb2, geocoding_pb2, history_pb2, item_reads_pb2, item_writes_pb2, lists_pb2, server_info_pb2)
checks = []


def check(function):
    checks.append(function)
    return function


def message(name):
    return next(getattr(module, name) for module in MESSAGES if hasattr(module, name))


class Client:
    """A client of todo.v1.ToDoService and ListService with one method per RPC, for example client.GetItem(id=...)."""

    def __init__(self, endpoint, token=None):
        metadata = [("authorization", f"Bearer {token}")] if token else []
        self.channel = ttrpc_channel.Channel(endpoint, metadata)

    def __getattr__(self, method):
        service = "ListService" if hasattr(lists_pb2, method + "Request") else "ToDoService"

        def call(timeout=10, **fields):
            request = message(method + "Request")(**fields)
            return self.channel.call(f"todo.v1.{service}/{method}", request, message(method + "Response"), timeout)

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


def expect(condition, what=""):
    if not condition:
        raise AssertionError(f"expectation failed: {what}")


def expect_error(reason, call, *arguments, **fields):
    """Makes a call, which must fail with this reason, and returns the error."""
    try:
        call(*arguments, **fields)
    except ttrpc_channel.RPCError as error:
        expect(error.reason == reason, f"expected {reason}, got {error.reason}: {error.message}")
        return error
    raise AssertionError(f"expected {reason}, but the call succeeded")


# Shared by the checks: the client, and an item that is not deleted.
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
    response = client.GetServerInfo()
    expect(response.server_version and response.geocoder_attribution == "Invented places")
    # A server with an HTTP port has two more.
    expect(len(set(response.capabilities) - {"calendar_feeds", "sign_in_links"}) == 22, response.capabilities)
    limits = response.limits
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
    responses = client.BatchAddItems(items=[item(f"Number {number}") for number in range(250)]).items
    expect(len(responses) == 250 and len({each.revision for each in responses}) == 1)


@check
def numbers():
    added = client.BatchAddItems(items=[item(title) for title in ("First", "Middle", "Last")]).items
    first = added[0].number
    expect(first > 0 and [each.number for each in added] == [first, first + 1, first + 2])
    found = client.ListItems(numbers=[first + 2, 1 << 40, first]).items
    expect({each.number: each.id for each in found} == {first: added[0].id, first + 2: added[2].id})
    for each in added:
        client.DeleteItem(id=each.id)


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
    found = client.ListItems(text="24 nUMBER", page_size=1000).items
    expect(len(found) == 13 and all("24" in each.title for each in found))
    expect(not client.ListItems(state=items_pb2.STATE_FILTER_DONE).items)


@check
def check_item():
    response = client.CheckItem(id=full.id).item
    expect(response.done and response.HasField("complete_time"))
    expect([each.id for each in client.ListItems(state=items_pb2.STATE_FILTER_DONE).items] == [full.id])


@check
def uncheck():
    response = client.UncheckItem(id=full.id).item
    expect(not response.done and not response.HasField("complete_time"))


@check
def update():
    change = items_pb2.Item(id=full.id, title="Buy oat milk")
    response = client.UpdateItem(item=change, update_mask={"paths": ["title", "description"]}).item
    expect(response.title == "Buy oat milk" and not response.description and response.due_time == full.due_time)


@check
def tags():
    tagged = client.AddItem(item=item(
        "Tagged", tags=["Shop", "shop", "work/urgent"], priority=items_pb2.PRIORITY_HIGH)).item
    expect((list(tagged.tags), tagged.priority) == (["Shop", "work/urgent"], items_pb2.PRIORITY_HIGH))
    expect(list(client.ListItems(filter={"tags": {"all": ["WORK"]}}).items) == [tagged])
    expect(tagged not in client.ListItems(filter={"tags": {"none": ["shop"]}}, page_size=1000).items)
    expect(list(client.ListItems(filter={"priorities": [items_pb2.PRIORITY_HIGH]}).items) == [tagged])
    change = items_pb2.Item(id=tagged.id)
    bare = client.UpdateItem(item=change, update_mask={"paths": ["tags", "priority"]}).item
    expect((list(bare.tags), bare.priority) == ([], items_pb2.PRIORITY_UNSPECIFIED))
    client.DeleteItem(id=tagged.id)
    error = expect_error("INVALID_ITEM", client.AddItem, item=item("Wrong", tags=["a b"]))
    expect(set(error.violations) == {"item.tags[0]"}, error.violations)


@check
def steps():
    added = client.AddItem(item=item("Trip", steps=[{"text": "Pack", "done": True}, {"text": "Go"}])).item
    expect([(step.text, step.done) for step in added.steps] == [("Pack", True), ("Go", False)])
    change = items_pb2.Item(id=added.id, steps=[{"text": "Go", "done": True}])
    edited = client.UpdateItem(item=change, update_mask={"paths": ["steps"]}, if_revision=added.revision).item
    expect([(step.text, step.done) for step in edited.steps] == [("Go", True)] and edited.title == "Trip")
    client.DeleteItem(id=added.id)
    error = expect_error("INVALID_ITEM", client.AddItem, item=item("Wrong", steps=[{"text": "Go"}, {"text": " "}]))
    expect(set(error.violations) == {"item.steps[1].text"}, error.violations)


@check
def reminders():
    day = {"days_before": 1, "minute_of_day": 1080, "time_zone": "Europe/Berlin"}
    added = client.AddItem(item=item("Reminds", due_time={"seconds": 1900000000}, reminders=[
        {"seconds_before": 3600}, {"day": day}])).item
    expect(added.reminders[0].seconds_before == 3600 and added.reminders[1].day.minute_of_day == 1080)
    change = items_pb2.Item(id=added.id, reminders=added.reminders[:1])
    change.reminders[0].acknowledged_time.seconds = 1899996400
    told = client.UpdateItem(item=change, update_mask={"paths": ["reminders"]}, if_revision=added.revision).item
    expect(list(told.reminders) == list(change.reminders) and told.title == "Reminds")
    client.DeleteItem(id=added.id)
    error = expect_error("INVALID_ITEM", client.AddItem, item=item("Wrong", reminders=[{"seconds_before": 1}]))
    expect(set(error.violations) == {"item.reminders[0].seconds_before"}, error.violations)


@check
def waiting():
    added = client.AddItem(item=item("Waits", wait_time={"seconds": 1900000000})).item
    expect(added.wait_time.seconds == 1900000000)

    def filtered(seconds, is_waiting):
        wait = {"time": {"seconds": seconds}, "waiting": is_waiting}
        return list(client.ListItems(filter={"wait": wait}, page_size=1000).items)

    expect(filtered(1899999999, True) == [added] and filtered(1900000000, True) == [])
    expect(added not in filtered(1899999999, False) and added in filtered(1900000000, False))
    change = items_pb2.Item(id=added.id)
    expect(not client.UpdateItem(item=change, update_mask={"paths": ["wait_time"]}).item.HasField("wait_time"))
    client.DeleteItem(id=added.id)


@check
def repetition():
    day = {"year": 2026, "month": 5, "day": 5}
    rule = {"recurrence_rule": "interval=2;freq=weekly;byday=tu"}
    added = client.AddItem(item=item("Bins", due_date=day, repetition=rule)).item
    expect(added.repetition.recurrence_rule == "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", added.repetition)
    expect(added.repetition.start_date == added.due_date)
    change = items_pb2.Item(id=added.id, repetition={"after_done": {"count": 3, "unit": items_pb2.FREQUENCY_DAILY}})
    edited = client.UpdateItem(item=change, update_mask={"paths": ["repetition"]}).item
    expect(edited.repetition == change.repetition, edited.repetition)
    client.DeleteItem(id=added.id)
    error = expect_error("INVALID_ITEM", client.AddItem, item=item("Wrong", repetition=rule))
    expect(set(error.violations) == {"item.repetition"}, error.violations)


@check
def occurrence():
    day = {"year": 2026, "month": 5, "day": 5}
    chore = client.AddItem(item=item("Chore", due_date=day, repetition={"recurrence_rule": "FREQ=DAILY"})).item
    checked = client.CheckItem(id=chore.id, if_revision=chore.revision).item
    expect(not checked.done and checked.number == chore.number and checked.HasField("due_date"), checked)
    expect(checked.due_date != chore.due_date and checked.revision > chore.revision, checked)
    expect(client.CheckItem(id=chore.id, if_revision=chore.revision).item == checked)
    done = [each for each in client.ListItems(state=items_pb2.STATE_FILTER_DONE).items if each.title == "Chore"]
    expect(len(done) == 1 and done[0].due_date == chore.due_date and done[0].number > chore.number, done)
    expect(not done[0].HasField("repetition"), done)
    client.DeleteItem(id=chore.id)
    client.DeleteItem(id=done[0].id)


@check
def lookup():
    response = client.AddItem(item=item("Visit", location={"address": "7 Some Street"})).item
    expect(response.location.HasField("coordinate") and response.location.source)


@check
def geocode():
    response = client.GeocodeAddress(address="7 Some Street", limit=1)
    expect(len(response.candidates) == 1 and response.attribution == "Invented places")


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
    expect_error("ITEM_NOT_FOUND", client.GetItem, id=gone.id)


@check
def soft_delete():
    mistake = client.AddItem(item=item("Deleted by mistake")).item
    revision = client.DeleteItem(id=mistake.id).revision
    deleted = client.ListItems(state=items_pb2.STATE_FILTER_DELETED).items[0]
    expect((deleted.id, deleted.number, deleted.revision) == (mistake.id, mistake.number, revision))
    expect(deleted.HasField("delete_time") and deleted.delete_time.seconds < deleted.expire_time.seconds)
    expect_error("ITEM_NOT_FOUND", client.GetItem, id=mistake.id)
    restored = client.UndeleteItem(id=mistake.id).item
    expect((restored.id, restored.number, restored.title) == (mistake.id, mistake.number, mistake.title))
    expect(not restored.HasField("delete_time") and not restored.HasField("expire_time"))
    expect(restored.revision == revision + 1 and client.GetItem(id=mistake.id).item == restored)
    error = expect_error("ITEM_NOT_DELETED", client.UndeleteItem, id=mistake.id)
    expect(error.metadata == {"item_id": mistake.id})


@check
def revert():
    before = client.AddItem(item=item("As it was")).item
    change = items_pb2.Item(id=before.id, title="As it is")
    edited = client.UpdateItem(item=change, update_mask={"paths": ["title"]}).item
    latest = client.ListRevisions().revisions[0]
    expect((latest.revision, latest.own, latest.change_count) == (edited.revision, True, 1))
    recorded = latest.changes[0]
    expect((recorded.item_id, recorded.number, recorded.title) == (before.id, before.number, edited.title))
    expect(not recorded.deleted and recorded.cause == changes_pb2.PUT_CAUSE_EDITED)
    reverted = client.RevertRevision(revision=edited.revision)
    expect((reverted.revision, reverted.reverted_count, reverted.refused_count) == (edited.revision + 1, 1, 0))
    expect(client.GetItem(id=before.id).item.title == before.title)
    again = client.RevertRevision(revision=edited.revision)
    expect((again.revision, again.reverted_count, again.refused_count) == (reverted.revision, 0, 1))
    expect(again.refusals[0].item_id == before.id)
    expect(again.refusals[0].reason == history_pb2.REVERT_REFUSAL_REASON_CHANGED_SINCE)


@check
def changes():
    last = client.CheckItem(id=full.id).item
    response = client.ListChanges(after_revision=last.revision - 1)
    expect(len(response.changes) == 1 and response.changes[0].put.item == last and not response.has_more)
    expect(response.changes[0].put.cause == changes_pb2.PUT_CAUSE_CHECKED and response.next_revision == last.revision)


@check
def lists():
    work = client.CreateList(id=new_id(), name="Work", color=lists_pb2.LIST_COLOR_TEAL).list
    expect(client.CreateList(id=work.id, name="Work", color=lists_pb2.LIST_COLOR_TEAL).list == work)
    report = client.AddItem(item=item("Report"), list=work.id).item
    expect(list(client.ListItems(list=work.id).items) == [report] and report.number == 1)
    expect_error("ITEM_NOT_FOUND", client.GetItem, id=report.id)
    expect([each.name for each in client.ListLists().set.lists] == ["Inbox", "Work"])
    client.DeleteList(id=work.id)
    expect(expect_error("LIST_NOT_FOUND", client.ListItems, list=work.id).metadata["list_id"] == work.id)
    client.UndeleteList(id=work.id)
    expect(client.GetItem(id=report.id, list=work.id).item == report)
    moved = client.MoveItems(ids=[report.id], source_list=work.id).items
    expect(len(moved) == 1 and moved[0].title == "Report" and client.GetItem(id=report.id).item == moved[0])
    expect(list(client.MoveItems(ids=[report.id], source_list=work.id).items) == list(moved))
    expect(not client.ListItems(list=work.id).items)
    client.DeleteItem(id=report.id)
    client.DeleteList(id=work.id)


@check
def sharing():
    bob = Client(sys.argv[1], os.environ["TODO_OTHER_TOKEN"])
    shared = client.CreateList(id=new_id(), name="Shared").list
    first = client.AddItem(item=item("First"), list=shared.id).item
    members = client.ShareList(id=shared.id, user="bob", role=lists_pb2.LIST_ROLE_VIEWER).list.members
    expect([(each.user, each.invited) for each in members] == [("bob", True)], members)
    expect_error("LIST_NOT_FOUND", bob.ListItems, list=shared.id)
    accepted = bob.AcceptList(id=shared.id).list
    expect((accepted.role, accepted.owner_user) == (lists_pb2.LIST_ROLE_VIEWER, "ann"), accepted)
    expect(list(bob.ListItems(list=shared.id).items) == [first])
    error = expect_error("NOT_PERMITTED", bob.AddItem, item=item("Second"), list=shared.id)
    expect(error.metadata["needed_role"] == "editor", error.metadata)
    client.ShareList(id=shared.id, user="bob", role=lists_pb2.LIST_ROLE_EDITOR)
    second = bob.AddItem(item=item("Second"), list=shared.id).item
    expect(client.GetItem(id=second.id, list=shared.id).item == second)
    expect(not client.UnshareList(id=shared.id, user="bob").list.members)
    expect_error("LIST_NOT_FOUND", bob.GetItem, id=second.id, list=shared.id)
    client.DeleteList(id=shared.id)
    bob.channel.close()


@check
def malformed_request():
    expect_error(
        "MALFORMED_REQUEST", client.channel.call, "todo.v1.ToDoService/GetItem", b"\xff\xff\xff", message("GetItemResponse"))


@check
def method_not_implemented():
    expect_error(
        "METHOD_NOT_IMPLEMENTED", client.channel.call, "todo.v1.ToDoService/Fly", b"", message("GetItemResponse"))


@check
def service_not_found():
    expect_error("SERVICE_NOT_FOUND", client.health, "no.such.Service")


@check
def deadline_exceeded():
    expect_error("DEADLINE_EXCEEDED", client.GeocodeAddress, address="8 Some Street", timeout=0.001)


@check
def message_too_large():
    error = expect_error("MESSAGE_TOO_LARGE", client.AddItem, item=item("x" * (4 << 20)))
    expect(error.metadata == {"max_bytes": str(4 << 20)})
    client.GetItem(id=full.id)


@check
def invalid_item():
    wrong = item("", location={"coordinate": {"latitude": 91}})
    error = expect_error("INVALID_ITEM", client.AddItem, item=wrong)
    expect(set(error.violations) == {"item.title", "item.location.coordinate.latitude"}, error.violations)


@check
def invalid_request():
    expect(set(expect_error("INVALID_REQUEST", client.ListItems, page_size=-1).violations) == {"page_size"})


@check
def invalid_page_token():
    token = client.ListItems(page_size=1).next_page_token
    expect_error("INVALID_PAGE_TOKEN", client.ListItems, page_size=1, page_token=token, text="milk")


@check
def item_not_found():
    unknown = new_id()
    expect(expect_error("ITEM_NOT_FOUND", client.GetItem, id=unknown).metadata == {"item_id": unknown})


@check
def duplicate_item():
    first, second = item("Twice"), item("Twice")
    client.AddItem(item=first)
    error = expect_error("DUPLICATE_ITEM", client.AddItem, item=second)
    expect(error.metadata == {"item_id": second.id, "existing_id": first.id})
    client.AddItem(item=second, allow_duplicate=True)


@check
def item_id_conflict():
    expect_error("ITEM_ID_CONFLICT", client.AddItem, item=items_pb2.Item(id=full.id, title="Something else"))


@check
def item_id_deleted():
    gone = item("Gone for good")
    client.AddItem(item=gone)
    client.DeleteItem(id=gone.id)
    expect_error("ITEM_ID_DELETED", client.AddItem, item=gone)


@check
def revision_mismatch():
    now = client.GetItem(id=full.id).item.revision
    error = expect_error("REVISION_MISMATCH", client.UncheckItem, id=full.id, if_revision=now - 1)
    expect(error.metadata == {"item_id": full.id, "current_revision": str(now)})


@check
def revision_compacted():
    for _ in range(40):  # The server compacts changes at every 64th revision.
        client.UncheckItem(id=full.id)
        client.CheckItem(id=full.id)
    expect(int(expect_error("REVISION_COMPACTED", client.ListChanges, after_revision=0).metadata["oldest_revision"]) > 0)


@check
def revision_in_future():
    now = client.ListItems(page_size=1).revision
    error = expect_error("REVISION_IN_FUTURE", client.ListChanges, after_revision=now + 1)
    expect(error.metadata == {"current_revision": str(now)})


@check
def address_not_found():
    lost = item("Lost", location={"address": "nowhere"})
    expect(set(expect_error("ADDRESS_NOT_FOUND", client.AddItem, item=lost).violations) == {"item.location.address"})
    expect(not client.AddItem(item=lost, save_without_coordinate=True).item.location.HasField("coordinate"))


@check
def geocoder_unavailable():
    other = Client(sys.argv[3])
    expect_error("GEOCODER_UNAVAILABLE", other.GeocodeAddress, address="7 Some Street")
    other.channel.close()


@check
def list_full():
    def fill():
        while True:
            client.BatchAddItems(items=[item("Filler", description=new_id()) for _ in range(500)])

    expect(expect_error("LIST_FULL", fill).metadata == {"max_items": "1200"})


@check
def unauthenticated():
    messages = set()
    for token in (None, "todo_0123456789abcdef_" + "0" * 64, "nonsense"):
        unauthenticated_client = Client(sys.argv[1], token)
        messages.add(expect_error("UNAUTHENTICATED", unauthenticated_client.GetServerInfo).message)
        unauthenticated_client.channel.close()
    expect(len(messages) == 1)


@check
def read_only():
    reader = Client(sys.argv[1], os.environ["TODO_READ_ONLY_TOKEN"])
    expect(reader.ListItems().items)
    expect_error("READ_ONLY", reader.AddItem, item=item("Not mine to add"))
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
    items = client.BatchAddItems(items=[item(f"Concurrent {number}") for number in range(100)]).items
    calls = []
    for number in range(1000):
        request = item_reads_pb2.GetItemRequest(id=items[number % 100].id)
        response_type, method = item_reads_pb2.GetItemResponse, "todo.v1.ToDoService/GetItem"
        calls.append(client.channel._open(ttrpc_channel.Call, 0, method, request, response_type, None))
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
    expect_error("CANCELLED", watch.receive, 10)


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


# Bounds the time of all checks, because a call might never return.
timer = threading.Timer(90, lambda: (print("the checks did not finish within 90 seconds", flush=True), os._exit(1)))
timer.daemon = True
timer.start()
for each in checks:
    each()
    print("ok", each.__name__.replace("_item", "") if each is check_item else each.__name__, flush=True)
print(f"{len(checks)} checks passed")
