import FoundationEssentials
import ToDoModel

/// An item of a JSON text. Only its title is required.
struct ImportedItem: Equatable {
  /// The line of the text in which the item begins.
  var line: Int
  var id: ItemID?
  /// The number that the item had, by which the items are sorted.
  var number: Int64?
  var isDone: Bool
  var content: ItemContent
  /// The list that contains the item; `nil` for the list in use.
  var list: ListReference?

  /// A list as an item names it: by its name, or by its ID and its name. The color and the order are those with which a missing
  /// list is created.
  struct ListReference: Hashable {
    var id: ListID?
    var name: String?
    var color: ListColor?
    var order: Int32?
  }
}

extension ImportedItem: Decodable {
  private enum CodingKeys: CodingKey {
    case id, number, done, list
  }

  init(from decoder: any Decoder) throws {
    try ImportedFields.check(decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    line = 0
    id = try container.decodeIfPresent(String.self, forKey: .id).map { text in
      guard let id = ItemID(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: container, debugDescription: "'\(text)' is not a UUID in lower case")
      }
      return id
    }
    number = try container.decodeIfPresent(Int64.self, forKey: .number)
    isDone = try container.decodeIfPresent(Bool.self, forKey: .done) ?? false
    content = try ItemContent(from: decoder)
    list = try container.decodeIfPresent(ListReference.self, forKey: .list)
  }
}

extension ImportedItem.ListReference: Decodable {
  private enum CodingKeys: CodingKey {
    case id, name, color, order
  }

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      (id, self.name) = (nil, name)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decodeIfPresent(String.self, forKey: .name)
    order = try container.decodeIfPresent(Int32.self, forKey: .order)
    color = try container.decodeIfPresent(String.self, forKey: .color).map { text in
      guard let color = ListColor(rawValue: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .color, in: container, debugDescription: "'\(text)' is not the color of a list")
      }
      return color
    }
    id = try container.decodeIfPresent(String.self, forKey: .id).map { text in
      guard let id = ListID(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: container, debugDescription: "'\(text)' is not the ID of a list")
      }
      return id
    }
    guard id != nil || name != nil else {
      throw DecodingError.dataCorruptedError(in: try decoder.singleValueContainer(), debugDescription: "needs a name")
    }
  }
}

/// The value of a line in a JSON text that is not valid.
struct ImportError: Error, Equatable, CustomStringConvertible {
  let line: Int
  /// The field's path, such as `location.latitude`; empty for an item as a whole.
  let field: String
  let reason: String

  var description: String { "line \(line): \(field.isEmpty ? "" : field + ": ")\(reason)" }
}

extension ImportedItem {
  /// The violations of the rules for items by its content.
  var errors: [ImportError] {
    content.violations(at: "item").map {
      ImportError(line: line, field: RequestField($0.field).jsonPath, reason: $0.reason)
    }
  }

  /// Reads the items that `todo list --json` or `todo watch --json` has printed, or an array of such items. The last state of an
  /// item in its list counts. One that is deleted there, or unmatched by the filters of the watch, is left out. Sorted by number,
  /// with the items without one at the end.
  static func items(in text: [UInt8]) throws(ImportError) -> [ImportedItem] {
    var items = ItemStates()
    for document in JSONSlices.documents(in: text) {
      for slice in document.items {
        switch try decode(ImportedLine.self, slice) {
        case .item(var item):
          item.line = slice.line
          items.put(item)
        case .deletion(let id, let list): items.delete(id, in: list)
        case .restart(let list): items.restart(list)
        case .other: break
        }
      }
      // A bracket or a comma may be missing or one too many around items that are valid.
      _ = try decode(AnyValue.self, document.whole)
    }
    return items.last.enumerated().sorted {
      ($0.element.number ?? .max, $0.offset) < ($1.element.number ?? .max, $1.offset)
    }.map(\.element)
  }

  private static func decode<Value: Decodable>(
    _: Value.Type, _ slice: JSONSlices.Slice
  ) throws(ImportError) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(slice.bytes)) } catch {
      throw ImportError(error, line: slice.line)
    }
  }
}

/// The last states of the items in a text. An ID identifies an item only within its list.
private struct ItemStates {
  private struct Key: Hashable {
    let list: ImportedItem.ListReference
    let id: ItemID
  }

  /// The items in the order in which they came first; `nil` for those that were deleted.
  private var items: [ImportedItem?] = []
  private var indices: [Key: Int] = [:]
  /// The list that had each ID last. Lines of a watch of one list name it only in items.
  private var latestLists: [ItemID: ImportedItem.ListReference] = [:]

  var last: [ImportedItem] { items.compactMap(\.self) }

  mutating func put(_ item: ImportedItem) {
    guard let id = item.id else { return items.append(item) }
    let key = Key(list: Self.identity(of: item.list), id: id)
    latestLists[id] = key.list
    if let index = indices[key] {
      items[index] = item
    } else {
      indices[key] = items.count
      items.append(item)
    }
  }

  /// Removes an item, unless it has been moved to another list than the one that the line names.
  mutating func delete(_ id: ItemID, in list: ImportedItem.ListReference?) {
    guard let list = list.map(Self.identity) ?? latestLists[id] else { return }
    if latestLists[id] == list { latestLists[id] = nil }
    guard let index = indices.removeValue(forKey: Key(list: list, id: id)) else { return }
    items[index] = nil
  }

  /// Removes all items of a list, or of all lists.
  mutating func restart(_ list: ImportedItem.ListReference?) {
    let restarted = list.map(Self.identity)
    for index in items.indices where restarted == nil || Self.identity(of: items[index]?.list) == restarted {
      items[index] = nil
    }
    indices = indices.filter { items[$0.value] != nil }
  }

  /// Returns the ID of a list, or its name if an item has only that. Items without a list are in the default one.
  private static func identity(of list: ImportedItem.ListReference?) -> ImportedItem.ListReference {
    if list?.id == nil, let name = list?.name { return ImportedItem.ListReference(name: name) }
    return ImportedItem.ListReference(id: list?.id ?? .default)
  }
}

/// Any value: decoding it checks the syntax.
private struct AnyValue: Decodable {
  init(from decoder: any Decoder) {}
}

/// A value in a JSON text: an item, or a line of `todo watch --json` about one.
private enum ImportedLine: Decodable {
  case item(ImportedItem)
  case deletion(ItemID, ImportedItem.ListReference?)
  /// A snapshot follows, which has all items of the list, or of all lists.
  case restart(ImportedItem.ListReference?)
  /// A watch's revision, or a list's end.
  case other

  private enum CodingKeys: CodingKey {
    case type, item, id, list
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try? container.decode(String.self, forKey: .type) {
    case "item", "put":
      var item = try container.decode(ImportedItem.self, forKey: .item)
      // An item of the default list names none, but the line does.
      item.list = try item.list ?? container.decodeIfPresent(ImportedItem.ListReference.self, forKey: .list)
      self = .item(item)
    case "deleted", "unmatched":
      let list = try container.decodeIfPresent(ImportedItem.ListReference.self, forKey: .list)
      self = ItemID(try container.decode(String.self, forKey: .id)).map { .deletion($0, list) } ?? .other
    case "restarted":
      self = .restart(try container.decodeIfPresent(ImportedItem.ListReference.self, forKey: .list))
    case "snapshot", "progress", "ended": self = .other
    default: self = .item(try ImportedItem(from: decoder))
    }
  }
}

extension ImportError {
  fileprivate init(_ error: any Error, line: Int) {
    self.line = line
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      field = Self.path(context.codingPath + [key])
      reason = "is missing"
    case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
      field = Self.path(context.codingPath)
      reason = field.isEmpty ? "is not a JSON object" : "must be \(Self.name(of: type))"
    case DecodingError.dataCorrupted(let context):
      field = Self.path(context.codingPath)
      reason = field.isEmpty ? "is not valid JSON" : context.debugDescription
    default:
      field = ""
      reason = "\(error)"
    }
  }

  /// Returns a path such as `reminders[0].time`.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { path, key in
      if let index = key.intValue { return path += "[\(index)]" }
      path += path.isEmpty ? key.stringValue : "." + key.stringValue
    }
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Int32.Type, is Int64.Type, is Double.Type: "a number"
    default: "an object"
    }
  }
}
