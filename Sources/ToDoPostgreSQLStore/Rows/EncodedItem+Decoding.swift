#if PostgreSQL
import ToDoModel
import ToDoStores

extension EncodedItem {
  /// Decodes an item. The bytes may have any content.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if `encode` never returns the bytes.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, id: ItemID, revision: Revision
  ) throws(ToDoError) -> ToDoItem {
    do {
      return try decodeFields(bytes, id, revision)
    } catch {
      throw .invalidItem(id, error)
    }
  }

  /// Decodes the number and the title from the first bytes of an item. A title that does not fit is cut.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if no item starts with the bytes.
  static func decodeTitle(
    _ bytes: UnsafeRawBufferPointer, id: ItemID
  ) throws(ToDoError) -> NumberedTitle {
    var reader = ByteReader(bytes)
    do {
      _ = try decodeHeader(&reader)
      let number = try required(reader.integer(as: Int64.self), "number")
      return NumberedTitle(number: ItemNumber(number), title: try required(reader.textPrefix(), "title"))
    } catch {
      throw .invalidItem(id, error)
    }
  }

  /// The number and the title of an item.
  struct NumberedTitle {
    let number: ItemNumber
    let title: String
  }

  private static func decodeFields(
    _ bytes: UnsafeRawBufferPointer, _ id: ItemID, _ revision: Revision
  ) throws(StoredField.Invalid) -> ToDoItem {
    var reader = ByteReader(bytes)
    let fields = try decodeHeader(&reader)
    let number = ItemNumber(try required(reader.integer(as: Int64.self), "number"))
    let title = try required(reader.text(), "title")
    let createdAt = try time(&reader, "created_at")
    let updatedAt = try time(&reader, "updated_at")
    let completedAt = fields.contains(.completedAt) ? try time(&reader, "completed_at") : nil
    let due = try due(&reader, fields)
    let description = try text(&reader, fields, .description)
    let location = try location(&reader, fields)
    guard reader.isAtEnd else { throw StoredField.Invalid("length") }
    return ToDoItem(
      id: id, number: number,
      content: ItemContent(title: title, itemDescription: description, due: due, location: location),
      createdAt: createdAt, updatedAt: updatedAt, completedAt: completedAt, revision: revision)
  }

  /// Decodes the version and the bits of the optional fields.
  private static func decodeHeader(_ reader: inout ByteReader) throws(StoredField.Invalid) -> FieldSet {
    guard reader.integer(as: UInt8.self) == version else { throw StoredField.Invalid("version") }
    let fields = FieldSet(bits: try required(reader.integer(as: UInt16.self), "fields"))
    guard fields.isValid else { throw StoredField.Invalid("fields") }
    return fields
  }

  private static func due(_ reader: inout ByteReader, _ fields: FieldSet) throws(StoredField.Invalid) -> DueDate? {
    if fields.contains(.dueTime) { return .time(try time(&reader, "due_time")) }
    guard fields.contains(.dueDate) else { return nil }
    let days = try required(reader.integer(as: Int32.self), "due_date")
    return try StoredField.date(Int64(days), "due_date")
  }

  private static func location(_ reader: inout ByteReader, _ fields: FieldSet) throws(StoredField.Invalid) -> Location?
  {
    var location = Location(
      name: try text(&reader, fields, .placeName), address: try text(&reader, fields, .address))
    if fields.contains(.coordinate) {
      let latitude = try required(reader.double(), "latitude")
      let longitude = try required(reader.double(), "longitude")
      location.coordinate = try StoredField.coordinate(latitude: latitude, longitude: longitude)
    }
    if fields.contains(.provenance) {
      let source = try required(reader.text(), "source")
      let code = try required(reader.integer(as: UInt8.self), "granularity")
      let granularity = try required(Location.Granularity(code: code), "granularity")
      location.provenance = Location.Provenance(source: source, granularity: granularity)
    }
    return location.isEmpty ? nil : location
  }

  private static func text(
    _ reader: inout ByteReader, _ fields: FieldSet, _ field: Field
  ) throws(StoredField.Invalid) -> String? {
    fields.contains(field) ? try required(reader.text(), "\(field)") : nil
  }

  private static func time(_ reader: inout ByteReader, _ field: String) throws(StoredField.Invalid) -> Timestamp {
    try StoredField.time(try required(reader.integer(as: Int64.self), field), field)
  }

  private static func required<Value>(_ value: Value?, _ field: String) throws(StoredField.Invalid) -> Value {
    guard let value else { throw StoredField.Invalid(field) }
    return value
  }

  /// The optional fields of an encoded item.
  private struct FieldSet {
    let bits: UInt16

    func contains(_ field: Field) -> Bool { bits & field.bit != 0 }

    /// Whether every bit is that of a field, and there is at most one due date.
    var isValid: Bool {
      bits >> Field.allCases.count == 0 && !(contains(.dueTime) && contains(.dueDate))
    }
  }
}
#endif
