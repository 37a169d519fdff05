#ifndef TODO_ENVELOPE_H
#define TODO_ENVELOPE_H

#include "arena.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Encodes `envelope`, a message whose `bytes` field contains the encoded `payload`, at `out`. protobuf-c encodes both, the
/// payload directly at its place: it is neither encoded elsewhere nor copied.
///
/// The field must have the packed size of `payload` as its length, and `todo_payload_bytes(payload)` as its data. `out` must
/// have room for the packed size of `envelope`, which is also the return value.
size_t todo_pack_envelope(const ProtobufCMessage *_Nonnull envelope, const ProtobufCMessage *_Nonnull payload,
                          unsigned char *_Nonnull out);

/// The data of a `bytes` field that stands for a payload which is not encoded yet. Only `todo_pack_envelope` may encode a
/// message with this field; its size may be queried.
ProtobufCBinaryData todo_payload_bytes(const ProtobufCMessage *_Nonnull payload);

#if defined(__cplusplus)
}
#endif

#endif
