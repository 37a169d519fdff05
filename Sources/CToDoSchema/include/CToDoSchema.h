#ifndef TODO_CSCHEMA_H
#define TODO_CSCHEMA_H

#include <stddef.h>

// The bytes of schema.binpb: a google.protobuf.FileDescriptorSet of the schema and of what it imports.
const unsigned char *_Nonnull todo_schema_bytes(void);
size_t todo_schema_size(void);

#endif
