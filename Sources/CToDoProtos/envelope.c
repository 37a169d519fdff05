#include "envelope.h"

#include <stdint.h>
#include <string.h>

/// The output of protobuf-c, which encodes the payload when protobuf-c appends the bytes that stand for it.
struct envelope_buffer {
  ProtobufCBuffer base;
  unsigned char *next;
  const ProtobufCMessage *payload;
};

static void append(ProtobufCBuffer *base, size_t count, const uint8_t *data) {
  struct envelope_buffer *buffer = (struct envelope_buffer *)base;
  if (data == (const uint8_t *)buffer->payload) {
    protobuf_c_message_pack(buffer->payload, buffer->next);
  } else if (count > 0) {
    memcpy(buffer->next, data, count);
  }
  buffer->next += count;
}

size_t todo_pack_envelope(const ProtobufCMessage *envelope, const ProtobufCMessage *payload, unsigned char *out) {
  struct envelope_buffer buffer = {{append}, out, payload};
  return protobuf_c_message_pack_to_buffer(envelope, &buffer.base);
}

ProtobufCBinaryData todo_payload_bytes(const ProtobufCMessage *payload) {
  // The address of the message is the address of no other bytes. It is only compared.
  ProtobufCBinaryData bytes = {protobuf_c_message_get_packed_size(payload), (uint8_t *)payload};
  return bytes;
}
