/* A ttrpc client in C: protobuf-c and plain sockets, one thread, calls and streams. Copy ttrpc.h and ttrpc.c. */
#ifndef TTRPC_H
#define TTRPC_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>

struct ttrpc_frame;

struct ttrpc {
  int socket;
  uint32_t next_stream;
  const char *token;          /* sent with every call; NULL for none */
  struct ttrpc_frame *frames; /* received frames of streams that were not waited for */
};

/* The error of the last call. Valid until the next call. */
struct ttrpc_error {
  int code; /* a google.rpc.Code; 0 if the call succeeded */
  char message[256];
  char reason[64];
  size_t n_metadata;
  struct { char key[32], value[64]; } metadata[4];
  size_t n_fields;
  char fields[8][64];
};
extern struct ttrpc_error ttrpc_error;

/* Connects to tcp://HOST:PORT or unix:///PATH. Exits the program on failure. */
struct ttrpc ttrpc_connect(const char *endpoint, const char *token);
void ttrpc_close(struct ttrpc *connection);

/* Sends a request and returns its stream ID. The timeout is in nanoseconds; 0 for none. */
uint32_t ttrpc_send(struct ttrpc *connection, const char *service, const char *method, const void *payload,
                    size_t length, bool is_stream, int64_t timeout);

/* Returns the next message of a stream, or NULL at its end or on failure. The allocator owns the message. */
void *ttrpc_receive(struct ttrpc *connection, uint32_t stream, const ProtobufCMessageDescriptor *type,
                    ProtobufCAllocator *allocator);

/* Makes a unary call. Returns the response, or NULL if the call failed. */
void *ttrpc_call(struct ttrpc *connection, const char *service, const char *method, const ProtobufCMessage *request,
                 const ProtobufCMessageDescriptor *type, ProtobufCAllocator *allocator);

#endif
