import CToDoProtos

/// The names and numbers of an enumeration of the schema.
struct EnumSchema {
  let numbers: [String: Int32]

  init(_ descriptor: ProtobufCEnumDescriptor) {
    let values = UnsafeBufferPointer(start: descriptor.values, count: Int(descriptor.n_values))
    numbers = Dictionary(uniqueKeysWithValues: values.map { (String(cString: $0.name), $0.value) })
  }

  /// The names without their common prefix, except for the name of the unspecified value.
  func names(after prefix: String) -> Set<String> {
    Set(numbers.filter { $0.value != 0 }.keys.map { String($0.dropFirst(prefix.count)) })
  }
}
