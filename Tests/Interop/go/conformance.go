// Runs the checks of conformance.md: conformance TCP-ENDPOINT UNIX-ENDPOINT ENDPOINT-WITHOUT-GEOCODER
//
// Debian's version of containerd's ttrpc for Go supports only unary calls.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/types"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/type/date"
	"google.golang.org/genproto/googleapis/type/latlng"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	todo "todo.example/protos/todo/v1"
)

// client is a connection, the services on it, and the caller's token.
type client struct {
	todo.ToDoServiceService
	lists      todo.ListServiceService
	connection *ttrpc.Client
	token      string
}

func dial(endpoint, token string) *client {
	network, address, _ := strings.Cut(endpoint, "://")
	socket, err := net.Dial(network, address)
	must(err)
	connection := ttrpc.NewClient(socket)
	return &client{todo.NewToDoServiceClient(connection), todo.NewListServiceClient(connection), connection, token}
}

// call returns the context of a call with the client's token.
func (c *client) call() context.Context {
	ctx, _ := context.WithTimeout(context.Background(), 10*time.Second) //nolint:govet // the program ends soon
	if c.token == "" {
		return ctx
	}
	return ttrpc.WithMetadata(ctx, ttrpc.MD{"authorization": {"Bearer " + c.token}})
}

func (c *client) health(service string) (health.HealthCheckResponse_ServingStatus, error) {
	response, err := health.NewHealthClient(c.connection).Check(c.call(), &health.HealthCheckRequest{Service: service})
	if err != nil {
		return 0, err
	}
	return response.Status, nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// get returns the response of a call, which must succeed.
func get[Response any](response Response, err error) Response {
	must(err)
	return response
}

func expect(condition bool, what ...any) {
	if !condition {
		panic(fmt.Sprint("expectation failed ", fmt.Sprint(what...)))
	}
}

// callError contains the details of an error.
type callError struct {
	message  string
	metadata map[string]string
	fields   map[string]bool
}

// expectError expects a call to fail with this reason.
func expectError[Response any](reason string, _ Response, err error) callError {
	expect(err != nil, "expected ", reason, ", but the call succeeded")
	callError := callError{message: status.Convert(err).Message(), fields: map[string]bool{}}
	found := ""
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			found, callError.metadata = detail.Reason, detail.Metadata
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				callError.fields[violation.Field] = true
			}
		}
	}
	expect(found == reason, "expected ", reason, ", got ", found, ": ", err)
	return callError
}

func newID() string {
	var random [16]byte
	get(rand.Read(random[:]))
	random[6], random[8] = random[6]&0x0f|0x40, random[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:])
}

func newItem(title string) *todo.Item { return &todo.Item{Id: newID(), Title: title} }

func add(item *todo.Item) (*todo.AddItemResponse, error) {
	return service.AddItem(service.call(), &todo.AddItemRequest{Item: item})
}

func batch(items []*todo.Item) (*todo.BatchAddItemsResponse, error) {
	return service.BatchAddItems(service.call(), &todo.BatchAddItemsRequest{Items: items})
}

func list(request todo.ListItemsRequest) *todo.ListItemsResponse {
	return get(service.ListItems(service.call(), &request))
}

func item(id string) (*todo.GetItemResponse, error) {
	return service.GetItem(service.call(), &todo.GetItemRequest{Id: id})
}

// raw is a message of arbitrary bytes.
type raw []byte

func (raw) Reset()                     {}
func (raw) String() string             { return "" }
func (raw) ProtoMessage()              {}
func (r raw) Marshal() ([]byte, error) { return r, nil }
func (raw) Unmarshal([]byte) error     { return nil }

var (
	service = dial(os.Args[1], os.Getenv("TODO_TOKEN"))
	stored  *todo.Item
	full    = &todo.Item{
		Id: newID(), Title: "Buy milk", Description: "Two bottles",
		Due: &todo.Item_DueTime{DueTime: &types.Timestamp{Seconds: 1_900_000_000, Nanos: 500_000_000}},
		Location: &todo.Location{
			Name: "Shop", Address: "1 High Street", Coordinate: &latlng.LatLng{Latitude: -33.5, Longitude: 151.25}},
	}
)

var checks = []struct {
	name string
	run  func()
}{
	{"serving", func() {
		for _, name := range []string{"", "todo.v1.ToDoService"} {
			expect(get(service.health(name)) == health.HealthCheckResponse_SERVING)
		}
	}},
	{"info", func() {
		info := get(service.GetServerInfo(service.call(), &todo.GetServerInfoRequest{}))
		expect(info.ServerVersion != "" && info.GeocoderAttribution == "Invented places" && len(info.Capabilities) == 22)
		limits := info.Limits
		expect(limits.MaxFrameBytes == 4<<20 && limits.MaxPageSize == 1000 && limits.MaxBatchSize == 500)
	}},
	{"empty", func() {
		deleteAll()
		expect(len(list(todo.ListItemsRequest{}).Items) == 0)
	}},
	{"add", func() {
		stored = get(add(full)).Item
		expect(stored.Id == full.Id && stored.Title == full.Title && stored.Description == full.Description)
		expect(reflect.DeepEqual(stored.Due, full.Due) && stored.Location.Coordinate.Latitude == -33.5)
		expect(stored.CreateTime.Seconds > 0 && !stored.Done && stored.Revision == list(todo.ListItemsRequest{}).Revision)
	}},
	{"add again", func() { expect(reflect.DeepEqual(get(add(full)).Item, stored)) }},
	{"get", func() {
		expect(reflect.DeepEqual(get(item(full.Id)).Item, stored))
		expect(reflect.DeepEqual(get(item(strings.ToUpper(full.Id))).Item, stored))
	}},
	{"emoji", func() {
		title := "Тест テスト 🦊👩‍👩‍👧‍👦 e\u0301 \u202e"
		expect(get(add(newItem(title))).Item.Title == title)
	}},
	{"due date", func() {
		day := newItem("Someday")
		day.Due = &todo.Item_DueDate{DueDate: &date.Date{Year: 2031, Month: 2, Day: 28}}
		expect(get(add(day)).Item.GetDueDate().Day == 28)
	}},
	{"batch", func() {
		var items []*todo.Item
		for number := 0; number < 250; number++ {
			items = append(items, newItem(fmt.Sprint("Number ", number)))
		}
		response := get(batch(items)).Items
		expect(len(response) == 250 && response[0].Revision == response[249].Revision)
	}},
	{"numbers", func() {
		added := get(batch([]*todo.Item{newItem("First"), newItem("Middle"), newItem("Last")})).Items
		first := added[0].Number
		expect(first > 0 && added[1].Number == first+1 && added[2].Number == first+2)
		found := list(todo.ListItemsRequest{Numbers: []int64{first + 2, 1 << 40, first}}).Items
		expect(len(found) == 2 && found[0].Number+found[1].Number == 2*first+2)
		for _, item := range found {
			expect(item.Id == added[item.Number-first].Id)
		}
		for _, item := range added {
			get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: item.Id}))
		}
	}},
	{"pages", func() {
		seen, count, token := map[string]bool{}, 0, ""
		for {
			page := list(todo.ListItemsRequest{PageSize: 100, PageToken: token})
			for _, item := range page.Items {
				seen[item.Id] = true
				count++
			}
			if token = page.NextPageToken; token == "" {
				break
			}
		}
		expect(len(seen) == 253 && count == 253, count)
	}},
	{"filter", func() {
		expect(len(list(todo.ListItemsRequest{Text: "24 nUMBER", PageSize: 1000}).Items) == 13)
		expect(len(list(todo.ListItemsRequest{State: todo.StateFilter_STATE_FILTER_DONE}).Items) == 0)
	}},
	{"check", func() {
		response := get(service.CheckItem(service.call(), &todo.CheckItemRequest{Id: full.Id})).Item
		expect(response.Done && response.CompleteTime != nil)
		done := list(todo.ListItemsRequest{State: todo.StateFilter_STATE_FILTER_DONE}).Items
		expect(len(done) == 1 && done[0].Id == full.Id)
	}},
	{"uncheck", func() {
		response := get(service.UncheckItem(service.call(), &todo.UncheckItemRequest{Id: full.Id})).Item
		expect(!response.Done && response.CompleteTime == nil)
	}},
	{"update", func() {
		response := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: full.Id, Title: "Buy oat milk"},
			UpdateMask: &types.FieldMask{Paths: []string{"title", "description"}},
		})).Item
		expect(response.Title == "Buy oat milk" && response.Description == "" && reflect.DeepEqual(response.Due, full.Due))
	}},
	{"tags", func() {
		item := newItem("Tagged")
		item.Tags, item.Priority = []string{"Shop", "shop", "work/urgent"}, todo.Priority_PRIORITY_HIGH
		tagged := get(add(item)).Item
		expect(fmt.Sprint(tagged.Tags) == "[Shop work/urgent]" && tagged.Priority == todo.Priority_PRIORITY_HIGH, tagged)
		filtered := func(filter *todo.ItemFilter) []*todo.Item {
			return list(todo.ListItemsRequest{Filter: filter, PageSize: 1000}).Items
		}
		work := filtered(&todo.ItemFilter{Tags: &todo.TagFilter{All: []string{"WORK"}}})
		expect(len(work) == 1 && work[0].Id == tagged.Id, work)
		for _, other := range filtered(&todo.ItemFilter{Tags: &todo.TagFilter{None: []string{"shop"}}}) {
			expect(other.Id != tagged.Id)
		}
		high := filtered(&todo.ItemFilter{Priorities: []todo.Priority{todo.Priority_PRIORITY_HIGH}})
		expect(len(high) == 1 && high[0].Id == tagged.Id, high)
		bare := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: tagged.Id},
			UpdateMask: &types.FieldMask{Paths: []string{"tags", "priority"}},
		})).Item
		expect(len(bare.Tags) == 0 && bare.Priority == todo.Priority_PRIORITY_UNSPECIFIED, bare)
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: tagged.Id}))
		wrong := newItem("Wrong")
		wrong.Tags = []string{"a b"}
		response, err := add(wrong)
		fields := expectError("INVALID_ITEM", response, err).fields
		expect(len(fields) == 1 && fields["item.tags[0]"], fields)
	}},
	{"steps", func() {
		item := newItem("Trip")
		item.Steps = []*todo.Step{{Text: "Pack", Done: true}, {Text: "Go"}}
		trip := get(add(item)).Item
		expect(len(trip.Steps) == 2 && trip.Steps[0].Text == "Pack" && trip.Steps[0].Done && !trip.Steps[1].Done, trip)
		changed := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: trip.Id, Steps: trip.Steps[1:]},
			UpdateMask: &types.FieldMask{Paths: []string{"steps"}},
		})).Item
		expect(len(changed.Steps) == 1 && changed.Steps[0].Text == "Go" && changed.Title == "Trip", changed)
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: trip.Id}))
		wrong := newItem("Wrong")
		wrong.Steps = []*todo.Step{{Text: "Go"}, {Text: " "}}
		response, err := add(wrong)
		fields := expectError("INVALID_ITEM", response, err).fields
		expect(len(fields) == 1 && fields["item.steps[1].text"], fields)
	}},
	{"reminders", func() {
		item := newItem("Reminds")
		item.Due = &todo.Item_DueTime{DueTime: &types.Timestamp{Seconds: 1900000000}}
		hour := &todo.Reminder{Trigger: &todo.Reminder_SecondsBefore{SecondsBefore: 3600}}
		day := &todo.Reminder_Day{Day: &todo.DayTrigger{DaysBefore: 1, MinuteOfDay: 1080, TimeZone: "Europe/Berlin"}}
		item.Reminders = []*todo.Reminder{hour, {Trigger: day}}
		kept := get(add(item)).Item
		expect(len(kept.Reminders) == 2 && kept.Reminders[0].GetSecondsBefore() == 3600, kept)
		expect(kept.Reminders[1].GetDay().MinuteOfDay == 1080, kept)
		hour.AcknowledgedTime = &types.Timestamp{Seconds: 1899996400}
		told := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: kept.Id, Reminders: []*todo.Reminder{hour}},
			UpdateMask: &types.FieldMask{Paths: []string{"reminders"}},
		})).Item
		expect(len(told.Reminders) == 1 && told.Reminders[0].AcknowledgedTime.Seconds == 1899996400, told)
		expect(told.Title == "Reminds", told)
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: kept.Id}))
		wrong := newItem("Wrong")
		wrong.Reminders = []*todo.Reminder{hour}
		response, err := add(wrong)
		fields := expectError("INVALID_ITEM", response, err).fields
		expect(len(fields) == 1 && fields["item.reminders[0].seconds_before"], fields)
	}},
	{"waiting", func() {
		item := newItem("Waits")
		item.WaitTime = &types.Timestamp{Seconds: 1900000000}
		added := get(add(item)).Item
		expect(added.WaitTime.Seconds == 1900000000, added)
		waiting := func(seconds int64) int {
			wait := &todo.WaitFilter{Time: &types.Timestamp{Seconds: seconds}, Waiting: true}
			return len(list(todo.ListItemsRequest{Filter: &todo.ItemFilter{Wait: wait}}).Items)
		}
		expect(waiting(1899999999) == 1 && waiting(1900000000) == 0)
		cleared := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: added.Id},
			UpdateMask: &types.FieldMask{Paths: []string{"wait_time"}},
		})).Item
		expect(cleared.WaitTime == nil, cleared)
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: added.Id}))
	}},
	{"repetition", func() {
		item := newItem("Bins")
		item.Due = &todo.Item_DueDate{DueDate: &date.Date{Year: 2026, Month: 5, Day: 5}}
		rule := &todo.Repetition_RecurrenceRule{RecurrenceRule: "interval=2;freq=weekly;byday=tu"}
		item.Repetition = &todo.Repetition{Rule: rule}
		bins := get(add(item)).Item
		expect(bins.Repetition.GetRecurrenceRule() == "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", bins)
		expect(bins.Repetition.GetStartDate().Day == 5, bins)
		interval := &todo.RepeatInterval{Count: 3, Unit: todo.Frequency_FREQUENCY_DAILY}
		after := &todo.Repetition{Rule: &todo.Repetition_AfterDone{AfterDone: interval}}
		changed := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: bins.Id, Repetition: after},
			UpdateMask: &types.FieldMask{Paths: []string{"repetition"}},
		})).Item
		expect(changed.Repetition.GetAfterDone().Count == 3 && changed.Repetition.Start == nil, changed)
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: bins.Id}))
		wrong := newItem("Wrong")
		wrong.Repetition = item.Repetition
		response, err := add(wrong)
		fields := expectError("INVALID_ITEM", response, err).fields
		expect(len(fields) == 1 && fields["item.repetition"], fields)
	}},
	{"occurrence", func() {
		chore := newItem("Chore")
		chore.Due = &todo.Item_DueDate{DueDate: &date.Date{Year: 2026, Month: 5, Day: 5}}
		chore.Repetition = &todo.Repetition{Rule: &todo.Repetition_RecurrenceRule{RecurrenceRule: "FREQ=DAILY"}}
		chore = get(add(chore)).Item
		request := &todo.CheckItemRequest{Id: chore.Id, IfRevision: chore.Revision}
		checked := get(service.CheckItem(service.call(), request)).Item
		expect(!checked.Done && checked.Number == chore.Number && checked.Revision > chore.Revision, checked)
		expect(checked.GetDueDate() != nil && !reflect.DeepEqual(checked.GetDueDate(), chore.GetDueDate()), checked)
		expect(reflect.DeepEqual(get(service.CheckItem(service.call(), request)).Item, checked))
		var done []*todo.Item
		for _, each := range list(todo.ListItemsRequest{State: todo.StateFilter_STATE_FILTER_DONE}).Items {
			if each.Title == "Chore" {
				done = append(done, each)
			}
		}
		expect(len(done) == 1 && reflect.DeepEqual(done[0].GetDueDate(), chore.GetDueDate()), done)
		expect(done[0].Number > chore.Number && done[0].Repetition == nil, done)
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: chore.Id}))
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: done[0].Id}))
	}},
	{"lookup", func() {
		visit := newItem("Visit")
		visit.Location = &todo.Location{Address: "7 Some Street"}
		response := get(add(visit)).Item
		expect(response.Location.Coordinate != nil && response.Location.Source != "")
	}},
	{"geocode", func() {
		response := get(service.GeocodeAddress(service.call(), &todo.GeocodeAddressRequest{Address: "7 Some Street", Limit: 1}))
		expect(len(response.Candidates) == 1 && response.Attribution == "Invented places")
	}},
	{"nearby", func() {
		far := newItem("Far")
		far.Location = &todo.Location{Coordinate: &latlng.LatLng{Latitude: -33.6, Longitude: 151.25}}
		get(add(far))
		found := get(service.ListNearbyItems(service.call(), &todo.ListNearbyItemsRequest{
			Center: full.Location.Coordinate, RadiusMeters: 20_000})).Items
		expect(len(found) == 2 && found[0].Item.Id == full.Id && found[1].Item.Id == far.Id)
		expect(found[0].DistanceMeters < 1 && found[1].DistanceMeters > 11_000 && found[1].DistanceMeters < 11_300)
	}},
	{"delete", func() {
		gone := get(add(newItem("Gone soon"))).Item
		response := get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: gone.Id}))
		expect(response.Revision == gone.Revision+1)
		missing, err := item(gone.Id)
		expectError("ITEM_NOT_FOUND", missing, err)
	}},
	{"soft delete", func() {
		mistake := get(add(newItem("Deleted by mistake"))).Item
		revision := get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: mistake.Id})).Revision
		deleted := list(todo.ListItemsRequest{State: todo.StateFilter_STATE_FILTER_DELETED}).Items[0]
		expect(deleted.Id == mistake.Id && deleted.Number == mistake.Number && deleted.Revision == revision)
		expect(deleted.DeleteTime != nil && deleted.DeleteTime.Seconds < deleted.ExpireTime.GetSeconds())
		missing, err := item(mistake.Id)
		expectError("ITEM_NOT_FOUND", missing, err)
		restored := get(service.UndeleteItem(service.call(), &todo.UndeleteItemRequest{Id: mistake.Id})).Item
		expect(restored.Id == mistake.Id && restored.Number == mistake.Number && restored.Title == mistake.Title)
		expect(restored.DeleteTime == nil && restored.ExpireTime == nil && restored.Revision == revision+1)
		again, err := service.UndeleteItem(service.call(), &todo.UndeleteItemRequest{Id: mistake.Id})
		expect(expectError("ITEM_NOT_DELETED", again, err).metadata["item_id"] == mistake.Id)
	}},
	{"revert", func() {
		before := get(add(newItem("As it was"))).Item
		edited := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: before.Id, Title: "As it is"},
			UpdateMask: &types.FieldMask{Paths: []string{"title"}},
		})).Item
		latest := get(service.ListRevisions(service.call(), &todo.ListRevisionsRequest{})).Revisions[0]
		expect(latest.Revision == edited.Revision && latest.Own && latest.ChangeCount == 1 && len(latest.Changes) == 1)
		recorded := latest.Changes[0]
		expect(recorded.ItemId == before.Id && recorded.Number == before.Number && recorded.Title == edited.Title)
		expect(!recorded.Deleted && recorded.Cause == todo.PutCause_PUT_CAUSE_EDITED)
		request := &todo.RevertRevisionRequest{Revision: edited.Revision}
		reverted := get(service.RevertRevision(service.call(), request))
		expect(reverted.RevertedCount == 1 && reverted.RefusedCount == 0 && reverted.Revision == edited.Revision+1)
		expect(get(item(before.Id)).Item.Title == before.Title)
		again := get(service.RevertRevision(service.call(), request))
		expect(again.RevertedCount == 0 && again.RefusedCount == 1 && again.Revision == reverted.Revision)
		expect(len(again.Refusals) == 1 && again.Refusals[0].ItemId == before.Id)
		expect(again.Refusals[0].Reason == todo.RevertRefusalReason_REVERT_REFUSAL_REASON_CHANGED_SINCE)
	}},
	{"changes", func() {
		last := get(service.CheckItem(service.call(), &todo.CheckItemRequest{Id: full.Id})).Item
		response := get(service.ListChanges(service.call(), &todo.ListChangesRequest{AfterRevision: last.Revision - 1}))
		expect(len(response.Changes) == 1 && !response.HasMore && response.NextRevision == last.Revision)
		put := response.Changes[0].GetPut()
		expect(reflect.DeepEqual(put.Item, last) && put.Cause == todo.PutCause_PUT_CAUSE_CHECKED)
	}},
	{"lists", func() {
		request := &todo.CreateListRequest{Id: newItem("").Id, Name: "Work", Color: todo.ListColor_LIST_COLOR_TEAL}
		work := get(service.lists.CreateList(service.call(), request)).List
		expect(reflect.DeepEqual(get(service.lists.CreateList(service.call(), request)).List, work))
		report := get(service.AddItem(service.call(), &todo.AddItemRequest{Item: newItem("Report"), List: work.Id})).Item
		items := get(service.ListItems(service.call(), &todo.ListItemsRequest{List: work.Id})).Items
		expect(len(items) == 1 && reflect.DeepEqual(items[0], report) && report.Number == 1)
		response, err := item(report.Id)
		expectError("ITEM_NOT_FOUND", response, err)
		lists := get(service.lists.ListLists(service.call(), &todo.ListListsRequest{})).Set.Lists
		expect(len(lists) == 2 && lists[0].Name == "Inbox" && lists[1].Name == "Work")
		get(service.lists.DeleteList(service.call(), &todo.DeleteListRequest{Id: work.Id}))
		page, err := service.ListItems(service.call(), &todo.ListItemsRequest{List: work.Id})
		expect(expectError("LIST_NOT_FOUND", page, err).metadata["list_id"] == work.Id)
		get(service.lists.UndeleteList(service.call(), &todo.UndeleteListRequest{Id: work.Id}))
		found := get(service.GetItem(service.call(), &todo.GetItemRequest{Id: report.Id, List: work.Id})).Item
		expect(reflect.DeepEqual(found, report))
		move := &todo.MoveItemsRequest{Ids: []string{report.Id}, SourceList: work.Id}
		moved := get(service.lists.MoveItems(service.call(), move)).Items
		expect(len(moved) == 1 && moved[0].Title == "Report" && reflect.DeepEqual(get(item(report.Id)).Item, moved[0]))
		expect(len(get(service.ListItems(service.call(), &todo.ListItemsRequest{List: work.Id})).Items) == 0)
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: report.Id}))
		get(service.lists.DeleteList(service.call(), &todo.DeleteListRequest{Id: work.Id}))
	}},
	{"sharing", func() {
		bob := dial(os.Args[1], os.Getenv("TODO_OTHER_TOKEN"))
		create := &todo.CreateListRequest{Id: newID(), Name: "Shared"}
		shared := get(service.lists.CreateList(service.call(), create)).List
		first := get(service.AddItem(service.call(), &todo.AddItemRequest{Item: newItem("First"), List: shared.Id})).Item
		share := &todo.ShareListRequest{Id: shared.Id, User: "bob", Role: todo.ListRole_LIST_ROLE_VIEWER}
		members := get(service.lists.ShareList(service.call(), share)).List.Members
		expect(len(members) == 1 && members[0].User == "bob" && members[0].Invited, members)
		all := &todo.ListItemsRequest{List: shared.Id}
		page, err := bob.ListItems(bob.call(), all)
		expectError("LIST_NOT_FOUND", page, err)
		accepted := get(bob.lists.AcceptList(bob.call(), &todo.AcceptListRequest{Id: shared.Id})).List
		expect(accepted.Role == todo.ListRole_LIST_ROLE_VIEWER && accepted.OwnerUser == "ann", accepted)
		items := get(bob.ListItems(bob.call(), all)).Items
		expect(len(items) == 1 && reflect.DeepEqual(items[0], first), items)
		request := &todo.AddItemRequest{Item: newItem("Second"), List: shared.Id}
		added, err := bob.AddItem(bob.call(), request)
		expect(expectError("NOT_PERMITTED", added, err).metadata["needed_role"] == "editor")
		share.Role = todo.ListRole_LIST_ROLE_EDITOR
		get(service.lists.ShareList(service.call(), share))
		second := get(bob.AddItem(bob.call(), request)).Item
		found := get(service.GetItem(service.call(), &todo.GetItemRequest{Id: second.Id, List: shared.Id})).Item
		expect(reflect.DeepEqual(found, second), found)
		unshare := &todo.UnshareListRequest{Id: shared.Id, User: "bob"}
		expect(len(get(service.lists.UnshareList(service.call(), unshare)).List.Members) == 0)
		page, err = bob.ListItems(bob.call(), all)
		expectError("LIST_NOT_FOUND", page, err)
		get(service.lists.DeleteList(service.call(), &todo.DeleteListRequest{Id: shared.Id}))
		must(bob.connection.Close())
	}},
	{"MALFORMED_REQUEST", func() {
		err := service.connection.Call(service.call(), "todo.v1.ToDoService", "GetItem", raw{0xff, 0xff, 0xff}, &todo.GetItemResponse{})
		expectError("MALFORMED_REQUEST", 0, err)
	}},
	{"METHOD_NOT_IMPLEMENTED", func() {
		err := service.connection.Call(service.call(), "todo.v1.ToDoService", "Fly", raw{}, &todo.GetItemResponse{})
		expectError("METHOD_NOT_IMPLEMENTED", 0, err)
	}},
	{"SERVICE_NOT_FOUND", func() {
		response, err := service.health("no.such.Service")
		expectError("SERVICE_NOT_FOUND", response, err)
	}},
	{"DEADLINE_EXCEEDED", func() {
		ctx, cancel := context.WithTimeout(service.call(), time.Millisecond)
		defer cancel()
		// The library's own timer expires before the server responds.
		_, err := service.GeocodeAddress(ctx, &todo.GeocodeAddressRequest{Address: "8 Some Street"})
		expect(err != nil && strings.Contains(strings.ToLower(err.Error()), "deadline"), err)
	}},
	{"MESSAGE_TOO_LARGE", func() {
		response, err := add(newItem(strings.Repeat("x", 4<<20)))
		expect(expectError("MESSAGE_TOO_LARGE", response, err).metadata["max_bytes"] == fmt.Sprint(4<<20))
		get(item(full.Id))
	}},
	{"INVALID_ITEM", func() {
		wrong := newItem("")
		wrong.Location = &todo.Location{Coordinate: &latlng.LatLng{Latitude: 91}}
		response, err := add(wrong)
		fields := expectError("INVALID_ITEM", response, err).fields
		expect(len(fields) == 2 && fields["item.title"] && fields["item.location.coordinate.latitude"], fields)
	}},
	{"INVALID_REQUEST", func() {
		response, err := service.ListItems(service.call(), &todo.ListItemsRequest{PageSize: -1})
		expect(expectError("INVALID_REQUEST", response, err).fields["page_size"])
	}},
	{"INVALID_PAGE_TOKEN", func() {
		token := list(todo.ListItemsRequest{PageSize: 1}).NextPageToken
		response, err := service.ListItems(service.call(), &todo.ListItemsRequest{PageSize: 1, PageToken: token, Text: "milk"})
		expectError("INVALID_PAGE_TOKEN", response, err)
	}},
	{"ITEM_NOT_FOUND", func() {
		unknown := newID()
		response, err := item(unknown)
		expect(expectError("ITEM_NOT_FOUND", response, err).metadata["item_id"] == unknown)
	}},
	{"DUPLICATE_ITEM", func() {
		first, second := newItem("Twice"), newItem("Twice")
		get(add(first))
		response, err := add(second)
		metadata := expectError("DUPLICATE_ITEM", response, err).metadata
		expect(metadata["item_id"] == second.Id && metadata["existing_id"] == first.Id)
		get(service.AddItem(service.call(), &todo.AddItemRequest{Item: second, AllowDuplicate: true}))
	}},
	{"ITEM_ID_CONFLICT", func() {
		response, err := add(&todo.Item{Id: full.Id, Title: "Something else"})
		expectError("ITEM_ID_CONFLICT", response, err)
	}},
	{"ITEM_ID_DELETED", func() {
		gone := newItem("Gone for good")
		get(add(gone))
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: gone.Id}))
		response, err := add(gone)
		expectError("ITEM_ID_DELETED", response, err)
	}},
	{"REVISION_MISMATCH", func() {
		now := get(item(full.Id)).Item.Revision
		response, err := service.UncheckItem(service.call(), &todo.UncheckItemRequest{Id: full.Id, IfRevision: now - 1})
		expect(expectError("REVISION_MISMATCH", response, err).metadata["current_revision"] == fmt.Sprint(now))
	}},
	{"REVISION_COMPACTED", func() {
		for round := 0; round < 40; round++ {
			get(service.UncheckItem(service.call(), &todo.UncheckItemRequest{Id: full.Id}))
			get(service.CheckItem(service.call(), &todo.CheckItemRequest{Id: full.Id}))
		}
		response, err := service.ListChanges(service.call(), &todo.ListChangesRequest{})
		expect(expectError("REVISION_COMPACTED", response, err).metadata["oldest_revision"] > "0")
	}},
	{"REVISION_IN_FUTURE", func() {
		now := list(todo.ListItemsRequest{PageSize: 1}).Revision
		response, err := service.ListChanges(service.call(), &todo.ListChangesRequest{AfterRevision: now + 1})
		expect(expectError("REVISION_IN_FUTURE", response, err).metadata["current_revision"] == fmt.Sprint(now))
	}},
	{"ADDRESS_NOT_FOUND", func() {
		lost := newItem("Lost")
		lost.Location = &todo.Location{Address: "nowhere"}
		response, err := add(lost)
		expect(expectError("ADDRESS_NOT_FOUND", response, err).fields["item.location.address"])
		saved := get(service.AddItem(service.call(), &todo.AddItemRequest{Item: lost, SaveWithoutCoordinate: true})).Item
		expect(saved.Location.Coordinate == nil)
	}},
	{"GEOCODER_UNAVAILABLE", func() {
		other := dial(os.Args[3], "")
		response, err := other.GeocodeAddress(other.call(), &todo.GeocodeAddressRequest{Address: "7 Some Street"})
		expectError("GEOCODER_UNAVAILABLE", response, err)
		must(other.connection.Close())
	}},
	{"LIST_FULL", func() {
		for {
			var items []*todo.Item
			for number := 0; number < 500; number++ {
				filler := newItem("Filler")
				filler.Description = filler.Id
				items = append(items, filler)
			}
			if response, err := batch(items); err != nil {
				expect(expectError("LIST_FULL", response, err).metadata["max_items"] == "1200")
				return
			}
		}
	}},
	{"UNAUTHENTICATED", func() {
		messages := map[string]bool{}
		for _, token := range []string{"", "todo_0123456789abcdef_" + strings.Repeat("0", 64), "nonsense"} {
			unauthenticated := dial(os.Args[1], token)
			response, err := unauthenticated.GetServerInfo(unauthenticated.call(), &todo.GetServerInfoRequest{})
			messages[expectError("UNAUTHENTICATED", response, err).message] = true
			must(unauthenticated.connection.Close())
		}
		expect(len(messages) == 1)
	}},
	{"READ_ONLY", func() {
		reader := dial(os.Args[1], os.Getenv("TODO_READ_ONLY_TOKEN"))
		expect(len(get(reader.ListItems(reader.call(), &todo.ListItemsRequest{})).Items) > 0)
		response, err := reader.AddItem(reader.call(), &todo.AddItemRequest{Item: newItem("Not mine to add")})
		expectError("READ_ONLY", response, err)
		must(reader.connection.Close())
	}},
	{"large", func() {
		deleteAll()
		longest := newItem(strings.Repeat("t", 1024))
		longest.Description = strings.Repeat("d", 65_536)
		longest.Location = &todo.Location{
			Name: strings.Repeat("n", 1024), Address: strings.Repeat("a", 1024), Coordinate: &latlng.LatLng{Latitude: 1}}
		expect(get(add(longest)).Item.Description == longest.Description)
		var items []*todo.Item
		for number := 0; number < 48; number++ {
			large := newItem(fmt.Sprint(number))
			large.Description = string(bytes.Repeat([]byte("d"), 65_000))
			items = append(items, large)
		}
		expect(len(get(batch(items)).Items) == 48)
	}},
	{"concurrent", func() {
		var items []*todo.Item
		for number := 0; number < 100; number++ {
			items = append(items, newItem(fmt.Sprint("Concurrent ", number)))
		}
		responses := get(batch(items)).Items
		var group sync.WaitGroup
		failures := make(chan error, 1000)
		for number := 0; number < 1000; number++ {
			group.Add(1)
			go func(expected *todo.Item) {
				defer group.Done()
				response, err := item(expected.Id)
				if err != nil || !reflect.DeepEqual(response.Item, expected) {
					failures <- fmt.Errorf("%v instead of %v: %w", response, expected, err)
				}
			}(responses[number%100])
		}
		group.Wait()
		expect(len(failures) == 0)
	}},
	{"unix", func() {
		local := dial(os.Args[2], os.Getenv("TODO_TOKEN"))
		response := get(local.ListItems(local.call(), &todo.ListItemsRequest{PageSize: 1}))
		expect(response.Revision == list(todo.ListItemsRequest{PageSize: 1}).Revision)
		must(local.connection.Close())
	}},
}

func deleteAll() {
	get(service.DeleteItems(service.call(), &todo.DeleteItemsRequest{Selection: todo.DeleteSelection_DELETE_SELECTION_ALL}))
}

func main() {
	for _, check := range checks {
		check.run()
		fmt.Println("ok", check.name)
	}
	fmt.Println(len(checks), "checks passed")
}
