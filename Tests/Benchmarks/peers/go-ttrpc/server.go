// A ttrpc server with items in memory: go-ttrpc tcp:PORT|unix:PATH
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/types"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	todo "todo.example/protos/todo/v1"
)

// items has the methods that are measured; the others fail.
type items struct {
	todo.ToDoServiceService
	lock sync.RWMutex
	byID map[string]*todo.Item
}

func (i *items) GetItem(_ context.Context, request *todo.GetItemRequest) (*todo.GetItemResponse, error) {
	i.lock.RLock()
	item := i.byID[request.Id]
	i.lock.RUnlock()
	if item == nil {
		return nil, status.Error(codes.NotFound, "no such item")
	}
	return &todo.GetItemResponse{Item: item}, nil
}

func (i *items) AddItem(_ context.Context, request *todo.AddItemRequest) (*todo.AddItemResponse, error) {
	i.lock.Lock()
	i.byID[request.Item.Id] = request.Item
	i.lock.Unlock()
	return &todo.AddItemResponse{Item: request.Item}, nil
}

// fill adds the items that the load requests.
func (i *items) fill() {
	for number := 0; number < 10_000; number++ {
		id := fmt.Sprintf("00000000-0000-7000-8000-%012x", number)
		i.byID[id] = &todo.Item{
			Id:          id,
			Title:       fmt.Sprintf("Buy oat milk and bread %012x", number),
			Description: "Two litres, one sourdough loaf",
			Due:         &todo.Item_DueTime{DueTime: &types.Timestamp{Seconds: 1_800_000_000}},
			Location: &todo.Location{
				Name:       "Corner shop",
				Coordinate: &latlng.LatLng{Latitude: 59.3293, Longitude: 18.0686},
			},
			CreateTime: &types.Timestamp{Seconds: 1_790_000_000},
			UpdateTime: &types.Timestamp{Seconds: 1_790_000_000},
			Revision:   int64(number) + 1,
			Number:     int64(number) + 1,
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	network, address, _ := strings.Cut(os.Args[1], ":")
	if network == "tcp" {
		address = "127.0.0.1:" + address
	}
	listener, err := net.Listen(network, address)
	must(err)
	server, err := ttrpc.NewServer()
	must(err)
	service := &items{byID: map[string]*todo.Item{}}
	service.fill()
	todo.RegisterToDoServiceService(server, service)
	fmt.Println("ready")
	must(server.Serve(context.Background(), listener))
}
