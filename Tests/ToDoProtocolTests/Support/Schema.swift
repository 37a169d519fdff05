import CToDoProtos

/// The schema as compiled by protoc-c.
enum Schema {
  /// The names of a service's methods, in the order of the schema.
  static func methods(of service: ProtobufCServiceDescriptor) -> [String] {
    UnsafeBufferPointer(start: service.methods, count: Int(service.n_methods)).map { String(cString: $0.name) }
  }

  /// Returns the names of an enumeration's values without their common prefix, except the value that is never sent.
  static func reasons(of enumeration: ProtobufCEnumDescriptor, after prefix: String) -> Set<String> {
    let values = UnsafeBufferPointer(start: enumeration.values, count: Int(enumeration.n_values))
    return Set(values.filter { $0.value != 0 }.map { String(String(cString: $0.name).dropFirst(prefix.count)) })
  }
}
