// Goes through conformance.md: conformance TCP-ENDPOINT UNIX-ENDPOINT ENDPOINT-WITHOUT-GEOCODER
//
// containerd's ttrpc for Go, in the version that Debian has, knows unary calls alone.
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

// client is a connection, the service on it, and who calls.
type client struct {
	todo.ToDoServiceService
	connection *ttrpc.Client
	token      string
}

func dial(endpoint, token string) *client {
	network, address, _ := strings.Cut(endpoint, "://")
	socket, err := net.Dial(network, address)
	must(err)
	connection := ttrpc.NewClient(socket)
	return &client{todo.NewToDoServiceClient(connection), connection, token}
}

// call is the context of a call that bears the client's token.
func (c *client) call() context.Context {
	ctx, _ := context.WithTimeout(context.Background(), 10*time.Second) //nolint:govet // the program ends soon
	if c.token == "" {
		return ctx
	}
	return ttrpc.WithMetadata(ctx, ttrpc.MD{"authorization": {"Bearer " + c.token}})
}

func (c *client) health(service string) (health.HealthCheckResponse_ServingStatus, error) {
	answer, err := health.NewHealthClient(c.connection).Check(c.call(), &health.HealthCheckRequest{Service: service})
	if err != nil {
		return 0, err
	}
	return answer.Status, nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// get is the answer of a call that succeeds.
func get[Answer any](answer Answer, err error) Answer {
	must(err)
	return answer
}

func expect(condition bool, what ...any) {
	if !condition {
		panic(fmt.Sprint("not what was expected ", fmt.Sprint(what...)))
	}
}

// refusal is what the details of an error say.
type refusal struct {
	message  string
	metadata map[string]string
	fields   map[string]bool
}

// refused expects a call to fail for this reason.
func refused[Answer any](reason string, _ Answer, err error) refusal {
	expect(err != nil, "no ", reason)
	refusal := refusal{message: status.Convert(err).Message(), fields: map[string]bool{}}
	found := ""
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			found, refusal.metadata = detail.Reason, detail.Metadata
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				refusal.fields[violation.Field] = true
			}
		}
	}
	expect(found == reason, reason, " but ", found, ": ", err)
	return refusal
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

// raw is a message of any bytes.
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
		expect(info.ServerVersion != "" && info.GeocoderAttribution == "Invented places" && len(info.Capabilities) == 4)
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
		answer := get(batch(items)).Items
		expect(len(answer) == 250 && answer[0].Revision == answer[249].Revision)
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
		expect(len(list(todo.ListItemsRequest{Text: "nUMBER 24", PageSize: 1000}).Items) == 11)
		expect(len(list(todo.ListItemsRequest{State: todo.StateFilter_STATE_FILTER_DONE}).Items) == 0)
	}},
	{"check", func() {
		answer := get(service.CheckItem(service.call(), &todo.CheckItemRequest{Id: full.Id})).Item
		expect(answer.Done && answer.CompleteTime != nil)
		done := list(todo.ListItemsRequest{State: todo.StateFilter_STATE_FILTER_DONE}).Items
		expect(len(done) == 1 && done[0].Id == full.Id)
	}},
	{"uncheck", func() {
		answer := get(service.UncheckItem(service.call(), &todo.UncheckItemRequest{Id: full.Id})).Item
		expect(!answer.Done && answer.CompleteTime == nil)
	}},
	{"update", func() {
		answer := get(service.UpdateItem(service.call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: full.Id, Title: "Buy oat milk"},
			UpdateMask: &types.FieldMask{Paths: []string{"title", "description"}},
		})).Item
		expect(answer.Title == "Buy oat milk" && answer.Description == "" && reflect.DeepEqual(answer.Due, full.Due))
	}},
	{"lookup", func() {
		visit := newItem("Visit")
		visit.Location = &todo.Location{Address: "7 Some Street"}
		answer := get(add(visit)).Item
		expect(answer.Location.Coordinate != nil && answer.Location.Source != "")
	}},
	{"geocode", func() {
		answer := get(service.GeocodeAddress(service.call(), &todo.GeocodeAddressRequest{Address: "7 Some Street", Limit: 1}))
		expect(len(answer.Candidates) == 1 && answer.Attribution == "Invented places")
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
		answer := get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: gone.Id}))
		expect(answer.Revision == gone.Revision+1)
		answerOfGet, err := item(gone.Id)
		refused("ITEM_NOT_FOUND", answerOfGet, err)
	}},
	{"changes", func() {
		last := get(service.CheckItem(service.call(), &todo.CheckItemRequest{Id: full.Id})).Item
		answer := get(service.ListChanges(service.call(), &todo.ListChangesRequest{AfterRevision: last.Revision - 1}))
		expect(len(answer.Changes) == 1 && !answer.HasMore && answer.NextRevision == last.Revision)
		put := answer.Changes[0].GetPut()
		expect(reflect.DeepEqual(put.Item, last) && put.Cause == todo.PutCause_PUT_CAUSE_CHECKED)
	}},
	{"MALFORMED_REQUEST", func() {
		err := service.connection.Call(service.call(), "todo.v1.ToDoService", "GetItem", raw{0xff, 0xff, 0xff}, &todo.GetItemResponse{})
		refused("MALFORMED_REQUEST", 0, err)
	}},
	{"METHOD_NOT_IMPLEMENTED", func() {
		err := service.connection.Call(service.call(), "todo.v1.ToDoService", "Fly", raw{}, &todo.GetItemResponse{})
		refused("METHOD_NOT_IMPLEMENTED", 0, err)
	}},
	{"SERVICE_NOT_FOUND", func() {
		answer, err := service.health("no.such.Service")
		refused("SERVICE_NOT_FOUND", answer, err)
	}},
	{"DEADLINE_EXCEEDED", func() {
		ctx, cancel := context.WithTimeout(service.call(), time.Millisecond)
		defer cancel()
		// The library's own timer answers before the server can.
		_, err := service.GeocodeAddress(ctx, &todo.GeocodeAddressRequest{Address: "8 Some Street"})
		expect(err != nil && strings.Contains(strings.ToLower(err.Error()), "deadline"), err)
	}},
	{"MESSAGE_TOO_LARGE", func() {
		answer, err := add(newItem(strings.Repeat("x", 4<<20)))
		expect(refused("MESSAGE_TOO_LARGE", answer, err).metadata["max_bytes"] == fmt.Sprint(4<<20))
		get(item(full.Id))
	}},
	{"INVALID_ITEM", func() {
		wrong := newItem("")
		wrong.Location = &todo.Location{Coordinate: &latlng.LatLng{Latitude: 91}}
		answer, err := add(wrong)
		fields := refused("INVALID_ITEM", answer, err).fields
		expect(len(fields) == 2 && fields["item.title"] && fields["item.location.coordinate.latitude"], fields)
	}},
	{"INVALID_REQUEST", func() {
		answer, err := service.ListItems(service.call(), &todo.ListItemsRequest{PageSize: -1})
		expect(refused("INVALID_REQUEST", answer, err).fields["page_size"])
	}},
	{"INVALID_PAGE_TOKEN", func() {
		token := list(todo.ListItemsRequest{PageSize: 1}).NextPageToken
		answer, err := service.ListItems(service.call(), &todo.ListItemsRequest{PageSize: 1, PageToken: token, Text: "milk"})
		refused("INVALID_PAGE_TOKEN", answer, err)
	}},
	{"ITEM_NOT_FOUND", func() {
		unknown := newID()
		answer, err := item(unknown)
		expect(refused("ITEM_NOT_FOUND", answer, err).metadata["item_id"] == unknown)
	}},
	{"DUPLICATE_ITEM", func() {
		first, second := newItem("Twice"), newItem("Twice")
		get(add(first))
		answer, err := add(second)
		metadata := refused("DUPLICATE_ITEM", answer, err).metadata
		expect(metadata["item_id"] == second.Id && metadata["existing_id"] == first.Id)
		get(service.AddItem(service.call(), &todo.AddItemRequest{Item: second, AllowDuplicate: true}))
	}},
	{"ITEM_ID_CONFLICT", func() {
		answer, err := add(&todo.Item{Id: full.Id, Title: "Something else"})
		refused("ITEM_ID_CONFLICT", answer, err)
	}},
	{"ITEM_ID_DELETED", func() {
		gone := newItem("Gone for good")
		get(add(gone))
		get(service.DeleteItem(service.call(), &todo.DeleteItemRequest{Id: gone.Id}))
		answer, err := add(gone)
		refused("ITEM_ID_DELETED", answer, err)
	}},
	{"REVISION_MISMATCH", func() {
		now := get(item(full.Id)).Item.Revision
		answer, err := service.UncheckItem(service.call(), &todo.UncheckItemRequest{Id: full.Id, IfRevision: now - 1})
		expect(refused("REVISION_MISMATCH", answer, err).metadata["current_revision"] == fmt.Sprint(now))
	}},
	{"REVISION_COMPACTED", func() {
		for round := 0; round < 40; round++ {
			get(service.UncheckItem(service.call(), &todo.UncheckItemRequest{Id: full.Id}))
			get(service.CheckItem(service.call(), &todo.CheckItemRequest{Id: full.Id}))
		}
		answer, err := service.ListChanges(service.call(), &todo.ListChangesRequest{})
		expect(refused("REVISION_COMPACTED", answer, err).metadata["oldest_revision"] > "0")
	}},
	{"REVISION_IN_FUTURE", func() {
		now := list(todo.ListItemsRequest{PageSize: 1}).Revision
		answer, err := service.ListChanges(service.call(), &todo.ListChangesRequest{AfterRevision: now + 1})
		expect(refused("REVISION_IN_FUTURE", answer, err).metadata["current_revision"] == fmt.Sprint(now))
	}},
	{"ADDRESS_NOT_FOUND", func() {
		lost := newItem("Lost")
		lost.Location = &todo.Location{Address: "nowhere"}
		answer, err := add(lost)
		expect(refused("ADDRESS_NOT_FOUND", answer, err).fields["item.location.address"])
		saved := get(service.AddItem(service.call(), &todo.AddItemRequest{Item: lost, SaveWithoutCoordinate: true})).Item
		expect(saved.Location.Coordinate == nil)
	}},
	{"GEOCODER_UNAVAILABLE", func() {
		other := dial(os.Args[3], "")
		answer, err := other.GeocodeAddress(other.call(), &todo.GeocodeAddressRequest{Address: "7 Some Street"})
		refused("GEOCODER_UNAVAILABLE", answer, err)
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
			if answer, err := batch(items); err != nil {
				expect(refused("LIST_FULL", answer, err).metadata["max_items"] == "1200")
				return
			}
		}
	}},
	{"UNAUTHENTICATED", func() {
		messages := map[string]bool{}
		for _, token := range []string{"", "todo_0123456789abcdef_" + strings.Repeat("0", 64), "nonsense"} {
			stranger := dial(os.Args[1], token)
			answer, err := stranger.GetServerInfo(stranger.call(), &todo.GetServerInfoRequest{})
			messages[refused("UNAUTHENTICATED", answer, err).message] = true
			must(stranger.connection.Close())
		}
		expect(len(messages) == 1)
	}},
	{"READ_ONLY", func() {
		reader := dial(os.Args[1], os.Getenv("TODO_READ_ONLY_TOKEN"))
		expect(len(get(reader.ListItems(reader.call(), &todo.ListItemsRequest{})).Items) > 0)
		answer, err := reader.AddItem(reader.call(), &todo.AddItemRequest{Item: newItem("Not mine to add")})
		refused("READ_ONLY", answer, err)
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
			items = append(items, newItem(fmt.Sprint("At once ", number)))
		}
		answers := get(batch(items)).Items
		var group sync.WaitGroup
		failures := make(chan error, 1000)
		for number := 0; number < 1000; number++ {
			group.Add(1)
			go func(expected *todo.Item) {
				defer group.Done()
				answer, err := item(expected.Id)
				if err != nil || !reflect.DeepEqual(answer.Item, expected) {
					failures <- fmt.Errorf("%v instead of %v: %w", answer, expected, err)
				}
			}(answers[number%100])
		}
		group.Wait()
		expect(len(failures) == 0)
	}},
	{"unix", func() {
		local := dial(os.Args[2], os.Getenv("TODO_TOKEN"))
		answer := get(local.ListItems(local.call(), &todo.ListItemsRequest{PageSize: 1}))
		expect(answer.Revision == list(todo.ListItemsRequest{PageSize: 1}).Revision)
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
