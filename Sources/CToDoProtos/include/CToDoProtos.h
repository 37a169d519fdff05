// Everything in this target: the messages of the schema, the arena that they are decoded into, and the encoding of envelopes.
#ifndef TODO_CPROTOS_H
#define TODO_CPROTOS_H

#include "arena.h"
#include "envelope.h"

#include "google/protobuf/any.pb-c.h"
#include "google/protobuf/descriptor.pb-c.h"
#include "google/protobuf/duration.pb-c.h"
#include "google/protobuf/field_mask.pb-c.h"
#include "google/protobuf/timestamp.pb-c.h"
#include "google/rpc/code.pb-c.h"
#include "google/rpc/error_details.pb-c.h"
#include "google/rpc/status.pb-c.h"
#include "google/type/date.pb-c.h"
#include "google/type/latlng.pb-c.h"
#include "grpc/health/v1/health.pb-c.h"
#include "grpc/reflection/v1/reflection.pb-c.h"
#include "grpc/reflection/v1alpha/reflection.pb-c.h"
#include "todo/v1/changes.pb-c.h"
#include "todo/v1/connection_service.pb-c.h"
#include "todo/v1/errors.pb-c.h"
#include "todo/v1/geocoding.pb-c.h"
#include "todo/v1/history.pb-c.h"
#include "todo/v1/item_reads.pb-c.h"
#include "todo/v1/item_writes.pb-c.h"
#include "todo/v1/items.pb-c.h"
#include "todo/v1/list_service.pb-c.h"
#include "todo/v1/lists.pb-c.h"
#include "todo/v1/notification_service.pb-c.h"
#include "todo/v1/notifications.pb-c.h"
#include "todo/v1/position_service.pb-c.h"
#include "todo/v1/positions.pb-c.h"
#include "todo/v1/server_info.pb-c.h"
#include "todo/v1/to_do_service.pb-c.h"
#include "ttrpc/ttrpc.pb-c.h"

#endif
