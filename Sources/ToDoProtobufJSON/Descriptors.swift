import CToDoProtos
import ToDoProtobuf

extension UnsafePointer<ProtobufCMessageDescriptor> {
  /// The fields, in the order of their numbers.
  var fields: UnsafeBufferPointer<ProtobufCFieldDescriptor> {
    UnsafeBufferPointer(start: pointee.fields, count: Int(pointee.n_fields))
  }

  /// The type's full name.
  var name: String { String(cString: pointee.name) }

  /// The type's JSON form, if its fields do not determine it.
  var wellKnownType: WellKnownType? {
    let prefix: StaticString = "google.protobuf."
    guard pointee.name.starts(with: prefix) else { return nil }
    return WellKnownType(rawValue: String(cString: pointee.name + prefix.utf8CodeUnitCount))
  }

  /// Whether the type is a map's entries, which the schema's C code has instead of the map.
  func isMapEntry(of field: UnsafePointer<ProtobufCFieldDescriptor>) -> Bool {
    guard field.isList, pointee.n_fields == 2, pointee.short_name.hasSuffix("Entry") else { return false }
    return pointee.fields[0].name.equals("key") && pointee.fields[1].name.equals("value")
  }

  /// Returns the bit of the oneof that contains a field: the bit with its first member's index.
  func oneofBit(of field: UnsafePointer<ProtobufCFieldDescriptor>) -> UInt64 {
    let first = fields.firstIndex { $0.isOneofMember && $0.quantifier_offset == field.pointee.quantifier_offset }
    return 1 << UInt64(first ?? 0)
  }
}

/// The types whose JSON form is not that of their fields.
enum WellKnownType: String {
  case timestamp = "Timestamp"
  case duration = "Duration"
  case fieldMask = "FieldMask"
  case any = "Any"
}

extension ProtobufCFieldDescriptor {
  var isOneofMember: Bool { flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0 }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
  var isList: Bool { pointee.label == PROTOBUF_C_LABEL_REPEATED }

  /// Whether the field is absent if it has its default value.
  var isImplicit: Bool { pointee.label == PROTOBUF_C_LABEL_NONE && !pointee.isOneofMember }

  /// The type of the field's messages, if it has any.
  var messageType: UnsafePointer<ProtobufCMessageDescriptor>? {
    guard pointee.type == PROTOBUF_C_TYPE_MESSAGE else { return nil }
    return pointee.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }

  /// The values of the field's enumeration, if it has any.
  var enumeration: UnsafeBufferPointer<ProtobufCEnumValue>? {
    guard pointee.type == PROTOBUF_C_TYPE_ENUM else { return nil }
    guard let type = pointee.descriptor?.assumingMemoryBound(to: ProtobufCEnumDescriptor.self) else { return nil }
    return UnsafeBufferPointer(start: type.pointee.values, count: Int(type.pointee.n_values))
  }

  var wireType: WireType { WireType(of: pointee.type) }
}

// MARK: - Names

extension UnsafePointer<CChar> {
  /// Whether the C string starts with a text.
  func starts(with prefix: StaticString) -> Bool {
    // The strings have the same encoding: ASCII.
    for index in 0..<prefix.utf8CodeUnitCount where UInt8(truncatingIfNeeded: self[index]) != prefix.utf8Start[index] {
      return false
    }
    return true
  }

  /// Whether the C string is equal to a text.
  func equals(_ text: StaticString) -> Bool { starts(with: text) && self[text.utf8CodeUnitCount] == 0 }

  /// Whether the C string ends with a text.
  func hasSuffix(_ suffix: StaticString) -> Bool {
    var count = 0
    while self[count] != 0 { count += 1 }
    let start = count - suffix.utf8CodeUnitCount
    return start >= 0 && (self + start).equals(suffix)
  }

  /// Whether the C string, the name of a field, is equal to the bytes.
  func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count, self[index] != 0, UInt8(truncatingIfNeeded: self[index]) == bytes[index] { index += 1 }
    return index == bytes.count && self[index] == 0
  }

  /// Whether the name of a field in lowerCamelCase is equal to the bytes.
  func isCamelCaseName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = CamelCaseName(self)
    var index = 0
    while let byte = rest.next() {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
    }
    return index == bytes.count
  }
}

/// The name of a field in lowerCamelCase, which is its name in JSON: an underscore is removed, and the letter after it is a
/// capital.
struct CamelCaseName: IteratorProtocol {
  private var rest: UnsafePointer<CChar>

  init(_ name: UnsafePointer<CChar>) { rest = name }

  mutating func next() -> UInt8? {
    var isCapital = false
    while UInt8(truncatingIfNeeded: rest.pointee) == UInt8(ascii: "_") {
      isCapital = true
      rest += 1
    }
    let byte = UInt8(truncatingIfNeeded: rest.pointee)
    guard byte != 0 else { return nil }
    rest += 1
    return isCapital && byte.isLowercaseLetter ? byte - 32 : byte
  }
}

extension UInt8 {
  var isLowercaseLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  var isUppercaseLetter: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// Whether a path of a mask may contain the character, besides capitals and underscores.
  var isPathCharacter: Bool { isLowercaseLetter || isDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "*") }
}
