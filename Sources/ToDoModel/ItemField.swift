/// All that the programs know about one field of an item, in one row.
///
/// `ItemFields.swift` has the rows. Code that treats all fields alike iterates over the rows instead of naming fields. A row that
/// leaves out a part has nothing there, or is treated by hand where the part is used.
package struct ItemField: Sendable {
  /// The name, whose raw value is the path of the field in messages.
  package let name: FieldChange.Field
  /// The name as people see it.
  package let label: String
  /// The option that sets the field; `nil` if several set its parts, or none does.
  package var option: String?
  /// The field's key in JSON; `nil` if it has several, or is a part of the place.
  package var key: String?
  /// The kind of its values in the history.
  package let kind: Kind
  /// The field in two states of an item, as the history compares them.
  let states: @Sendable (ToDoItem, ToDoItem) -> FieldChange.States
  /// The conversion from edits to content and back; `nil` if edits don't name the field as a whole.
  package var editing: Editing?
  /// The JSON form, under `key`.
  var coding: Coding?
  /// Returns the violations of content with a path, such as `item`; `nil` if every value is valid.
  var violations: (@Sendable (ItemContent, _ path: String) -> [FieldViolation])?
  /// The features that a service must support before the field is sent to it.
  package var feature: ItemFeatures = []

  /// All fields, in the order in which a change lists them.
  package static let all = FieldChange.Field.allCases.map(\.row)
}

// MARK: - History

extension ItemField {
  /// A kind of values in the history.
  package enum Kind: Sendable {
    case text, due, time, coordinate, flag
  }

  /// Whether a value in the history can be the field's.
  package func suits(_ value: FieldChange.Value) -> Bool {
    switch (kind, value) {
    case (.text, .text), (.due, .due), (.time, .due(.time)), (.coordinate, .coordinate), (.flag, .done): true
    default: false
    }
  }
}

// MARK: - Edits

extension ItemField {
  /// The conversion from edits to content and back.
  package struct Editing: Sendable {
    /// Whether content has a value.
    let isSet: @Sendable (ItemContent) -> Bool
    /// Whether an edit names the field.
    package let isEdited: @Sendable (ItemEdit) -> Bool
    /// Applies an edit to content.
    let apply: @Sendable (ItemEdit, inout ItemContent) -> Void
    /// Makes an edit set the value that content has, or clear the field.
    package let take: @Sendable (ItemContent, inout ItemEdit) -> Void

    /// A field that may have no value.
    static func optional<Value: Equatable & Sendable>(
      _ content: any WritableKeyPath<ItemContent, Value?> & Sendable,
      _ edit: any WritableKeyPath<ItemEdit, FieldEdit<Value>> & Sendable
    ) -> Editing {
      Editing(
        isSet: { $0[keyPath: content] != nil }, isEdited: { $0[keyPath: edit] != .keep },
        apply: { $0[keyPath: edit].apply(to: &$1[keyPath: content]) },
        take: { $1[keyPath: edit] = $0[keyPath: content].map(FieldEdit.set) ?? .clear })
    }

    /// A text or a list that an edit replaces as a whole, also with an empty one.
    static func whole<Value: Collection & Sendable>(
      _ content: any WritableKeyPath<ItemContent, Value> & Sendable,
      _ edit: any WritableKeyPath<ItemEdit, Value?> & Sendable
    ) -> Editing {
      Editing(
        isSet: { !$0[keyPath: content].isEmpty }, isEdited: { $0[keyPath: edit] != nil },
        apply: { if let value = $0[keyPath: edit] { $1[keyPath: content] = value } },
        take: { $1[keyPath: edit] = $0[keyPath: content] })
    }
  }
}

// MARK: - JSON

extension ItemField {
  /// The key of a field in JSON.
  struct Key: CodingKey {
    let stringValue: String

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
  }

  /// The JSON form of a field.
  struct Coding: Sendable {
    let encode: @Sendable (ItemContent, inout KeyedEncodingContainer<Key>, Key) throws -> Void
    let decode: @Sendable (KeyedDecodingContainer<Key>, Key, inout ItemContent) throws -> Void

    /// A value with a JSON form, or null.
    static func value<Value: Codable & Sendable>(_ path: any WritableKeyPath<ItemContent, Value?> & Sendable) -> Coding
    {
      Coding { content, container, key in
        try container.encode(content[keyPath: path], forKey: key)
      } decode: { container, key, content in
        content[keyPath: path] = try container.decodeIfPresent(Value.self, forKey: key)
      }
    }

    /// A value whose JSON form is its description, or null.
    static func description<Value: LosslessStringConvertible & Sendable>(
      _ path: any WritableKeyPath<ItemContent, Value?> & Sendable
    ) -> Coding {
      Coding { content, container, key in
        try container.encode(content[keyPath: path]?.description, forKey: key)
      } decode: { container, key, content in
        content[keyPath: path] = try container.parseIfPresent(Value.self, key)
      }
    }

    /// A list, which may be missing or null when it is decoded.
    static func list<Element: Codable & Sendable>(_ path: any WritableKeyPath<ItemContent, [Element]> & Sendable)
      -> Coding
    {
      Coding { content, container, key in
        try container.encode(content[keyPath: path], forKey: key)
      } decode: { container, key, content in
        content[keyPath: path] = try container.decodeIfPresent([Element].self, forKey: key) ?? []
      }
    }
  }

  func encode(_ content: ItemContent, to container: inout KeyedEncodingContainer<Key>) throws {
    guard let key, let coding else { return }
    try coding.encode(content, &container, Key(stringValue: key))
  }

  func decode(_ container: KeyedDecodingContainer<Key>, into content: inout ItemContent) throws {
    guard let key, let coding else { return }
    try coding.decode(container, Key(stringValue: key), &content)
  }
}
