import CToDoProtos

/// A message type that the schema does not have: it contains itself, and has lists.
///
///     message Recursive { Recursive inner = 1; repeated bytes texts = 2; repeated int32 numbers = 3; }
struct RecursiveMessage: ~Copyable {
  private let storage: UnsafeMutablePointer<ProtobufCMessageDescriptor>
  private let fields: UnsafeMutablePointer<ProtobufCFieldDescriptor>
  private let ranges: UnsafeMutablePointer<ProtobufCIntRange>

  var descriptor: UnsafePointer<ProtobufCMessageDescriptor> { UnsafePointer(storage) }

  init() {
    storage = .allocate(capacity: 1)
    fields = .allocate(capacity: 3)
    ranges = .allocate(capacity: 2)
    storage.initialize(to: ProtobufCMessageDescriptor())
    fields.initialize(repeating: ProtobufCFieldDescriptor(), count: 3)
    fields[0].type = PROTOBUF_C_TYPE_MESSAGE
    fields[0].label = PROTOBUF_C_LABEL_NONE
    fields[0].descriptor = UnsafeRawPointer(storage)
    fields[1].type = PROTOBUF_C_TYPE_BYTES
    fields[1].label = PROTOBUF_C_LABEL_REPEATED
    fields[2].type = PROTOBUF_C_TYPE_INT32
    fields[2].label = PROTOBUF_C_LABEL_REPEATED
    for index in 0..<3 { fields[index].id = UInt32(index + 1) }
    // One range of numbers, 1 to 3, and the end.
    ranges[0] = ProtobufCIntRange(start_value: 1, orig_index: 0)
    ranges[1] = ProtobufCIntRange(start_value: 0, orig_index: 3)
    storage.pointee.n_fields = 3
    storage.pointee.fields = UnsafePointer(fields)
    storage.pointee.n_field_ranges = 1
    storage.pointee.field_ranges = UnsafePointer(ranges)
  }

  deinit {
    storage.deallocate()
    fields.deallocate()
    ranges.deallocate()
  }
}
