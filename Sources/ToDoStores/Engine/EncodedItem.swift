package import ToDoModel

/// The binary form of an item's content.
///
///     version (1) | fields (2) | number (8) | title | created (8) | updated (8) | optional fields
///
/// `fields` has one bit for each optional field that follows, in the order of `Field`. Integers are big-endian. A
/// text is its length in four bytes and its UTF-8. The number and the title come first, so that the start of the
/// bytes suffices to read them.
///
/// The form contains neither the item's ID nor its revision nor its deletion, which are columns of its row.
package enum EncodedItem {
  /// The first byte, which changes with the form.
  static let version: UInt8 = 1

  /// The number of bytes from which `decodeTitle` reads every valid title.
  package static let titlePrefix = 2048

  /// The optional fields: each value is the number of a bit. Reminders are in `steps`.
  enum Field: UInt16, CaseIterable {
    case completedAt, dueTime, dueDate, description, placeName, address, coordinate, provenance, tags, priority
    case steps, waitUntil, repetition

    /// The bit of the field.
    var bit: UInt16 { 1 << rawValue }
  }

  /// Returns the binary form of an item.
  package static func encode(_ item: ToDoItem) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(80 + item.content.textSize)
    bytes.append(version)
    bytes.append(integer: item.fields)
    bytes.append(integer: item.number.value)
    bytes.append(text: item.title)
    bytes.append(integer: item.createdAt.microseconds)
    bytes.append(integer: item.updatedAt.microseconds)
    if let time = item.completedAt { bytes.append(integer: time.microseconds) }
    switch item.due {
    case nil: break
    case .time(let time): bytes.append(integer: time.microseconds)
    case .date(let date): bytes.append(integer: Int32(clamping: date.daysSinceEpoch))
    }
    for text in [item.itemDescription, item.location?.name, item.location?.address] {
      if let text { bytes.append(text: text) }
    }
    if let coordinate = item.location?.coordinate {
      bytes.append(double: coordinate.latitude)
      bytes.append(double: coordinate.longitude)
    }
    if let provenance = item.location?.provenance {
      bytes.append(text: provenance.source)
      bytes.append(provenance.granularity.code)
    }
    if item.content.hasMarks { encodeMarks(of: item.content, to: &bytes) }
    return bytes
  }

  private static func encodeMarks(of content: ItemContent, to bytes: inout [UInt8]) {
    if let tags = Tag.joined(content.tags) { bytes.append(text: tags) }
    if let priority = content.priority { bytes.append(priority.level) }
    if content.hasLines { bytes.append(bytes: EncodedMarks.encode(content.steps, content.reminders)) }
    if let time = content.waitUntil { bytes.append(integer: time.microseconds) }
    if let repetition = content.repetition { bytes.append(bytes: EncodedMarks.encode(repetition)) }
  }
}

extension ToDoItem {
  /// The bits of the optional fields that are set.
  fileprivate var fields: UInt16 {
    var fields: UInt16 = 0
    func set(_ field: EncodedItem.Field, if isSet: Bool) { if isSet { fields |= field.bit } }
    set(.completedAt, if: completedAt != nil)
    switch due {
    case nil: break
    case .time: set(.dueTime, if: true)
    case .date: set(.dueDate, if: true)
    }
    set(.description, if: itemDescription != nil)
    set(.placeName, if: location?.name != nil)
    set(.address, if: location?.address != nil)
    set(.coordinate, if: location?.coordinate != nil)
    set(.provenance, if: location?.provenance != nil)
    guard content.hasMarks else { return fields }
    set(.tags, if: !tags.isEmpty)
    set(.priority, if: priority != nil)
    set(.steps, if: content.hasLines)
    set(.waitUntil, if: waitUntil != nil)
    set(.repetition, if: repetition != nil)
    return fields
  }
}

extension ItemContent {
  /// Whether the content has steps or reminders, which are encoded together.
  var hasLines: Bool { !steps.isEmpty || !reminders.isEmpty }
}

extension Location.Granularity {
  /// The byte that represents the precision. It never changes.
  var code: UInt8 {
    switch self {
    case .house: 0
    case .street: 1
    case .locality: 2
    case .region: 3
    case .country: 4
    }
  }

  /// Returns `nil` if no precision has the code.
  init?(code: UInt8) {
    guard let granularity = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = granularity
  }
}

extension EncodedItem {
  /// Decodes an item. The bytes may have any content.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if `encode` never returns the bytes.
  package static func decode(
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
  package static func decodeTitle(
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
  package struct NumberedTitle {
    package let number: ItemNumber
    package let title: String
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
    let tags = try text(&reader, fields, .tags)
    let priority = try priority(&reader, fields)
    let lines =
      fields.contains(.steps) ? try EncodedMarks.lines(try required(reader.bytes(), "steps")) : EncodedMarks.Lines()
    let waitUntil = fields.contains(.waitUntil) ? try time(&reader, "wait_time") : nil
    let repetition =
      fields.contains(.repetition) ? try EncodedMarks.repetition(try required(reader.bytes(), "repetition")) : nil
    guard reader.isAtEnd else { throw StoredField.Invalid("length") }
    return ToDoItem(
      id: id, number: number,
      content: ItemContent(
        title: title, itemDescription: description, due: due, location: location, tags: Tag.split(tags),
        priority: priority, steps: lines.steps, waitUntil: waitUntil, repetition: repetition, reminders: lines.reminders
      ),
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

  private static func priority(
    _ reader: inout ByteReader, _ fields: FieldSet
  ) throws(StoredField.Invalid) -> Priority? {
    guard fields.contains(.priority) else { return nil }
    let level = try required(reader.integer(as: UInt8.self), "priority")
    return try required(Priority(level: Int(level)), "priority")
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

    /// Whether every bit belongs to a field, and there is at most one due date.
    var isValid: Bool {
      bits >> Field.allCases.count == 0 && !(contains(.dueTime) && contains(.dueDate))
    }
  }
}
