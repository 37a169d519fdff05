// Checks that a client of version 0.1 leaves the fields of later versions as they are: earlier ENDPOINT
//
// It knows neither tags nor priorities. The library keeps such fields of a message in XXX_unrecognized, in the order of the server.
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
	"github.com/gogo/protobuf/types"

	todo "todo.example/protos/todo/v1"
)

// The tags "errands" and "work/urgent" (field 15), and the priority high (field 16).
var later = []byte("\x7a\x07errands\x7a\x0bwork/urgent\x80\x01\x03")

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
	var random [16]byte
	get(rand.Read(random[:]))
	id := fmt.Sprintf("%x-%x-4000-8000-%x", random[:4], random[4:6], random[10:])

	expectLater := func(item *todo.Item, title, what string) *todo.Item {
		expect(item.Title == title, what, ": ", item)
		expect(bytes.Equal(item.XXX_unrecognized, later), what, ": other fields remain: ", item.XXX_unrecognized)
		return item
	}
	stored := func() *todo.Item { return get(service.GetItem(ctx, &todo.GetItemRequest{Id: id})).Item }
	revert := func(revision int64) {
		reverted := get(service.RevertRevision(ctx, &todo.RevertRevisionRequest{Revision: revision}))
		expect(reverted.RevertedCount == 1 && reverted.RefusedCount == 0, reverted)
	}

	item := &todo.Item{Id: id, Title: "Tagged", XXX_unrecognized: later}
	get(service.AddItem(ctx, &todo.AddItemRequest{Item: item}))
	item = expectLater(stored(), "Tagged", "an addition")
	item.Title = "Renamed"
	// The whole item, with what the client does not know.
	edit := &todo.UpdateItemRequest{Item: item, UpdateMask: &types.FieldMask{Paths: []string{"title", "description"}}}
	edited := expectLater(get(service.UpdateItem(ctx, edit)).Item, "Renamed", "an edit")
	changes := get(service.ListChanges(ctx, &todo.ListChangesRequest{AfterRevision: edited.Revision - 1})).Changes
	expect(len(changes) == 1, changes)
	expectLater(changes[0].GetPut().Item, "Renamed", "a change")
	revert(edited.Revision)
	expectLater(stored(), "Tagged", "a reversal")
	checked := expectLater(get(service.CheckItem(ctx, &todo.CheckItemRequest{Id: id})).Item, "Tagged", "a check")
	revert(checked.Revision)
	expectLater(stored(), "Tagged", "the reversal of a check")
	get(service.DeleteItem(ctx, &todo.DeleteItemRequest{Id: id}))
	expectLater(get(service.UndeleteItem(ctx, &todo.UndeleteItemRequest{Id: id})).Item, "Tagged", "a restoration")
	get(service.DeleteItem(ctx, &todo.DeleteItemRequest{Id: id}))
	fmt.Println("a client of version 0.1 leaves the fields of later versions as they are")
}
