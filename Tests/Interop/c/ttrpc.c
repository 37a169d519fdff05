#include "ttrpc.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "google/rpc/error_details.pb-c.h"
#include "ttrpc/ttrpc.pb-c.h"

enum { REQUEST = 1, RESPONSE = 2, DATA = 3 };
enum { REMOTE_CLOSED = 1, WITHOUT_MESSAGE = 4 };

struct ttrpc_frame {
  struct ttrpc_frame *next;
  uint32_t length, stream;
  uint8_t type, flags;
  uint8_t data[];
};

struct ttrpc_error ttrpc_error;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

struct ttrpc ttrpc_connect(const char *endpoint, const char *token) {
  struct ttrpc connection = {.next_stream = 1, .token = token};
  char host[256], port[16];
  struct sockaddr_un path = {.sun_family = AF_UNIX};
  if (sscanf(endpoint, "unix://%107s", path.sun_path) == 1) {
    connection.socket = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(connection.socket, (struct sockaddr *)&path, sizeof path)) fail(endpoint);
  } else if (sscanf(endpoint, "tcp://%255[^:]:%15s", host, port) == 2) {
    struct addrinfo *address, hints = {.ai_socktype = SOCK_STREAM};
    if (getaddrinfo(host, port, &hints, &address)) fail(endpoint);
    connection.socket = socket(address->ai_family, SOCK_STREAM, 0);
    if (connect(connection.socket, address->ai_addr, address->ai_addrlen)) fail(endpoint);
    setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    freeaddrinfo(address);
  } else {
    fail(endpoint);
  }
  return connection;
}

void ttrpc_close(struct ttrpc *connection) {
  close(connection->socket);
  while (connection->frames) {
    struct ttrpc_frame *frame = connection->frames;
    connection->frames = frame->next;
    free(frame);
  }
}

static void write_all(int socket, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = send(socket, bytes, count, MSG_NOSIGNAL);
    if (written < 0) fail("send");
    bytes += written, count -= (size_t)written;
  }
}

static void read_all(int socket, void *bytes, size_t count) {
  while (count > 0) {
    ssize_t received = recv(socket, bytes, count, 0);
    if (received <= 0) fail("lost the connection");
    bytes = (uint8_t *)bytes + received, count -= (size_t)received;
  }
}

uint32_t ttrpc_send(struct ttrpc *connection, const char *service, const char *method, const void *payload,
                    size_t length, bool is_stream, int64_t timeout) {
  Ttrpc__Request request = TTRPC__REQUEST__INIT;
  Ttrpc__KeyValue pair = TTRPC__KEY_VALUE__INIT, *pairs[] = {&pair};
  char bearer[128];
  request.service = (char *)service, request.method = (char *)method, request.timeout_nano = timeout;
  request.payload.data = (uint8_t *)payload, request.payload.len = length;
  if (connection->token) {
    snprintf(bearer, sizeof bearer, "Bearer %s", connection->token);
    pair.key = "authorization", pair.value = bearer;
    request.metadata = pairs, request.n_metadata = 1;
  }
  uint32_t stream = connection->next_stream;
  connection->next_stream += 2;
  size_t size = ttrpc__request__get_packed_size(&request);
  uint8_t *frame = malloc(10 + size);
  if (!frame) fail("malloc");
  memcpy(frame, &(uint32_t){htonl((uint32_t)size)}, 4);
  memcpy(frame + 4, &(uint32_t){htonl(stream)}, 4);
  frame[8] = REQUEST, frame[9] = is_stream ? REMOTE_CLOSED : 0;
  ttrpc__request__pack(&request, frame + 10);
  write_all(connection->socket, frame, 10 + size);
  free(frame);
  return stream;
}

static struct ttrpc_frame *read_frame(struct ttrpc *connection) {
  uint8_t header[10];
  read_all(connection->socket, header, sizeof header);
  uint32_t length, stream;
  memcpy(&length, header, 4), memcpy(&stream, header + 4, 4);
  struct ttrpc_frame *frame = malloc(sizeof *frame + ntohl(length));
  if (!frame) fail("malloc");
  *frame = (struct ttrpc_frame){
      .length = ntohl(length), .stream = ntohl(stream), .type = header[8], .flags = header[9]};
  read_all(connection->socket, frame->data, frame->length);
  return frame;
}

/* Returns the next frame of a stream. Stores the frames of other streams until they are requested. */
static struct ttrpc_frame *next_frame(struct ttrpc *connection, uint32_t stream) {
  struct ttrpc_frame **place = &connection->frames;
  for (; *place; place = &(*place)->next) {
    struct ttrpc_frame *frame = *place;
    if (frame->stream != stream) continue;
    *place = frame->next;
    return frame;
  }
  for (;;) {
    struct ttrpc_frame *frame = read_frame(connection);
    if (frame->stream == stream) return frame;
    *place = frame;
    place = &frame->next;
  }
}

static void record_detail(const Google__Protobuf__Any *detail) {
  const char *type = strrchr(detail->type_url, '/');
  if (!type) return;
  if (!strcmp(type, "/google.rpc.ErrorInfo")) {
    Google__Rpc__ErrorInfo *info = google__rpc__error_info__unpack(NULL, detail->value.len, detail->value.data);
    if (!info) return;
    snprintf(ttrpc_error.reason, sizeof ttrpc_error.reason, "%s", info->reason);
    for (size_t i = 0; i < info->n_metadata && i < 4; i++) {
      snprintf(ttrpc_error.metadata[i].key, 32, "%s", info->metadata[i]->key);
      snprintf(ttrpc_error.metadata[i].value, 64, "%s", info->metadata[i]->value);
      ttrpc_error.n_metadata = i + 1;
    }
    google__rpc__error_info__free_unpacked(info, NULL);
  } else if (!strcmp(type, "/google.rpc.BadRequest")) {
    Google__Rpc__BadRequest *bad = google__rpc__bad_request__unpack(NULL, detail->value.len, detail->value.data);
    if (!bad) return;
    for (size_t i = 0; i < bad->n_field_violations && i < 8; i++) {
      snprintf(ttrpc_error.fields[i], 64, "%s", bad->field_violations[i]->field);
      ttrpc_error.n_fields = i + 1;
    }
    google__rpc__bad_request__free_unpacked(bad, NULL);
  }
}

static void *unpack(const ProtobufCMessageDescriptor *type, ProtobufCAllocator *allocator, size_t length,
                    const uint8_t *data) {
  void *message = protobuf_c_message_unpack(type, allocator, length, data);
  if (!message) fail("cannot decode the response");
  return message;
}

void *ttrpc_receive(struct ttrpc *connection, uint32_t stream, const ProtobufCMessageDescriptor *type,
                    ProtobufCAllocator *allocator) {
  ttrpc_error = (struct ttrpc_error){0};
  void *message = NULL;
  struct ttrpc_frame *frame = next_frame(connection, stream);
  if (frame->type == DATA) {
    if (!(frame->flags & WITHOUT_MESSAGE)) message = unpack(type, allocator, frame->length, frame->data);
  } else {
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, frame->length, frame->data);
    if (!response) fail("cannot decode the envelope");
    if (response->status && response->status->code) {
      ttrpc_error.code = response->status->code;
      snprintf(ttrpc_error.message, sizeof ttrpc_error.message, "%s", response->status->message);
      for (size_t i = 0; i < response->status->n_details; i++) record_detail(response->status->details[i]);
    } else {
      message = unpack(type, allocator, response->payload.len, response->payload.data);
    }
    ttrpc__response__free_unpacked(response, NULL);
  }
  free(frame);
  return message;
}

void *ttrpc_call(struct ttrpc *connection, const char *service, const char *method, const ProtobufCMessage *request,
                 const ProtobufCMessageDescriptor *type, ProtobufCAllocator *allocator) {
  size_t length = protobuf_c_message_get_packed_size(request);
  uint8_t *payload = malloc(length + 1);
  if (!payload) fail("malloc");
  protobuf_c_message_pack(request, payload);
  uint32_t stream = ttrpc_send(connection, service, method, payload, length, false, 10000000000);
  free(payload);
  return ttrpc_receive(connection, stream, type, allocator);
}
