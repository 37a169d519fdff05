// A gRPC server with items in memory: grpc-go tcp:PORT
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"

	"github.com/golang/protobuf/ptypes/timestamp"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	todo "todo.example/protos/todo/v1"
)

// items has the method that is measured; the others fail.
type items struct {
	todo.UnimplementedToDoServiceServer
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

// fill adds the items that the load requests.
func (i *items) fill() {
	for number := 0; number < 10_000; number++ {
		id := fmt.Sprintf("00000000-0000-7000-8000-%012x", number)
		i.byID[id] = &todo.Item{
			Id:          id,
			Title:       fmt.Sprintf("Buy oat milk and bread %012x", number),
			Description: "Two litres, one sourdough loaf",
			Due:         &todo.Item_DueTime{DueTime: &timestamp.Timestamp{Seconds: 1_800_000_000}},
			Location: &todo.Location{
				Name:       "Corner shop",
				Coordinate: &latlng.LatLng{Latitude: 59.3293, Longitude: 18.0686},
			},
			CreateTime: &timestamp.Timestamp{Seconds: 1_790_000_000},
			UpdateTime: &timestamp.Timestamp{Seconds: 1_790_000_000},
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
	listener, err := net.Listen("tcp", "127.0.0.1:"+strings.TrimPrefix(os.Args[1], "tcp:"))
	must(err)
	service := &items{byID: map[string]*todo.Item{}}
	service.fill()
	server := grpc.NewServer()
	todo.RegisterToDoServiceServer(server, service)
	fmt.Println("ready")
	must(server.Serve(listener))
}
