// Runs the checks of grpc.md: checks ENDPOINT TLS-ENDPOINT ENDPOINT-WITHOUT-GEOCODER
package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/golang/protobuf/ptypes/timestamp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/genproto/protobuf/field_mask"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"

	todo "todo.example/protos/todo/v1"
)

const limit = 10 * time.Second

var (
	connection = dial(os.Args[1], grpc.WithInsecure())
	service    = todo.NewToDoServiceClient(connection)
)

// dial connects to tcp://HOST:PORT or tls://HOST:PORT with the security of the option.
func dial(endpoint string, security grpc.DialOption) *grpc.ClientConn {
	_, address, _ := strings.Cut(endpoint, "://")
	return get(grpc.Dial(address, security))
}

// withToken returns the context of a call with a token. If the token is empty, the call has none.
func withToken(token string, time time.Duration) context.Context {
	ctx, _ := context.WithTimeout(context.Background(), time) //nolint:govet // the program ends soon
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

func call() context.Context { return withToken(os.Getenv("TODO_TOKEN"), limit) }

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
	reason   string
	metadata map[string]string
	fields   map[string]bool
}

// expectError expects a call to fail with this code.
func expectError[Response any](code codes.Code, _ Response, err error) callError {
	expect(status.Code(err) == code, "expected ", code, ", got ", err)
	callError := callError{fields: map[string]bool{}}
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			callError.reason, callError.metadata = detail.Reason, detail.Metadata
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				callError.fields[violation.Field] = true
			}
		}
	}
	return callError
}

func newID() string {
	var random [16]byte
	get(rand.Read(random[:]))
	random[6], random[8] = random[6]&0x0f|0x40, random[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:])
}

func newItem(title string) *todo.Item { return &todo.Item{Id: newID(), Title: title} }

func newItems(count int, description string) []*todo.Item {
	var items []*todo.Item
	for number := 0; number < count; number++ {
		item := newItem(fmt.Sprint("Number ", number))
		item.Description = description
		items = append(items, item)
	}
	return items
}

func deleteAll() {
	request := &todo.DeleteItemsRequest{Selection: todo.DeleteSelection_DELETE_SELECTION_ALL}
	get(service.DeleteItems(call(), request))
}

// reflect sends one request to server reflection and returns the response.
func reflect(request *reflection.ServerReflectionRequest) *reflection.ServerReflectionResponse {
	stream := get(reflection.NewServerReflectionClient(connection).ServerReflectionInfo(call()))
	must(stream.Send(request))
	response := get(stream.Recv())
	must(stream.CloseSend())
	_, err := stream.Recv()
	expect(err == io.EOF, err)
	return response
}

var checks = []struct {
	name string
	run  func()
}{
	{"operations", func() {
		deleteAll()
		item := newItem("Buy milk 🥛")
		item.Due = &todo.Item_DueTime{DueTime: &timestamp.Timestamp{Seconds: 1_900_000_000}}
		added := get(service.AddItem(call(), &todo.AddItemRequest{Item: item})).Item
		numbered := get(service.ListItems(call(), &todo.ListItemsRequest{Numbers: []int64{added.Number}})).Items
		expect(added.Number > 0 && len(numbered) == 1 && numbered[0].Id == added.Id)
		expect(added.Title == item.Title && added.GetDueTime().Seconds == 1_900_000_000 && added.Revision > 0)
		expect(get(service.GetItem(call(), &todo.GetItemRequest{Id: item.Id})).Item.Title == item.Title)
		edited := get(service.UpdateItem(call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: item.Id, Title: "Buy oat milk"},
			UpdateMask: &field_mask.FieldMask{Paths: []string{"title"}}})).Item
		expect(edited.Title == "Buy oat milk" && edited.GetDueTime() != nil)
		expect(get(service.CheckItem(call(), &todo.CheckItemRequest{Id: item.Id})).Item.Done)
		expect(!get(service.UncheckItem(call(), &todo.UncheckItemRequest{Id: item.Id})).Item.Done)
		changes := get(service.ListChanges(call(), &todo.ListChangesRequest{AfterRevision: edited.Revision}))
		expect(len(changes.Changes) == 2 && !changes.HasMore)
		get(service.DeleteItem(call(), &todo.DeleteItemRequest{Id: item.Id}))
		get(service.BatchAddItems(call(), &todo.BatchAddItemsRequest{Items: newItems(500, "")}))
		expect(len(get(service.ListItems(call(), &todo.ListItemsRequest{PageSize: 1000})).Items) == 500)
		deleteAll()
		expect(len(get(service.ListItems(call(), &todo.ListItemsRequest{})).Items) == 0)
	}},
	{"soft delete", func() {
		mistake := get(service.AddItem(call(), &todo.AddItemRequest{Item: newItem("Deleted by mistake")})).Item
		revision := get(service.DeleteItem(call(), &todo.DeleteItemRequest{Id: mistake.Id})).Revision
		deleted := get(service.ListItems(call(), &todo.ListItemsRequest{State: todo.StateFilter_STATE_FILTER_DELETED})).Items[0]
		expect(deleted.Id == mistake.Id && deleted.Number == mistake.Number && deleted.Revision == revision)
		expect(deleted.DeleteTime != nil && deleted.DeleteTime.Seconds < deleted.ExpireTime.GetSeconds())
		missing, err := service.GetItem(call(), &todo.GetItemRequest{Id: mistake.Id})
		expect(expectError(codes.NotFound, missing, err).reason == "ITEM_NOT_FOUND")
		restored := get(service.UndeleteItem(call(), &todo.UndeleteItemRequest{Id: mistake.Id})).Item
		expect(restored.Id == mistake.Id && restored.Number == mistake.Number && restored.Title == mistake.Title)
		expect(restored.DeleteTime == nil && restored.ExpireTime == nil && restored.Revision == revision+1)
		again, err := service.UndeleteItem(call(), &todo.UndeleteItemRequest{Id: mistake.Id})
		expect(expectError(codes.AlreadyExists, again, err).reason == "ITEM_NOT_DELETED")
	}},
	{"tags", func() {
		item := newItem("Tagged")
		item.Tags, item.Priority = []string{"Shop", "shop", "work/urgent"}, todo.Priority_PRIORITY_HIGH
		tagged := get(service.AddItem(call(), &todo.AddItemRequest{Item: item})).Item
		expect(fmt.Sprint(tagged.Tags) == "[Shop work/urgent]" && tagged.Priority == todo.Priority_PRIORITY_HIGH, tagged)
		filtered := func(filter *todo.ItemFilter) []*todo.Item {
			return get(service.ListItems(call(), &todo.ListItemsRequest{Filter: filter, PageSize: 1000})).Items
		}
		work := filtered(&todo.ItemFilter{Tags: &todo.TagFilter{All: []string{"WORK"}}})
		expect(len(work) == 1 && work[0].Id == tagged.Id, work)
		for _, other := range filtered(&todo.ItemFilter{Tags: &todo.TagFilter{None: []string{"shop"}}}) {
			expect(other.Id != tagged.Id)
		}
		high := filtered(&todo.ItemFilter{Priorities: []todo.Priority{todo.Priority_PRIORITY_HIGH}})
		expect(len(high) == 1 && high[0].Id == tagged.Id, high)
		bare := get(service.UpdateItem(call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: tagged.Id},
			UpdateMask: &field_mask.FieldMask{Paths: []string{"tags", "priority"}},
		})).Item
		expect(len(bare.Tags) == 0 && bare.Priority == todo.Priority_PRIORITY_UNSPECIFIED, bare)
		get(service.DeleteItem(call(), &todo.DeleteItemRequest{Id: tagged.Id}))
		wrong := newItem("Wrong")
		wrong.Tags = []string{"a b"}
		response, err := service.AddItem(call(), &todo.AddItemRequest{Item: wrong})
		callError := expectError(codes.InvalidArgument, response, err)
		expect(callError.reason == "INVALID_ITEM" && len(callError.fields) == 1 && callError.fields["item.tags[0]"], callError)
	}},
	{"steps, waiting, repetition", func() {
		item := newItem("Bins")
		item.Steps = []*todo.Step{{Text: "Sort", Done: true}, {Text: "Go"}}
		item.WaitTime = &timestamp.Timestamp{Seconds: 1900000000}
		interval := &todo.RepeatInterval{Count: 3, Unit: todo.Frequency_FREQUENCY_DAILY}
		item.Repetition = &todo.Repetition{Rule: &todo.Repetition_AfterDone{AfterDone: interval}, TimeZone: "Europe/Berlin"}
		bins := get(service.AddItem(call(), &todo.AddItemRequest{Item: item})).Item
		expect(len(bins.Steps) == 2 && bins.Steps[0].Text == "Sort" && bins.Steps[0].Done && !bins.Steps[1].Done, bins)
		expect(bins.WaitTime.GetSeconds() == 1900000000 && bins.Repetition.GetAfterDone().GetCount() == 3, bins)
		wait := &todo.WaitFilter{Time: &timestamp.Timestamp{Seconds: 1899999999}, Waiting: true}
		waiting := get(service.ListItems(call(), &todo.ListItemsRequest{Filter: &todo.ItemFilter{Wait: wait}})).Items
		expect(len(waiting) == 1 && waiting[0].Id == bins.Id, waiting)
		bare := get(service.UpdateItem(call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: bins.Id},
			UpdateMask: &field_mask.FieldMask{Paths: []string{"steps", "wait_time", "repetition"}},
		})).Item
		expect(bare.Steps == nil && bare.WaitTime == nil && bare.Repetition == nil, bare)
		get(service.DeleteItem(call(), &todo.DeleteItemRequest{Id: bins.Id}))
		wrong := newItem("Wrong")
		wrong.Repetition = &todo.Repetition{Rule: &todo.Repetition_RecurrenceRule{RecurrenceRule: "FREQ=NEVER"}}
		response, err := service.AddItem(call(), &todo.AddItemRequest{Item: wrong})
		fields := expectError(codes.InvalidArgument, response, err).fields
		expect(len(fields) == 1 && fields["item.repetition.recurrence_rule"], fields)
	}},
	{"revert", func() {
		before := get(service.AddItem(call(), &todo.AddItemRequest{Item: newItem("As it was")})).Item
		edited := get(service.UpdateItem(call(), &todo.UpdateItemRequest{
			Item:       &todo.Item{Id: before.Id, Title: "As it is"},
			UpdateMask: &field_mask.FieldMask{Paths: []string{"title"}},
		})).Item
		latest := get(service.ListRevisions(call(), &todo.ListRevisionsRequest{})).Revisions[0]
		expect(latest.Revision == edited.Revision && latest.Own && latest.ChangeCount == 1 && len(latest.Changes) == 1)
		recorded := latest.Changes[0]
		expect(recorded.ItemId == before.Id && recorded.Number == before.Number && recorded.Title == edited.Title)
		expect(!recorded.Deleted && recorded.Cause == todo.PutCause_PUT_CAUSE_EDITED)
		request := &todo.RevertRevisionRequest{Revision: edited.Revision}
		reverted := get(service.RevertRevision(call(), request))
		expect(reverted.RevertedCount == 1 && reverted.RefusedCount == 0 && reverted.Revision == edited.Revision+1)
		expect(get(service.GetItem(call(), &todo.GetItemRequest{Id: before.Id})).Item.Title == before.Title)
		again := get(service.RevertRevision(call(), request))
		expect(again.RevertedCount == 0 && again.RefusedCount == 1 && again.Revision == reverted.Revision)
		expect(len(again.Refusals) == 1 && again.Refusals[0].ItemId == before.Id)
		expect(again.Refusals[0].Reason == todo.RevertRefusalReason_REVERT_REFUSAL_REASON_CHANGED_SINCE)
	}},
	{"places", func() {
		found := get(service.GeocodeAddress(call(), &todo.GeocodeAddressRequest{Address: "7 Some Street", Limit: 1}))
		expect(len(found.Candidates) == 1 && found.Attribution == "Invented places")
		item := newItem("Visit")
		item.Location = &todo.Location{Coordinate: &latlng.LatLng{Latitude: -33.5, Longitude: 151.25}}
		get(service.AddItem(call(), &todo.AddItemRequest{Item: item}))
		near := get(service.ListNearbyItems(call(), &todo.ListNearbyItemsRequest{
			Center: &latlng.LatLng{Latitude: -33.51, Longitude: 151.25}, RadiusMeters: 2000}))
		expect(len(near.Items) == 1 && near.Items[0].DistanceMeters > 1000 && near.Items[0].DistanceMeters < 1200)
	}},
	{"info", func() {
		info := get(service.GetServerInfo(call(), &todo.GetServerInfoRequest{}))
		expect(info.ServerVersion != "" && info.Limits.MaxFrameBytes == 4<<20)
	}},
	{"details", func() {
		item := newItem("")
		item.Location = &todo.Location{Coordinate: &latlng.LatLng{Latitude: 91}}
		response, err := service.AddItem(call(), &todo.AddItemRequest{Item: item})
		callError := expectError(codes.InvalidArgument, response, err)
		expect(callError.reason == "INVALID_ITEM" && len(callError.fields) == 2, callError)
		expect(callError.fields["item.title"] && callError.fields["item.location.coordinate.latitude"], callError)
	}},
	{"large error", func() {
		items := newItems(500, "")
		for _, item := range items {
			item.Title = ""
			item.Location = &todo.Location{Coordinate: &latlng.LatLng{Latitude: 91}}
		}
		response, err := service.BatchAddItems(call(), &todo.BatchAddItemsRequest{Items: items})
		callError := expectError(codes.InvalidArgument, response, err)
		// The character that ends a shortened message is percent-encoded in grpc-message.
		expect(strings.HasSuffix(status.Convert(err).Message(), "…"), err)
		expect(fmt.Sprint(1000-len(callError.fields)) == callError.metadata["omitted_violations"], callError.metadata)
	}},
	{"unauthenticated", func() {
		for _, token := range []string{"", "nonsense"} {
			response, err := service.GetServerInfo(withToken(token, limit), &todo.GetServerInfoRequest{})
			expect(expectError(codes.Unauthenticated, response, err).reason == "UNAUTHENTICATED")
		}
	}},
	{"read only", func() {
		reader := os.Getenv("TODO_READ_ONLY_TOKEN")
		get(service.ListItems(withToken(reader, limit), &todo.ListItemsRequest{}))
		response, err := service.AddItem(withToken(reader, limit), &todo.AddItemRequest{Item: newItem("Not mine to add")})
		expect(expectError(codes.PermissionDenied, response, err).reason == "READ_ONLY")
	}},
	{"deadline", func() {
		short := withToken(os.Getenv("TODO_TOKEN"), 10*time.Millisecond)
		response, err := service.GeocodeAddress(short, &todo.GeocodeAddressRequest{Address: "9 Some Street"})
		expectError(codes.DeadlineExceeded, response, err)
	}},
	{"too large", func() {
		item := newItem(strings.Repeat("x", 5<<20))
		response, err := service.AddItem(call(), &todo.AddItemRequest{Item: item})
		callError := expectError(codes.ResourceExhausted, response, err)
		expect(callError.reason == "MESSAGE_TOO_LARGE" && callError.metadata["max_bytes"] == fmt.Sprint(4<<20), callError)
		get(service.GetServerInfo(call(), &todo.GetServerInfoRequest{}))
	}},
	{"large", func() {
		deleteAll()
		items := newItems(48, strings.Repeat("d", 65_000))
		expect(len(get(service.BatchAddItems(call(), &todo.BatchAddItemsRequest{Items: items})).Items) == 48)
		deleteAll()
	}},
	{"unimplemented", func() {
		for _, method := range []string{"/todo.v1.ToDoService/Fly", "/todo.v2.ToDoService/GetItem"} {
			err := connection.Invoke(call(), method, &todo.GetItemRequest{}, &todo.GetItemResponse{})
			expectError(codes.Unimplemented, 0, err)
		}
	}},
	{"concurrent", func() {
		items := get(service.BatchAddItems(call(), &todo.BatchAddItemsRequest{Items: newItems(100, "")})).Items
		var group sync.WaitGroup
		for number := 0; number < 1000; number++ {
			expected := items[number%100]
			group.Add(1)
			go func() {
				defer group.Done()
				expect(get(service.GetItem(call(), &todo.GetItemRequest{Id: expected.Id})).Item.Title == expected.Title)
			}()
		}
		group.Wait()
	}},
	{"watch", func() {
		watch := get(service.WatchItems(call(), &todo.WatchItemsRequest{
			Start: &todo.WatchItemsRequest_WithSnapshot{WithSnapshot: &todo.StartWithSnapshot{}}}))
		count, event := 0, get(watch.Recv())
		for ; event.GetSnapshotPage() != nil; event = get(watch.Recv()) {
			count += len(event.GetSnapshotPage().Items)
		}
		expect(count == 100 && event.GetSnapshotEnd().Revision > 0, count)
		added := get(service.AddItem(call(), &todo.AddItemRequest{Item: newItem("Seen")})).Item
		expect(get(watch.Recv()).GetChanges().Changes[0].GetPut().Item.Id == added.Id)
		get(service.DeleteItem(call(), &todo.DeleteItemRequest{Id: added.Id}))
		expect(get(watch.Recv()).GetChanges().Changes[0].GetDeleted().Id == added.Id)
	}},
	{"cancel", func() {
		for number := 0; number < 200; number++ {
			ctx, cancel := context.WithCancel(call())
			start := &todo.WatchItemsRequest_Now{Now: &todo.StartNow{}}
			watch := get(service.WatchItems(ctx, &todo.WatchItemsRequest{Start: start}))
			expect(get(watch.Recv()).GetProgress() != nil)
			cancel()
			response, err := watch.Recv()
			expectError(codes.Canceled, response, err)
		}
	}},
	{"health", func() {
		client := health.NewHealthClient(connection)
		for _, name := range []string{"", "todo.v1.ToDoService"} {
			request := &health.HealthCheckRequest{Service: name}
			expect(get(client.Check(call(), request)).Status == health.HealthCheckResponse_SERVING)
			watch := get(client.Watch(call(), request))
			expect(get(watch.Recv()).Status == health.HealthCheckResponse_SERVING)
		}
		response, err := client.Check(call(), &health.HealthCheckRequest{Service: "no.such.Service"})
		expectError(codes.NotFound, response, err)
	}},
	{"reflection", func() {
		services := reflect(&reflection.ServerReflectionRequest{
			MessageRequest: &reflection.ServerReflectionRequest_ListServices{}}).GetListServicesResponse().Service
		expect(len(services) == 8 && services[3].Name == "todo.v1.ListService" &&
			services[4].Name == "todo.v1.NotificationService" && services[5].Name == "todo.v1.PositionService" &&
			services[6].Name == "todo.v1.ReminderService" && services[7].Name == "todo.v1.ToDoService", services)
		symbol := func(name string) *reflection.ServerReflectionResponse {
			return reflect(&reflection.ServerReflectionRequest{
				MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: name}})
		}
		expect(len(symbol("todo.v1.ToDoService.GetItem").GetFileDescriptorResponse().FileDescriptorProto) == 13)
		expect(symbol("todo.v1.Nothing").GetErrorResponse().ErrorCode == int32(codes.NotFound))
	}},
	{"tls", func() {
		trusting := get(credentials.NewClientTLSFromFile(os.Getenv("TODO_GRPC_CA"), ""))
		secure := todo.NewToDoServiceClient(dial(os.Args[2], grpc.WithTransportCredentials(trusting)))
		get(secure.GetServerInfo(call(), &todo.GetServerInfoRequest{}))
		untrusting := credentials.NewTLS(nil)
		untrustingClient := todo.NewToDoServiceClient(dial(os.Args[2], grpc.WithTransportCredentials(untrusting)))
		response, err := untrustingClient.GetServerInfo(call(), &todo.GetServerInfoRequest{})
		expectError(codes.Unavailable, response, err)
	}},
	{"client certificate", func() {
		authorities := x509.NewCertPool()
		expect(authorities.AppendCertsFromPEM(get(os.ReadFile(os.Getenv("TODO_GRPC_CA")))))
		identity := get(tls.LoadX509KeyPair(os.Getenv("TODO_GRPC_CLIENT_CERTIFICATE"), os.Getenv("TODO_GRPC_CLIENT_KEY")))
		config := &tls.Config{RootCAs: authorities, Certificates: []tls.Certificate{identity}}
		secure := dial(os.Args[2], grpc.WithTransportCredentials(credentials.NewTLS(config)))
		get(todo.NewToDoServiceClient(secure).GetServerInfo(withToken("", limit), &todo.GetServerInfoRequest{}))
	}},
	{"reconnection", func() {
		// The server closes a connection after three invalid tokens.
		separate := dial(os.Args[1], grpc.WithInsecure())
		client := todo.NewToDoServiceClient(separate)
		for number := 0; number < 3; number++ {
			_, err := client.GetServerInfo(withToken("nonsense", limit), &todo.GetServerInfoRequest{}, grpc.WaitForReady(true))
			code := status.Code(err)
			// The connection may be closed before the last response has arrived.
			expect(code == codes.Unauthenticated || number == 2 && code == codes.Unavailable, err)
		}
		expect(separate.WaitForStateChange(call(), connectivity.Ready), "the connection was not closed")
		get(client.GetServerInfo(call(), &todo.GetServerInfoRequest{}, grpc.WaitForReady(true)))
	}},
}

func main() {
	// Bounds the time of all checks, because a call might never return.
	time.AfterFunc(90*time.Second, func() { panic("the checks did not finish within 90 seconds") })
	for _, check := range checks {
		check.run()
		fmt.Println("ok", check.name)
	}
}
