// Checks that a client of version 0.1 leaves the fields of later versions as they are: earlier ENDPOINT
//
// It knows neither tags, priorities, steps, waiting, repetition nor reminders. The library keeps such fields of a message in
// XXX_unrecognized, in the order of the server.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"github.com/gogo/protobuf/types"
	"google.golang.org/genproto/googleapis/type/date"

	todo "todo.example/protos/todo/v1"
)

// field returns the encoding of a field that is a number, or a text or message.
func field(number int, value any) []byte {
	buffer := proto.NewBuffer(nil)
	switch value := value.(type) {
	case int:
		buffer.EncodeVarint(uint64(number<<3 | proto.WireVarint))
		buffer.EncodeVarint(uint64(value))
	case string:
		return field(number, []byte(value))
	case []byte:
		buffer.EncodeVarint(uint64(number<<3 | proto.WireBytes))
		buffer.EncodeRawBytes(value)
	}
	return buffer.Bytes()
}

func join(fields ...[]byte) []byte { return bytes.Join(fields, nil) }

// The fields of later versions, as the server encodes them.
var (
	marks = join(
		field(15, "errands"), field(15, "work/urgent"), field(16, 3), // tags, the priority high
		field(17, join(field(1, "Pack"), field(2, 1))), field(17, field(1, "Go")), // steps
		field(18, field(1, 1900000000))) // the time until which the item waits
	weekly = field(19, join(
		field(1, "FREQ=WEEKLY"), field(3, "Etc/UTC"), field(5, join(field(1, 2026), field(2, 5), field(3, 1))), field(6, 2)))
	// On the day before at 9:00, acknowledged.
	reminder = field(20, join(
		field(3, join(field(1, 1), field(2, 540), field(3, "Etc/UTC"))), field(5, field(1, 1))))
)

// get returns the response of a call, which must succeed.
func get[Response any](response Response, err error) Response {
	if err != nil {
		panic(err)
	}
	return response
}

func expect(condition bool, what ...any) {
	if !condition {
		panic(fmt.Sprint("expectation failed: ", fmt.Sprint(what...)))
	}
}

func main() {
	network, address, _ := strings.Cut(os.Args[1], "://")
	service := todo.NewToDoServiceClient(ttrpc.NewClient(get(net.Dial(network, address))))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ctx = ttrpc.WithMetadata(ctx, ttrpc.MD{"authorization": {"Bearer " + os.Getenv("TODO_TOKEN")}})
	checkItem(ctx, service, join(marks, weekly, reminder), false)
	// A check would move an item that repeats on.
	checkItem(ctx, service, join(marks, reminder), true)
	fmt.Println("a client of version 0.1 leaves the fields of later versions as they are")
}

// checkItem adds an item with later fields, and expects that they survive whatever the client does with it.
func checkItem(ctx context.Context, service todo.ToDoServiceService, later []byte, isChecked bool) {
	var random [16]byte
	get(rand.Read(random[:]))
	id := fmt.Sprintf("%x-%x-4000-8000-%x", random[:4], random[4:6], random[10:])

	expectLater := func(item *todo.Item, title, what string) *todo.Item {
		expect(item.Title == title, what, ": ", item)
		expect(bytes.Equal(item.XXX_unrecognized, later), fmt.Sprintf("%s: other fields remain: %q", what, item.XXX_unrecognized))
		return item
	}
	stored := func() *todo.Item { return get(service.GetItem(ctx, &todo.GetItemRequest{Id: id})).Item }
	revert := func(revision int64) {
		reverted := get(service.RevertRevision(ctx, &todo.RevertRevisionRequest{Revision: revision}))
		expect(reverted.RevertedCount == 1 && reverted.RefusedCount == 0, reverted)
	}

	due := &todo.Item_DueDate{DueDate: &date.Date{Year: 2026, Month: 5, Day: 1}}
	item := &todo.Item{Id: id, Title: "Tagged", Due: due, XXX_unrecognized: later}
	get(service.AddItem(ctx, &todo.AddItemRequest{Item: item}))
	item = expectLater(stored(), "Tagged", "an addition")
	listed := get(service.ListItems(ctx, &todo.ListItemsRequest{})).Items
	for _, each := range listed {
		if each.Id == id {
			expectLater(each, "Tagged", "a listing")
		}
	}
	item.Title = "Renamed"
	// The whole item, with what the client does not know.
	edit := &todo.UpdateItemRequest{Item: item, UpdateMask: &types.FieldMask{Paths: []string{"title", "description"}}}
	edited := expectLater(get(service.UpdateItem(ctx, edit)).Item, "Renamed", "an edit")
	changes := get(service.ListChanges(ctx, &todo.ListChangesRequest{AfterRevision: edited.Revision - 1})).Changes
	expect(len(changes) == 1, changes)
	expectLater(changes[0].GetPut().Item, "Renamed", "a change")
	revert(edited.Revision)
	expectLater(stored(), "Tagged", "a reversal")
	if isChecked {
		checked := expectLater(get(service.CheckItem(ctx, &todo.CheckItemRequest{Id: id})).Item, "Tagged", "a check")
		revert(checked.Revision)
		expectLater(stored(), "Tagged", "the reversal of a check")
	}
	get(service.DeleteItem(ctx, &todo.DeleteItemRequest{Id: id}))
	expectLater(get(service.UndeleteItem(ctx, &todo.UndeleteItemRequest{Id: id})).Item, "Tagged", "a restoration")
	get(service.DeleteItem(ctx, &todo.DeleteItemRequest{Id: id}))
}
