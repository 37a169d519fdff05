/* A ttrpc client in C: protobuf-c and plain sockets, one thread, calls and streams. Copy ttrpc.h and ttrpc.c. */
#ifndef TTRPC_H
#define TTRPC_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>

struct ttrpc_frame;

struct ttrpc {
  int socket;
  uint32_t next_stream;
  const char *token;          /* sent with every call; NULL: none */
  struct ttrpc_frame *frames; /* read while something else was waited for */
};

/* Why the last call failed. Valid until the next call. */
struct ttrpc_error {
  int code; /* of google.rpc.Code; 0: it did not fail */
  char message[256];
  char reason[64];
  size_t n_metadata;
  struct { char key[32], value[64]; } metadata[4];
  size_t n_fields;
  char fields[8][64];
};
extern struct ttrpc_error ttrpc_error;

/* Connects to tcp://HOST:PORT or unix:///PATH; ends the program when it cannot. */
struct ttrpc ttrpc_connect(const char *endpoint, const char *token);
void ttrpc_close(struct ttrpc *connection);

/* Sends a request and returns the number of its stream. timeout: in nanoseconds, 0: none. */
uint32_t ttrpc_send(struct ttrpc *connection, const char *service, const char *method, const void *payload,
                    size_t length, bool is_stream, int64_t timeout);

/* The next message on a stream; NULL at its end, and when it failed. What is returned is the allocator's. */
void *ttrpc_receive(struct ttrpc *connection, uint32_t stream, const ProtobufCMessageDescriptor *type,
                    ProtobufCAllocator *allocator);

/* Sends a message and waits for its answer; NULL when the call failed. */
void *ttrpc_call(struct ttrpc *connection, const char *service, const char *method, const ProtobufCMessage *request,
                 const ProtobufCMessageDescriptor *type, ProtobufCAllocator *allocator);

#endif
