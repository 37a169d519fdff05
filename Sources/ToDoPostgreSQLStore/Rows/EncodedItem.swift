#if PostgreSQL
import ToDoModel

/// The binary form of an item's content.
///
///     version (1) | fields (2) | number (8) | title | created (8) | updated (8) | optional fields
///
/// `fields` has one bit for each optional field that follows, in the order of `Field`. Integers are big-endian. A
/// text is its length in four bytes and its UTF-8. The number and the title come first, so that the start of the
/// bytes suffices to read them.
///
/// The form contains neither the ID nor the revision nor the deletion of the item, which are columns of its row.
enum EncodedItem {
  /// The first byte, which changes with the form.
  static let version: UInt8 = 1

  /// The number of bytes from which `decodeTitle` reads every valid title.
  static let titlePrefix = 2048

  /// The optional fields: each value is the number of a bit.
  enum Field: UInt16, CaseIterable {
    case completedAt, dueTime, dueDate, description, placeName, address, coordinate, provenance

    /// The bit of the field.
    var bit: UInt16 { 1 << rawValue }
  }

  /// Returns the binary form of an item.
  static func encode(_ item: ToDoItem) -> [UInt8] {
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
    return bytes
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
    return fields
  }
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
#endif
