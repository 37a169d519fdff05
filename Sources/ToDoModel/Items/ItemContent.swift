/// The part of an item that a user writes: everything except its ID and its history.
public struct ItemContent: Hashable, Sendable {
  /// The title. It is required, not blank, and at most 1,024 bytes of UTF-8.
  public var title: String
  /// The description, at most 64 KiB of UTF-8.
  public var itemDescription: String?
  /// The due date.
  public var due: DueDate?
  /// The place where the item is to be done.
  public var location: Location?
  /// The tags, at most 32, by the rules of `Tag`. They do not distinguish duplicates.
  public var tags: [String] {
    get { marks?.values.tags ?? [] }
    set { editMarks(unless: newValue.isEmpty) { $0.tags = newValue } }
  }
  /// The priority. It does not distinguish duplicates.
  public var priority: Priority? {
    get { marks?.values.priority }
    set { editMarks(unless: newValue == nil) { $0.priority = newValue } }
  }
  /// The steps, at most `Limits.steps`. They do not distinguish duplicates.
  public var steps: [Step] {
    get { marks?.values.steps ?? [] }
    set { editMarks(unless: newValue.isEmpty) { $0.steps = newValue } }
  }
  /// The time until which the item waits: until then, lists of things to do leave it out. It does not distinguish duplicates.
  public var waitUntil: Timestamp? {
    get { marks?.values.waitUntil }
    set { editMarks(unless: newValue == nil) { $0.waitUntil = newValue } }
  }
  /// The repetition; `nil` if the item does not repeat. It does not distinguish duplicates.
  public var repetition: Repetition? {
    get { marks?.values.repetition }
    set { editMarks(unless: newValue == nil) { $0.repetition = newValue } }
  }
  /// The reminders, at most `Limits.reminders`. They do not distinguish duplicates.
  public var reminders: [Reminder] {
    get { marks?.values.reminders ?? [] }
    set { editMarks(unless: newValue.isEmpty) { $0.reminders = newValue } }
  }
  /// The fields that do not distinguish duplicates; `nil` if none is set, so that copies of most content cost little.
  private var marks: StoredMarks?

  /// Creates content. The initializer does not validate it; the service does.
  public init(
    title: String, itemDescription: String? = nil, due: DueDate? = nil, location: Location? = nil, tags: [String] = [],
    priority: Priority? = nil, steps: [Step] = [], waitUntil: Timestamp? = nil, repetition: Repetition? = nil,
    reminders: [Reminder] = []
  ) {
    self.init(unmarked: title, itemDescription, due, location)
    setMarks(
      tags: tags, priority: priority, steps: steps, waitUntil: waitUntil, repetition: repetition, reminders: reminders)
  }

  /// Creates content from the fields that distinguish duplicates, in fewer instructions than with the other fields unset.
  package init(unmarked title: String, _ itemDescription: String?, _ due: DueDate?, _ location: Location?) {
    self.title = title
    self.itemDescription = itemDescription
    self.due = due
    self.location = location
  }

  /// The maximum sizes of the texts, in bytes of UTF-8.
  public enum Limits {
    /// The maximum size of a title.
    public static let title = 1024
    /// The maximum size of a description.
    public static let itemDescription = 65_536
    /// The maximum size of a place name.
    public static let locationName = 1024
    /// The maximum size of an address.
    public static let locationAddress = 1024
    /// The maximum size of a geocoder's name.
    public static let locationSource = 256
    /// The maximum size of a tag.
    public static let tag = 128
    /// The maximum number of tags.
    public static let tags = 32
    /// The maximum size of a step's text.
    public static let step = 1024
    /// The maximum number of steps.
    public static let steps = 100
    /// The maximum number of reminders.
    public static let reminders = 8
    /// The maximum size of a time zone's name.
    public static let timeZone = ZoneName.sizeLimit
  }

  /// Whether the content has tags, a priority, steps, a time until which it waits, a repetition or reminders.
  package var hasMarks: Bool { marks != nil }

  /// Takes the tags, the priority, the steps, the time until which it waits, the repetition and the reminders from other content.
  package mutating func copyMarks(of other: ItemContent) { marks = other.marks }

  /// Sets the tags, the priority, the steps, the time until which the item waits, the repetition and the reminders together.
  package mutating func setMarks(
    tags: [String], priority: Priority?, steps: [Step], waitUntil: Timestamp?, repetition: Repetition?,
    reminders: [Reminder]
  ) {
    guard
      !tags.isEmpty || priority != nil || !steps.isEmpty || waitUntil != nil || repetition != nil || !reminders.isEmpty
    else {
      marks = nil
      return
    }
    marks = StoredMarks(
      ContentMarks(
        tags: tags, priority: priority, steps: steps, waitUntil: waitUntil, repetition: repetition, reminders: reminders
      ))
  }

  private mutating func editMarks(unless isUnset: Bool, _ edit: (inout ContentMarks) -> Void) {
    guard marks != nil || !isUnset else { return }
    var values = marks?.values ?? ContentMarks()
    edit(&values)
    marks = values.isEmpty ? nil : StoredMarks(values)
  }

  /// The total size of the texts, in bytes of UTF-8, with `Step.overhead` for each step, `Repetition.overhead` for a
  /// repetition and `Reminder.overhead` for each reminder.
  public var textSize: Int {
    var size = [title, itemDescription, location?.name, location?.address].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    guard let values = marks?.values else { return size }
    if !values.tags.isEmpty { size += Tag.size(of: values.tags) }
    if !values.steps.isEmpty { size += Step.size(of: values.steps) }
    if let repetition = values.repetition { size += repetition.size }
    for reminder in values.reminders { size += reminder.size }
    return size
  }
}

extension ItemContent {
  /// The texts, without those that have their own form.
  package var texts: [String] {
    [title, itemDescription, location?.name, location?.address].map { $0 ?? "" } + tags + steps.map(\.text)
  }
}

extension ItemContent.Limits {
  /// An upper bound of any item's text size, as `ItemContent.textSize` counts it.
  package static let allText =
    title + itemDescription + locationName + locationAddress + tags * (tag + 1) + steps * (step + Step.overhead)
    + Repetition.overhead + Repetition.occurrenceSize + RecurrenceRule.Limits.text + timeZone
    + reminders * (Reminder.overhead + 17 + timeZone)
}

extension ToDoItem {
  /// The item's title.
  public var title: String { content.title }
  /// The item's description.
  public var itemDescription: String? { content.itemDescription }
  /// The item's due date.
  public var due: DueDate? { content.due }
  /// The place where the item is to be done.
  public var location: Location? { content.location }
  /// The item's tags.
  public var tags: [String] { content.tags }
  /// The item's priority.
  public var priority: Priority? { content.priority }
  /// The item's steps.
  public var steps: [Step] { content.steps }
  /// The time until which the item waits.
  public var waitUntil: Timestamp? { content.waitUntil }
  /// The item's repetition; `nil` if it does not repeat.
  public var repetition: Repetition? { content.repetition }
  /// The item's reminders.
  public var reminders: [Reminder] { content.reminders }
}

/// The fields that do not distinguish duplicates.
private struct ContentMarks: Hashable, Sendable {
  var tags: [String] = []
  var priority: Priority?
  var steps: [Step] = []
  var waitUntil: Timestamp?
  var repetition: Repetition?
  var reminders: [Reminder] = []

  var isEmpty: Bool { self == ContentMarks() }
}

/// The marks that copies of content share. They never change.
private final class StoredMarks: Hashable, Sendable {
  let values: ContentMarks

  init(_ values: ContentMarks) { self.values = values }

  static func == (first: StoredMarks, second: StoredMarks) -> Bool { first === second || first.values == second.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
