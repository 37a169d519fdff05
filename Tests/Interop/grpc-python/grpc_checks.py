"""Runs the checks of ../grpc.md: grpc_checks.py ENDPOINT TLS-ENDPOINT"""

import os
import sys
import threading
import uuid

import grpc
from google.protobuf import descriptor_pool, message_factory
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from todo.v1 import changes_pb2, geocoding_pb2, item_writes_pb2, items_pb2, server_info_pb2
from todo.v1 import to_do_service_pb2_grpc

from grpc_channel import Channel, RPCError, connect

AUTHORIZATION = [("authorization", f"Bearer {os.environ['TODO_TOKEN']}")]
SERVICE = "todo.v1.ToDoService"
SERVICES = [
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
    "todo.v1.ListService",
    "todo.v1.NotificationService",
    "todo.v1.PositionService",
    "todo.v1.ReminderService",
    SERVICE,
]
channel = connect(sys.argv[1])
stub = to_do_service_pb2_grpc.ToDoServiceStub(channel)
checks = []


def check(function):
    checks.append(function)
    return function


def expect(condition, what=""):
    if not condition:
        raise AssertionError(f"expectation failed: {what}")


def expect_error(code, call, *arguments, **keywords):
    """Makes a call, which must fail with this code, and returns the error."""
    try:
        call(*arguments, **keywords)
    except grpc.RpcError as error:
        expect(error.code() == code, f"expected {code}, got {error}")
        return RPCError(error)
    raise AssertionError(f"expected {code}, but the call succeeded")


@check
def details():
    wrong = items_pb2.Item(id=str(uuid.uuid4()), location={"coordinate": {"latitude": 91}})
    request = item_writes_pb2.AddItemRequest(item=wrong)
    error = expect_error(grpc.StatusCode.INVALID_ARGUMENT, stub.AddItem, request, metadata=AUTHORIZATION)
    expect(error.status.code == 3 and error.status.message == error.message)
    expect(error.reason == "INVALID_ITEM")
    expect(set(error.violations) == {"item.title", "item.location.coordinate.latitude"}, error.violations)


@check
def large_error():
    wrong = [items_pb2.Item(id=str(uuid.uuid4()), location={"coordinate": {"latitude": 91}}) for _ in range(500)]
    request = item_writes_pb2.BatchAddItemsRequest(items=wrong)
    error = expect_error(grpc.StatusCode.INVALID_ARGUMENT, stub.BatchAddItems, request, metadata=AUTHORIZATION)
    # The character that ends a shortened message is percent-encoded in grpc-message.
    expect(error.message.endswith("…") and error.status.message == error.message, error.message)
    expect(len(error.violations) + int(error.metadata["omitted_violations"]) == 1000, error.metadata)


@check
def deadline():
    request = geocoding_pb2.GeocodeAddressRequest(address="9 Some Street")
    expect_error(grpc.StatusCode.DEADLINE_EXCEEDED, stub.GeocodeAddress, request, timeout=0.01, metadata=AUTHORIZATION)


@check
def deadline_in_the_server():
    # Only the server receives a deadline; the library does not enforce one.
    request = geocoding_pb2.GeocodeAddressRequest(address="10 Some Street")
    metadata = AUTHORIZATION + [("grpc-timeout", "10m")]
    error = expect_error(grpc.StatusCode.DEADLINE_EXCEEDED, stub.GeocodeAddress, request, metadata=metadata)
    expect(error.status and error.reason == "DEADLINE_EXCEEDED", "the server's own response")


@check
def too_large():
    call = channel.unary_unary(f"/{SERVICE}/BatchAddItems")
    error = expect_error(grpc.StatusCode.RESOURCE_EXHAUSTED, call, bytes(5 << 20), metadata=AUTHORIZATION)
    expect(error.reason == "MESSAGE_TOO_LARGE" and error.metadata == {"max_bytes": str(4 << 20)})
    stub.GetServerInfo(server_info_pb2.GetServerInfoRequest(), metadata=AUTHORIZATION)


@check
def unimplemented():
    for method in (f"/{SERVICE}/Fly", "/todo.v2.ToDoService/GetItem", "/todo.v1.ConnectionService/CancelCall"):
        expect_error(grpc.StatusCode.UNIMPLEMENTED, channel.unary_unary(method), b"", metadata=AUTHORIZATION)


@check
def cancel():
    request = changes_pb2.WatchItemsRequest(now={})
    for _ in range(200):
        watch = stub.WatchItems(request, metadata=AUTHORIZATION)
        expect(next(watch).HasField("progress"))
        watch.cancel()
        expect_error(grpc.StatusCode.CANCELLED, next, watch)


@check
def health():
    health = health_pb2_grpc.HealthStub(channel)
    serving = health_pb2.HealthCheckResponse.SERVING
    for service in ("", SERVICE, "grpc.health.v1.Health"):
        request = health_pb2.HealthCheckRequest(service=service)
        expect(health.Check(request).status == serving)
        watch = health.Watch(request)
        expect(next(watch).status == serving)
        watch.cancel()
    unknown = health_pb2.HealthCheckRequest(service="no.such.Service")
    expect_error(grpc.StatusCode.NOT_FOUND, health.Check, unknown)
    watch = health.Watch(unknown)
    expect(next(watch).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
    watch.cancel()


def reflect(method):
    """Requests existing and missing descriptors over one stream, and checks the responses."""
    requests = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE),
        reflection_pb2.ServerReflectionRequest(file_by_filename="todo/v1/items.proto"),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="todo.v1.Nothing"),
        reflection_pb2.ServerReflectionRequest(all_extension_numbers_of_type="todo.v1.Item"),
    ]
    responses = list(method(iter(requests)))
    services, service, file, nothing, numbers = responses
    expect([each.original_request for each in responses] == requests)
    expect([each.name for each in services.list_services_response.service] == SERVICES)
    expect(len(service.file_descriptor_response.file_descriptor_proto) == 13)
    expect(len(file.file_descriptor_response.file_descriptor_proto) == 4)
    expect(nothing.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0])
    expect(numbers.all_extension_numbers_response.base_type_name == "todo.v1.Item")


@check
def reflection():
    reflect(reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo)
    database = ProtoReflectionDescriptorDatabase(channel)
    expect(list(database.get_services()) == SERVICES)
    for service in SERVICES:
        expect(descriptor_pool.DescriptorPool(database).FindServiceByName(service).methods)


@check
def reflection_v1():
    # Both versions have the same messages.
    reflect(
        channel.stream_stream(
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            reflection_pb2.ServerReflectionRequest.SerializeToString,
            reflection_pb2.ServerReflectionResponse.FromString,
        )
    )


@check
def dynamic_call():
    pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
    method = pool.FindMethodByName(f"{SERVICE}.GetServerInfo")
    request, response = (message_factory.GetMessageClass(each) for each in (method.input_type, method.output_type))
    call = channel.unary_unary(f"/{SERVICE}/GetServerInfo", request.SerializeToString, response.FromString)
    expect(call(request(), metadata=AUTHORIZATION).limits.max_page_size == 1000)


@check
def tls():
    secure = connect(sys.argv[2])
    request = server_info_pb2.GetServerInfoRequest()
    call = to_do_service_pb2_grpc.ToDoServiceStub(secure).GetServerInfo
    expect(call(request, metadata=AUTHORIZATION).server_version)
    expect_error(grpc.StatusCode.UNAUTHENTICATED, call, request)
    untrusting = grpc.secure_channel(sys.argv[2].split("://")[1], grpc.ssl_channel_credentials())
    call = to_do_service_pb2_grpc.ToDoServiceStub(untrusting).GetServerInfo
    expect_error(grpc.StatusCode.UNAVAILABLE, call, request, metadata=AUTHORIZATION)


@check
def client_certificate():
    files = (os.environ[f"TODO_GRPC_{name}"] for name in ("CA", "CLIENT_KEY", "CLIENT_CERTIFICATE"))
    authority, key, certificate = (open(file, "rb").read() for file in files)
    identity = grpc.ssl_channel_credentials(authority, key, certificate)
    secure = to_do_service_pb2_grpc.ToDoServiceStub(grpc.secure_channel(sys.argv[2].split("://")[1], identity))
    expect(secure.GetServerInfo(server_info_pb2.GetServerInfoRequest()).server_version)


@check
def reconnection():
    # The server closes a connection after three invalid tokens, maybe before the client has the last response.
    options = [("grpc.use_local_subchannel_pool", 1)]
    request = server_info_pb2.GetServerInfoRequest()
    opened, closed = threading.Event(), threading.Event()

    def change(state):
        if state == grpc.ChannelConnectivity.READY:
            opened.set()
        elif opened.is_set():
            closed.set()

    with grpc.insecure_channel(sys.argv[1].split("://")[1], options) as separate:
        separate.subscribe(change)
        call = to_do_service_pb2_grpc.ToDoServiceStub(separate).GetServerInfo
        codes = [call.future(request, metadata=[("authorization", "Bearer nonsense")]).code() for _ in range(2)]
        expect(codes == [grpc.StatusCode.UNAUTHENTICATED] * 2, codes)
        # gRPC tells states late, and omits one that has ended.
        expect(opened.wait(10), "the connection was not opened")
        call.future(request, metadata=[("authorization", "Bearer nonsense")]).code()
        expect(closed.wait(10), "the connection was not closed")
        expect(call(request, metadata=AUTHORIZATION, wait_for_ready=True).server_version)


@check
def many_connections():
    # Each channel has its own subchannel pool. Otherwise gRPC shares the connections to an address.
    options = [("grpc.use_local_subchannel_pool", 1)]
    address = sys.argv[1].split("://")[1]
    channels = [grpc.insecure_channel(address, options) for _ in range(20)]
    request = changes_pb2.WatchItemsRequest(now={})
    watches = [
        to_do_service_pb2_grpc.ToDoServiceStub(each).WatchItems(request, metadata=AUTHORIZATION) for each in channels
    ]
    expect(all(next(each).HasField("progress") for each in watches))
    added = items_pb2.Item(id=str(uuid.uuid4()), title="For all connections")
    stub.AddItem(item_writes_pb2.AddItemRequest(item=added), metadata=AUTHORIZATION)
    expect(all(next(each).changes.changes[0].put.item.id == added.id for each in watches))
    for each in channels:
        each.close()


for each in checks:
    each()
    print("ok", each.__name__, flush=True)
