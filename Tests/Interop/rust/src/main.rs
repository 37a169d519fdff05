//! Runs the checks of conformance.md: conformance TCP-ENDPOINT UNIX-ENDPOINT ENDPOINT-WITHOUT-GEOCODER
//!
//! Debian's version of ttrpc for Rust supports only unary calls.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::net::TcpStream;
use std::os::unix::io::IntoRawFd;
use std::os::unix::net::UnixStream;
use std::{env, thread};

use protobuf::well_known_types::{FieldMask, Timestamp};
use protobuf::{Message, SingularPtrField};

#[allow(clippy::all, warnings)]
mod schema {
    include!(concat!(env!("OUT_DIR"), "/schema.rs"));
}
use schema::{
    changes::*, geocoding::*, health::*, history::*, item_reads::*, item_writes::*, items::*,
    lists::*, server_info::*,
};
use schema::{date::Date, error_details, latlng::LatLng};

/// A connection and the caller's token.
#[derive(Clone)]
struct Client {
    connection: ttrpc::Client,
    token: String,
}

/// The error of a call.
#[derive(Debug, Default)]
struct CallError {
    message: String,
    reason: String,
    metadata: HashMap<String, String>,
    fields: HashSet<String>,
}

type CallResult<T> = Result<T, CallError>;

impl Client {
    fn connect(endpoint: &str, token: &str) -> Client {
        // The library can only connect to Unix sockets, but accepts any connected socket.
        let socket = match endpoint.split_once("://").unwrap() {
            ("unix", path) => UnixStream::connect(path).unwrap().into_raw_fd(),
            (_, address) => {
                let socket = TcpStream::connect(address).unwrap();
                socket.set_nodelay(true).unwrap();
                socket.into_raw_fd()
            }
        };
        Client {
            connection: ttrpc::Client::new(socket),
            token: token.into(),
        }
    }

    fn call<Request: Message, Response: Message>(
        &self,
        method: &str,
        request: Request,
    ) -> CallResult<Response> {
        self.send(
            "todo.v1.ToDoService",
            method,
            request.write_to_bytes().unwrap(),
            10_000_000_000,
        )
    }

    fn call_lists<Request: Message, Response: Message>(
        &self,
        method: &str,
        request: Request,
    ) -> CallResult<Response> {
        self.send(
            "todo.v1.ListService",
            method,
            request.write_to_bytes().unwrap(),
            10_000_000_000,
        )
    }

    fn send<Response: Message>(
        &self,
        service: &str,
        method: &str,
        payload: Vec<u8>,
        timeout: i64,
    ) -> CallResult<Response> {
        let mut request = ttrpc::Request::new();
        request.set_service(service.into());
        request.set_method(method.into());
        request.set_payload(payload);
        request.set_timeout_nano(timeout);
        if !self.token.is_empty() {
            let mut pair = ttrpc::ttrpc::KeyValue::new();
            pair.set_key("authorization".into());
            pair.set_value(format!("Bearer {}", self.token));
            request.mut_metadata().push(pair);
        }
        match self.connection.request(request) {
            Ok(response) => Ok(Response::parse_from_bytes(response.get_payload()).unwrap()),
            Err(ttrpc::Error::RpcStatus(status)) => Err(CallError::from(&status)),
            Err(error) => Err(CallError {
                message: error.to_string(),
                ..CallError::default()
            }),
        }
    }

    fn health(&self, service: &str) -> CallResult<HealthCheckResponse> {
        let request = HealthCheckRequest {
            service: service.into(),
            ..Default::default()
        };
        self.send(
            "grpc.health.v1.Health",
            "Check",
            request.write_to_bytes().unwrap(),
            0,
        )
    }

    fn add(&self, item: Item) -> CallResult<Item> {
        let request = AddItemRequest {
            item: some(item),
            ..Default::default()
        };
        self.call("AddItem", request)
            .map(|response: AddItemResponse| response.item.unwrap())
    }

    fn batch(&self, items: Vec<Item>) -> CallResult<Vec<Item>> {
        let request = BatchAddItemsRequest {
            items: items.into(),
            ..Default::default()
        };
        self.call("BatchAddItems", request)
            .map(|response: BatchAddItemsResponse| response.items.into_vec())
    }

    fn item(&self, id: &str) -> CallResult<Item> {
        let request = GetItemRequest {
            id: id.into(),
            ..Default::default()
        };
        self.call("GetItem", request)
            .map(|response: GetItemResponse| response.item.unwrap())
    }

    fn list(&self, request: ListItemsRequest) -> CallResult<ListItemsResponse> {
        self.call("ListItems", request)
    }

    fn revision(&self) -> i64 {
        self.list(ListItemsRequest {
            page_size: 1,
            ..Default::default()
        })
        .unwrap()
        .revision
    }

    fn check(&self, id: &str) -> Item {
        let request = CheckItemRequest {
            id: id.into(),
            ..Default::default()
        };
        self.call("CheckItem", request)
            .map(|response: CheckItemResponse| response.item.unwrap())
            .unwrap()
    }

    fn uncheck(&self, id: &str, if_revision: i64) -> CallResult<Item> {
        let request = UncheckItemRequest {
            id: id.into(),
            if_revision,
            ..Default::default()
        };
        self.call("UncheckItem", request)
            .map(|response: UncheckItemResponse| response.item.unwrap())
    }

    fn delete(&self, id: &str) -> i64 {
        let request = DeleteItemRequest {
            id: id.into(),
            ..Default::default()
        };
        self.call("DeleteItem", request)
            .map(|response: DeleteItemResponse| response.revision)
            .unwrap()
    }

    fn undelete(&self, id: &str) -> CallResult<Item> {
        let request = UndeleteItemRequest {
            id: id.into(),
            ..Default::default()
        };
        self.call("UndeleteItem", request)
            .map(|response: UndeleteItemResponse| response.item.unwrap())
    }

    fn revert(&self, revision: i64) -> RevertRevisionResponse {
        let request = RevertRevisionRequest {
            revision,
            ..Default::default()
        };
        self.call("RevertRevision", request).unwrap()
    }

    fn delete_all(&self) {
        let request = DeleteItemsRequest {
            selection: DeleteSelection::DELETE_SELECTION_ALL,
            ..Default::default()
        };
        let _: DeleteItemsResponse = self.call("DeleteItems", request).unwrap();
    }

    fn changes(&self, after_revision: i64) -> CallResult<ListChangesResponse> {
        self.call(
            "ListChanges",
            ListChangesRequest {
                after_revision,
                ..Default::default()
            },
        )
    }

    fn geocode(&self, address: &str, limit: i32) -> CallResult<GeocodeAddressResponse> {
        self.call(
            "GeocodeAddress",
            GeocodeAddressRequest {
                address: address.into(),
                limit,
                ..Default::default()
            },
        )
    }

    fn info(&self) -> CallResult<GetServerInfoResponse> {
        self.call("GetServerInfo", GetServerInfoRequest::new())
    }
}

impl From<&ttrpc::Status> for CallError {
    fn from(status: &ttrpc::Status) -> CallError {
        let mut error = CallError {
            message: status.get_message().into(),
            ..CallError::default()
        };
        for detail in status.get_details() {
            if detail.get_type_url().ends_with("/google.rpc.ErrorInfo") {
                let info = error_details::ErrorInfo::parse_from_bytes(detail.get_value()).unwrap();
                error.reason = info.reason;
                error.metadata = info.metadata;
            } else if detail.get_type_url().ends_with("/google.rpc.BadRequest") {
                let bad = error_details::BadRequest::parse_from_bytes(detail.get_value()).unwrap();
                error.fields = bad
                    .field_violations
                    .into_iter()
                    .map(|violation| violation.field)
                    .collect();
            }
        }
        error
    }
}

/// Expects a call to fail with this reason.
fn expect_error<T: std::fmt::Debug>(reason: &str, response: CallResult<T>) -> CallError {
    let error = response.expect_err(reason);
    assert_eq!(error.reason, reason, "{}", error.message);
    error
}

fn some<T>(value: T) -> SingularPtrField<T> {
    SingularPtrField::some(value)
}

fn new_id() -> String {
    let mut random = [0u8; 16];
    File::open("/dev/urandom")
        .unwrap()
        .read_exact(&mut random)
        .unwrap();
    random[6] = random[6] & 0x0f | 0x40;
    random[8] = random[8] & 0x3f | 0x80;
    let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "{}-{}-{}-{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..]
    )
}

fn new_item(title: &str) -> Item {
    Item {
        id: new_id(),
        title: title.into(),
        ..Default::default()
    }
}

fn coordinate(latitude: f64, longitude: f64) -> LatLng {
    LatLng {
        latitude,
        longitude,
        ..Default::default()
    }
}

fn item_at(title: &str, address: &str, coordinate: Option<LatLng>) -> Item {
    let location = Location {
        address: address.into(),
        coordinate: coordinate.into(),
        ..Default::default()
    };
    Item {
        location: some(location),
        ..new_item(title)
    }
}

fn ok(check: &str) {
    println!("ok {check}");
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let token = env::var("TODO_TOKEN").unwrap();
    let client = Client::connect(&arguments[1], &token);
    let mut full = item_at("Buy milk", "1 High Street", Some(coordinate(-33.5, 151.25)));
    full.description = "Two bottles".into();
    full.mut_location().name = "Shop".into();
    full.set_due_time(Timestamp {
        seconds: 1_900_000_000,
        nanos: 500_000_000,
        ..Default::default()
    });

    operations(&client, &full);
    reasons(&client, &full.id, &arguments);

    client.delete_all();
    let mut longest = item_at(
        &"t".repeat(1024),
        &"a".repeat(1024),
        Some(coordinate(1.0, 1.0)),
    );
    longest.description = "d".repeat(65_536);
    longest.mut_location().name = "n".repeat(1024);
    assert_eq!(
        client.add(longest.clone()).unwrap().description,
        longest.description
    );
    let large = |number: i32| Item {
        description: "d".repeat(65_000),
        ..new_item(&number.to_string())
    };
    assert_eq!(
        client.batch((0..48).map(large).collect()).unwrap().len(),
        48
    );
    ok("large");

    let items = client
        .batch(
            (0..100)
                .map(|number| new_item(&format!("Concurrent {number}")))
                .collect(),
        )
        .unwrap();
    let threads: Vec<_> = (0..1000)
        .map(|number| {
            let (client, expected) = (client.clone(), items[number % 100].clone());
            thread::spawn(move || assert_eq!(client.item(&expected.id).unwrap(), expected))
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    ok("concurrent");

    let local = Client::connect(&arguments[2], &token);
    assert_eq!(local.revision(), client.revision());
    ok("unix");
}

fn operations(client: &Client, full: &Item) {
    for service in ["", "todo.v1.ToDoService"] {
        let status = client.health(service).unwrap().status;
        assert_eq!(status, HealthCheckResponse_ServingStatus::SERVING);
    }
    ok("serving");

    let info = client.info().unwrap();
    assert!(!info.server_version.is_empty() && info.capabilities.len() == 22);
    assert_eq!(info.geocoder_attribution, "Invented places");
    let limits = info.get_limits();
    assert_eq!(
        (
            limits.max_frame_bytes,
            limits.max_page_size,
            limits.max_batch_size
        ),
        (4 << 20, 1000, 500)
    );
    ok("info");

    client.delete_all();
    assert!(client
        .list(ListItemsRequest::new())
        .unwrap()
        .items
        .is_empty());
    ok("empty");

    let stored = client.add(full.clone()).unwrap();
    assert_eq!(
        (&stored.id, &stored.title, &stored.description),
        (&full.id, &full.title, &full.description)
    );
    assert_eq!(stored.get_due_time(), full.get_due_time());
    assert_eq!(
        stored.get_location().coordinate,
        full.get_location().coordinate
    );
    assert!(
        stored.get_create_time().seconds > 0
            && !stored.done
            && stored.revision == client.revision()
    );
    ok("add");

    assert_eq!(client.add(full.clone()).unwrap(), stored);
    ok("add again");

    assert_eq!(client.item(&full.id).unwrap(), stored);
    assert_eq!(client.item(&full.id.to_uppercase()).unwrap(), stored);
    ok("get");

    let title = "Тест テスト 🦊👩‍👩‍👧‍👦 e\u{301} \u{202e}";
    assert_eq!(client.add(new_item(title)).unwrap().title, title);
    ok("emoji");

    let mut day = new_item("Someday");
    day.set_due_date(Date {
        year: 2031,
        month: 2,
        day: 28,
        ..Default::default()
    });
    assert_eq!(
        client.add(day.clone()).unwrap().get_due_date(),
        day.get_due_date()
    );
    ok("due date");

    let response = client
        .batch(
            (0..250)
                .map(|number| new_item(&format!("Number {number}")))
                .collect(),
        )
        .unwrap();
    assert!(response.len() == 250 && response[0].revision == response[249].revision);
    ok("batch");

    let added = client
        .batch(["First", "Middle", "Last"].iter().map(|title| new_item(title)).collect())
        .unwrap();
    let first = added[0].number;
    assert!(first > 0);
    let numbers: Vec<i64> = added.iter().map(|item| item.number).collect();
    assert_eq!(numbers, [first, first + 1, first + 2]);
    let request = ListItemsRequest {
        numbers: vec![first + 2, 1 << 40, first],
        ..Default::default()
    };
    let mut found = client.list(request).unwrap().items.into_vec();
    found.sort_by_key(|item| item.number);
    assert_eq!(found, [added[0].clone(), added[2].clone()]);
    added.iter().for_each(|item| {
        client.delete(&item.id);
    });
    ok("numbers");

    let (mut seen, mut count, mut page_token) = (HashSet::new(), 0, String::new());
    loop {
        let page = client
            .list(ListItemsRequest {
                page_size: 100,
                page_token,
                ..Default::default()
            })
            .unwrap();
        count += page.items.len();
        seen.extend(page.items.into_iter().map(|item| item.id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!((seen.len(), count), (253, 253));
    ok("pages");

    let found = ListItemsRequest {
        text: "24 nUMBER".into(),
        page_size: 1000,
        ..Default::default()
    };
    assert_eq!(client.list(found).unwrap().items.len(), 13);
    let done = ListItemsRequest {
        state: StateFilter::STATE_FILTER_DONE,
        ..Default::default()
    };
    assert!(client.list(done.clone()).unwrap().items.is_empty());
    ok("filter");

    let item = client.check(&full.id);
    assert!(item.done && item.has_complete_time() && client.list(done).unwrap().items.len() == 1);
    ok("check");

    let item = client.uncheck(&full.id, 0).unwrap();
    assert!(!item.done && !item.has_complete_time());
    ok("uncheck");

    let change = Item {
        id: full.id.clone(),
        title: "Buy oat milk".into(),
        ..Default::default()
    };
    let paths = vec!["title".to_string(), "description".into()];
    let mask = FieldMask {
        paths: paths.into(),
        ..Default::default()
    };
    let request = UpdateItemRequest {
        item: some(change),
        update_mask: some(mask),
        ..Default::default()
    };
    let response: UpdateItemResponse = client.call("UpdateItem", request).unwrap();
    let item = response.get_item();
    assert!(item.title == "Buy oat milk" && item.description.is_empty());
    assert_eq!(item.get_due_time(), full.get_due_time());
    ok("update");

    tags(client);
    steps(client);
    reminders(client);
    waiting(client);
    repetition(client);
    occurrence(client);

    let item = client.add(item_at("Visit", "7 Some Street", None)).unwrap();
    assert!(item.get_location().has_coordinate() && !item.get_location().source.is_empty());
    ok("lookup");

    let response = client.geocode("7 Some Street", 1).unwrap();
    assert!(response.candidates.len() == 1 && response.attribution == "Invented places");
    ok("geocode");

    let far = client
        .add(item_at("Far", "", Some(coordinate(-33.6, 151.25))))
        .unwrap();
    let request = ListNearbyItemsRequest {
        center: full.get_location().coordinate.clone(),
        radius_meters: 20_000.0,
        ..Default::default()
    };
    let response: ListNearbyItemsResponse = client.call("ListNearbyItems", request).unwrap();
    let ids: Vec<_> = response
        .items
        .iter()
        .map(|near| near.get_item().id.clone())
        .collect();
    assert_eq!(ids, [full.id.clone(), far.id]);
    assert!(
        response.items[0].distance_meters < 1.0
            && (11_000.0..11_300.0).contains(&response.items[1].distance_meters)
    );
    ok("nearby");

    let gone = client.add(new_item("Gone soon")).unwrap();
    assert_eq!(client.delete(&gone.id), gone.revision + 1);
    expect_error("ITEM_NOT_FOUND", client.item(&gone.id));
    ok("delete");

    let mistake = client.add(new_item("Deleted by mistake")).unwrap();
    let revision = client.delete(&mistake.id);
    let request = ListItemsRequest {
        state: StateFilter::STATE_FILTER_DELETED,
        ..Default::default()
    };
    let deleted = client.list(request).unwrap().items.into_vec().remove(0);
    assert_eq!(
        (&deleted.id, deleted.number, deleted.revision),
        (&mistake.id, mistake.number, revision)
    );
    assert!(
        deleted.has_delete_time()
            && deleted.get_delete_time().seconds < deleted.get_expire_time().seconds
    );
    expect_error("ITEM_NOT_FOUND", client.item(&mistake.id));
    let restored = client.undelete(&mistake.id).unwrap();
    assert_eq!(
        (&restored.id, restored.number, &restored.title),
        (&mistake.id, mistake.number, &mistake.title)
    );
    assert!(!restored.has_delete_time() && !restored.has_expire_time());
    assert_eq!(restored.revision, revision + 1);
    let error = expect_error("ITEM_NOT_DELETED", client.undelete(&mistake.id));
    assert_eq!(error.metadata["item_id"], mistake.id);
    ok("soft delete");

    let before = client.add(new_item("As it was")).unwrap();
    let change = Item {
        id: before.id.clone(),
        title: "As it is".into(),
        ..Default::default()
    };
    let mask = FieldMask {
        paths: vec!["title".to_string()].into(),
        ..Default::default()
    };
    let request = UpdateItemRequest {
        item: some(change),
        update_mask: some(mask),
        ..Default::default()
    };
    let response: UpdateItemResponse = client.call("UpdateItem", request).unwrap();
    let edited = response.get_item();
    let history: ListRevisionsResponse = client
        .call("ListRevisions", ListRevisionsRequest::new())
        .unwrap();
    let latest = &history.revisions[0];
    assert_eq!(
        (latest.revision, latest.own, latest.change_count),
        (edited.revision, true, 1)
    );
    let recorded = &latest.changes[0];
    assert_eq!(
        (&recorded.item_id, recorded.number, &recorded.title),
        (&before.id, before.number, &edited.title)
    );
    assert!(!recorded.deleted && recorded.cause == PutCause::PUT_CAUSE_EDITED);
    let reverted = client.revert(edited.revision);
    assert_eq!((reverted.reverted_count, reverted.refused_count), (1, 0));
    assert_eq!(reverted.revision, edited.revision + 1);
    assert_eq!(client.item(&before.id).unwrap().title, before.title);
    let again = client.revert(edited.revision);
    assert_eq!((again.reverted_count, again.refused_count), (0, 1));
    assert_eq!(again.revision, reverted.revision);
    assert_eq!(again.refusals[0].item_id, before.id);
    assert_eq!(
        again.refusals[0].reason,
        RevertRefusalReason::REVERT_REFUSAL_REASON_CHANGED_SINCE
    );
    ok("revert");

    let last = client.check(&full.id);
    let response = client.changes(last.revision - 1).unwrap();
    assert!(response.changes.len() == 1 && !response.has_more && response.next_revision == last.revision);
    let put = response.changes[0].get_put();
    assert!(put.get_item() == &last && put.cause == PutCause::PUT_CAUSE_CHECKED);
    ok("changes");
    lists(client);
    sharing(client);
}

fn lists(client: &Client) {
    let id = new_id();
    let create = CreateListRequest {
        id: id.clone(),
        name: "Work".into(),
        color: ListColor::LIST_COLOR_TEAL,
        ..Default::default()
    };
    let created: CreateListResponse = client.call_lists("CreateList", create.clone()).unwrap();
    let again: CreateListResponse = client.call_lists("CreateList", create).unwrap();
    assert!(created == again && created.get_list().id == id);
    let add = AddItemRequest {
        item: some(new_item("Report")),
        list: id.clone(),
        ..Default::default()
    };
    let added: AddItemResponse = client.call("AddItem", add).unwrap();
    let page = || ListItemsRequest {
        list: id.clone(),
        ..Default::default()
    };
    let items: ListItemsResponse = client.call("ListItems", page()).unwrap();
    assert!(items.items.len() == 1 && &items.items[0] == added.get_item());
    expect_error("ITEM_NOT_FOUND", client.item(&added.get_item().id));
    let request = ListListsRequest::new();
    let lists: ListListsResponse = client.call_lists("ListLists", request).unwrap();
    let names: Vec<_> = lists.get_set().lists.iter().map(|list| list.name.as_str()).collect();
    assert_eq!(names, ["Inbox", "Work"]);
    let delete = || DeleteListRequest {
        id: id.clone(),
        ..Default::default()
    };
    let _: DeleteListResponse = client.call_lists("DeleteList", delete()).unwrap();
    let gone: CallResult<ListItemsResponse> = client.call("ListItems", page());
    assert_eq!(expect_error("LIST_NOT_FOUND", gone).metadata["list_id"], id);
    let undelete = UndeleteListRequest {
        id: id.clone(),
        ..Default::default()
    };
    let _: UndeleteListResponse = client.call_lists("UndeleteList", undelete).unwrap();
    let items: ListItemsResponse = client.call("ListItems", page()).unwrap();
    assert!(&items.items[0] == added.get_item());
    let report = &added.get_item().id;
    let request = MoveItemsRequest {
        ids: vec![report.clone()].into(),
        source_list: id.clone(),
        ..Default::default()
    };
    let moved: MoveItemsResponse = client.call_lists("MoveItems", request).unwrap();
    assert!(moved.items.len() == 1 && moved.items[0].title == "Report");
    assert!(client.item(report).unwrap() == moved.items[0]);
    let items: ListItemsResponse = client.call("ListItems", page()).unwrap();
    assert!(items.items.is_empty());
    client.delete(report);
    let _: DeleteListResponse = client.call_lists("DeleteList", delete()).unwrap();
    ok("lists");
}

fn tags(client: &Client) {
    let filtered = |filter: ItemFilter| {
        let request = ListItemsRequest {
            filter: some(filter),
            page_size: 1000,
            ..Default::default()
        };
        client.list(request).unwrap().items.into_vec()
    };
    let tagged = client
        .add(Item {
            tags: ["Shop", "shop", "work/urgent"].iter().map(|tag| tag.to_string()).collect(),
            priority: Priority::PRIORITY_HIGH,
            ..new_item("Tagged")
        })
        .unwrap();
    assert_eq!(tagged.tags.to_vec(), ["Shop", "work/urgent"]);
    assert_eq!(tagged.priority, Priority::PRIORITY_HIGH);
    let (mut all, mut none, mut high) = (TagFilter::new(), TagFilter::new(), ItemFilter::new());
    all.mut_all().push("WORK".into());
    none.mut_none().push("shop".into());
    high.priorities.push(Priority::PRIORITY_HIGH);
    let with_tags = |tags: TagFilter| ItemFilter {
        tags: some(tags),
        ..Default::default()
    };
    assert_eq!(filtered(with_tags(all)), [tagged.clone()]);
    assert!(!filtered(with_tags(none)).contains(&tagged));
    assert_eq!(filtered(high), [tagged.clone()]);

    let change = Item {
        id: tagged.id.clone(),
        ..Default::default()
    };
    let bare = edited(client, change, &["tags", "priority"]);
    assert!(bare.tags.is_empty() && bare.priority == Priority::PRIORITY_UNSPECIFIED);
    client.delete(&tagged.id);

    let mut wrong = new_item("Wrong");
    wrong.tags.push("a b".into());
    let fields = expect_error("INVALID_ITEM", client.add(wrong)).fields;
    assert_eq!(fields, HashSet::from(["item.tags[0]".into()]));
    ok("tags");
}

/// Edits the fields of an item that the paths name.
fn edited(client: &Client, item: Item, paths: &[&str]) -> Item {
    let paths: Vec<String> = paths.iter().map(|path| path.to_string()).collect();
    let mask = FieldMask {
        paths: paths.into(),
        ..Default::default()
    };
    let request = UpdateItemRequest {
        item: some(item),
        update_mask: some(mask),
        ..Default::default()
    };
    let mut response: UpdateItemResponse = client.call("UpdateItem", request).unwrap();
    response.take_item()
}

fn step(text: &str, done: bool) -> Step {
    Step {
        text: text.into(),
        done,
        ..Default::default()
    }
}

fn steps(client: &Client) {
    let item = Item {
        steps: vec![step("Pack", true), step("Go", false)].into(),
        ..new_item("Trip")
    };
    let trip = client.add(item).unwrap();
    assert_eq!(trip.steps.to_vec(), [step("Pack", true), step("Go", false)]);
    let change = Item {
        id: trip.id.clone(),
        steps: vec![step("Go", true)].into(),
        ..Default::default()
    };
    let changed = edited(client, change, &["steps"]);
    assert!(changed.steps.to_vec() == [step("Go", true)] && changed.title == "Trip");
    client.delete(&trip.id);

    let mut wrong = new_item("Wrong");
    wrong.steps = vec![step("Go", false), step(" ", false)].into();
    let fields = expect_error("INVALID_ITEM", client.add(wrong)).fields;
    assert_eq!(fields, HashSet::from(["item.steps[1].text".into()]));
    ok("steps");
}

fn reminders(client: &Client) {
    let time = |seconds| Timestamp {
        seconds,
        ..Default::default()
    };
    let mut hour = Reminder::new();
    hour.set_seconds_before(3600);
    let mut day = DayTrigger::new();
    day.set_days_before(1);
    day.set_minute_of_day(1080);
    day.set_time_zone("Europe/Berlin".into());
    let mut evening = Reminder::new();
    evening.set_day(day);
    let mut item = new_item("Reminds");
    item.set_due_time(time(1_900_000_000));
    item.reminders = vec![hour.clone(), evening.clone()].into();
    let added = client.add(item).unwrap();
    assert_eq!(added.reminders.to_vec(), [hour.clone(), evening]);
    hour.set_acknowledged_time(time(1_899_996_400));
    let change = Item {
        id: added.id.clone(),
        reminders: vec![hour.clone()].into(),
        ..Default::default()
    };
    let told = edited(client, change, &["reminders"]);
    assert!(told.reminders.to_vec() == [hour.clone()] && told.title == "Reminds");
    client.delete(&added.id);

    let mut wrong = new_item("Wrong");
    wrong.reminders = vec![hour].into();
    let fields = expect_error("INVALID_ITEM", client.add(wrong)).fields;
    assert_eq!(
        fields,
        HashSet::from(["item.reminders[0].seconds_before".into()])
    );
    ok("reminders");
}

fn waiting(client: &Client) {
    let time = |seconds| Timestamp {
        seconds,
        ..Default::default()
    };
    let mut item = new_item("Waits");
    item.set_wait_time(time(1_900_000_000));
    let added = client.add(item).unwrap();
    assert_eq!(added.get_wait_time(), &time(1_900_000_000));
    let waiting_at = |seconds| {
        let mut wait = WaitFilter::new();
        wait.set_time(time(seconds));
        wait.set_waiting(true);
        let mut filter = ItemFilter::new();
        filter.set_wait(wait);
        let request = ListItemsRequest {
            filter: some(filter),
            ..Default::default()
        };
        client.list(request).unwrap().items.into_vec()
    };
    assert_eq!(waiting_at(1_899_999_999), [added.clone()]);
    assert!(waiting_at(1_900_000_000).is_empty());
    let change = Item {
        id: added.id.clone(),
        ..Default::default()
    };
    assert!(!edited(client, change, &["wait_time"]).has_wait_time());
    client.delete(&added.id);
    ok("waiting");
}

fn repetition(client: &Client) {
    let mut rule = Repetition::new();
    rule.set_recurrence_rule("interval=2;freq=weekly;byday=tu".into());
    let mut item = new_item("Bins");
    item.set_due_date(Date {
        year: 2026,
        month: 5,
        day: 5,
        ..Default::default()
    });
    item.set_repetition(rule.clone());
    let bins = client.add(item).unwrap();
    let stored = bins.get_repetition();
    assert_eq!(stored.get_recurrence_rule(), "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU");
    assert_eq!(stored.get_start_date(), bins.get_due_date());
    let (mut interval, mut after, mut change) = (RepeatInterval::new(), Repetition::new(), Item::new());
    interval.set_count(3);
    interval.set_unit(Frequency::FREQUENCY_DAILY);
    after.set_after_done(interval);
    change.set_id(bins.id.clone());
    change.set_repetition(after.clone());
    assert_eq!(edited(client, change, &["repetition"]).get_repetition(), &after);
    client.delete(&bins.id);

    let mut wrong = new_item("Wrong");
    wrong.set_repetition(rule);
    let fields = expect_error("INVALID_ITEM", client.add(wrong)).fields;
    assert_eq!(fields, HashSet::from(["item.repetition".into()]));
    ok("repetition");
}

fn occurrence(client: &Client) {
    let mut rule = Repetition::new();
    rule.set_recurrence_rule("FREQ=DAILY".into());
    let mut item = new_item("Chore");
    item.set_due_date(Date {
        year: 2026,
        month: 5,
        day: 5,
        ..Default::default()
    });
    item.set_repetition(rule);
    let chore = client.add(item).unwrap();
    let request = CheckItemRequest {
        id: chore.id.clone(),
        if_revision: chore.revision,
        ..Default::default()
    };
    let first: CheckItemResponse = client.call("CheckItem", request.clone()).unwrap();
    let again: CheckItemResponse = client.call("CheckItem", request).unwrap();
    let checked = first.get_item();
    assert!(!checked.done && checked.number == chore.number && checked.revision > chore.revision);
    assert!(checked.has_due_date() && checked.get_due_date() != chore.get_due_date());
    assert_eq!(first, again);
    let request = ListItemsRequest {
        state: StateFilter::STATE_FILTER_DONE,
        ..Default::default()
    };
    let items = client.list(request).unwrap().items;
    let done: Vec<_> = items.iter().filter(|item| item.title == "Chore").collect();
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].get_due_date(), chore.get_due_date());
    assert!(done[0].number > chore.number && !done[0].has_repetition());
    client.delete(&chore.id);
    client.delete(&done[0].id);
    ok("occurrence");
}

fn sharing(client: &Client) {
    let bob = Client {
        token: env::var("TODO_OTHER_TOKEN").unwrap(),
        ..client.clone()
    };
    let id = new_id();
    let create = CreateListRequest {
        id: id.clone(),
        name: "Shared".into(),
        ..Default::default()
    };
    let _: CreateListResponse = client.call_lists("CreateList", create).unwrap();
    let add = |title| AddItemRequest {
        item: some(new_item(title)),
        list: id.clone(),
        ..Default::default()
    };
    let first: AddItemResponse = client.call("AddItem", add("First")).unwrap();
    let share = |role| ShareListRequest {
        id: id.clone(),
        user: "bob".into(),
        role,
        ..Default::default()
    };
    let invited: ShareListResponse = client.call_lists("ShareList", share(ListRole::LIST_ROLE_VIEWER)).unwrap();
    let members = &invited.get_list().members;
    assert!(members.len() == 1 && members[0].user == "bob" && members[0].invited);
    let items = || -> CallResult<ListItemsResponse> {
        let request = ListItemsRequest {
            list: id.clone(),
            ..Default::default()
        };
        bob.call("ListItems", request)
    };
    expect_error("LIST_NOT_FOUND", items());
    let accept = AcceptListRequest {
        id: id.clone(),
        ..Default::default()
    };
    let accepted: AcceptListResponse = bob.call_lists("AcceptList", accept).unwrap();
    assert_eq!(accepted.get_list().role, ListRole::LIST_ROLE_VIEWER);
    assert_eq!(accepted.get_list().owner_user, "ann");
    let page = items().unwrap().items;
    assert!(page.len() == 1 && &page[0] == first.get_item());
    let refused: CallResult<AddItemResponse> = bob.call("AddItem", add("Second"));
    assert_eq!(expect_error("NOT_PERMITTED", refused).metadata["needed_role"], "editor");
    let _: ShareListResponse = client.call_lists("ShareList", share(ListRole::LIST_ROLE_EDITOR)).unwrap();
    let second: AddItemResponse = bob.call("AddItem", add("Second")).unwrap();
    let request = GetItemRequest {
        id: second.get_item().id.clone(),
        list: id.clone(),
        ..Default::default()
    };
    let found: GetItemResponse = client.call("GetItem", request).unwrap();
    assert_eq!(found.item, second.item);
    let unshare = UnshareListRequest {
        id: id.clone(),
        user: "bob".into(),
        ..Default::default()
    };
    let left: UnshareListResponse = client.call_lists("UnshareList", unshare).unwrap();
    assert!(left.get_list().members.is_empty());
    expect_error("LIST_NOT_FOUND", items());
    let delete = DeleteListRequest {
        id: id.clone(),
        ..Default::default()
    };
    let _: DeleteListResponse = client.call_lists("DeleteList", delete).unwrap();
    ok("sharing");
}

fn reasons(client: &Client, id: &str, arguments: &[String]) {
    let service = "todo.v1.ToDoService";
    expect_error(
        "MALFORMED_REQUEST",
        client.send::<GetItemResponse>(service, "GetItem", vec![0xff; 3], 0),
    );
    ok("MALFORMED_REQUEST");
    expect_error(
        "METHOD_NOT_IMPLEMENTED",
        client.send::<GetItemResponse>(service, "Fly", vec![], 0),
    );
    ok("METHOD_NOT_IMPLEMENTED");
    expect_error("SERVICE_NOT_FOUND", client.health("no.such.Service"));
    ok("SERVICE_NOT_FOUND");

    let request = GeocodeAddressRequest {
        address: "8 Some Street".into(),
        ..Default::default()
    };
    let payload = request.write_to_bytes().unwrap();
    let late = client
        .send::<GeocodeAddressResponse>(service, "GeocodeAddress", payload, 1_000_000)
        .unwrap_err();
    // The library's own timer may expire before the server responds.
    assert!(
        late.reason == "DEADLINE_EXCEEDED" || late.message.contains("timeout"),
        "{late:?}"
    );
    ok("DEADLINE_EXCEEDED");

    let error = expect_error(
        "MESSAGE_TOO_LARGE",
        client.add(new_item(&"x".repeat(4 << 20))),
    );
    assert_eq!(error.metadata["max_bytes"], (4 << 20).to_string());
    client.item(id).unwrap();
    ok("MESSAGE_TOO_LARGE");

    let wrong = item_at("", "", Some(coordinate(91.0, 0.0)));
    let fields = expect_error("INVALID_ITEM", client.add(wrong)).fields;
    assert_eq!(
        fields,
        HashSet::from([
            "item.title".into(),
            "item.location.coordinate.latitude".into()
        ])
    );
    ok("INVALID_ITEM");

    let request = ListItemsRequest {
        page_size: -1,
        ..Default::default()
    };
    assert_eq!(
        expect_error("INVALID_REQUEST", client.list(request)).fields,
        HashSet::from(["page_size".into()])
    );
    ok("INVALID_REQUEST");

    let one = ListItemsRequest {
        page_size: 1,
        ..Default::default()
    };
    let page_token = client.list(one.clone()).unwrap().next_page_token;
    expect_error(
        "INVALID_PAGE_TOKEN",
        client.list(ListItemsRequest {
            page_token,
            text: "milk".into(),
            ..one
        }),
    );
    ok("INVALID_PAGE_TOKEN");

    let unknown = new_id();
    assert_eq!(
        expect_error("ITEM_NOT_FOUND", client.item(&unknown)).metadata["item_id"],
        unknown
    );
    ok("ITEM_NOT_FOUND");

    let (first, second) = (new_item("Twice"), new_item("Twice"));
    client.add(first.clone()).unwrap();
    let metadata = expect_error("DUPLICATE_ITEM", client.add(second.clone())).metadata;
    assert_eq!(
        (&metadata["item_id"], &metadata["existing_id"]),
        (&second.id, &first.id)
    );
    let request = AddItemRequest {
        item: some(second),
        allow_duplicate: true,
        ..Default::default()
    };
    let _: AddItemResponse = client.call("AddItem", request).unwrap();
    ok("DUPLICATE_ITEM");

    expect_error(
        "ITEM_ID_CONFLICT",
        client.add(Item {
            id: id.into(),
            ..new_item("Something else")
        }),
    );
    ok("ITEM_ID_CONFLICT");

    let gone = new_item("Gone for good");
    client.add(gone.clone()).unwrap();
    client.delete(&gone.id);
    expect_error("ITEM_ID_DELETED", client.add(gone));
    ok("ITEM_ID_DELETED");

    let now = client.item(id).unwrap().revision;
    let metadata = expect_error("REVISION_MISMATCH", client.uncheck(id, now - 1)).metadata;
    assert_eq!(metadata["current_revision"], now.to_string());
    ok("REVISION_MISMATCH");

    for _ in 0..40 {
        client.uncheck(id, 0).unwrap();
        client.check(id);
    }
    let metadata = expect_error("REVISION_COMPACTED", client.changes(0)).metadata;
    assert!(metadata["oldest_revision"].parse::<i64>().unwrap() > 0);
    ok("REVISION_COMPACTED");

    let now = client.revision();
    let metadata = expect_error("REVISION_IN_FUTURE", client.changes(now + 1)).metadata;
    assert_eq!(metadata["current_revision"], now.to_string());
    ok("REVISION_IN_FUTURE");

    let lost = item_at("Lost", "nowhere", None);
    let fields = expect_error("ADDRESS_NOT_FOUND", client.add(lost.clone())).fields;
    assert_eq!(fields, HashSet::from(["item.location.address".into()]));
    let request = AddItemRequest {
        item: some(lost),
        save_without_coordinate: true,
        ..Default::default()
    };
    let response: AddItemResponse = client.call("AddItem", request).unwrap();
    assert!(!response.get_item().get_location().has_coordinate());
    ok("ADDRESS_NOT_FOUND");

    expect_error(
        "GEOCODER_UNAVAILABLE",
        Client::connect(&arguments[3], "").geocode("7 Some Street", 1),
    );
    ok("GEOCODER_UNAVAILABLE");

    let filler = |_| {
        let item = new_item("Filler");
        Item {
            description: item.id.clone(),
            ..item
        }
    };
    let full = loop {
        if let Err(error) = client.batch((0..500).map(filler).collect()) {
            break error;
        }
    };
    assert_eq!(
        (full.reason.as_str(), full.metadata["max_items"].as_str()),
        ("LIST_FULL", "1200")
    );
    ok("LIST_FULL");

    let unknown = format!("todo_0123456789abcdef_{}", "0".repeat(64));
    let messages: HashSet<String> = ["", unknown.as_str(), "nonsense"]
        .into_iter()
        .map(|token| {
            expect_error(
                "UNAUTHENTICATED",
                Client::connect(&arguments[1], token).info(),
            )
            .message
        })
        .collect();
    assert_eq!(messages.len(), 1);
    ok("UNAUTHENTICATED");

    let reader = Client::connect(&arguments[1], &env::var("TODO_READ_ONLY_TOKEN").unwrap());
    assert!(!reader
        .list(ListItemsRequest::new())
        .unwrap()
        .items
        .is_empty());
    expect_error("READ_ONLY", reader.add(new_item("Not mine to add")));
    ok("READ_ONLY");
}
