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
  public var tags: [String]
  /// The priority. It does not distinguish duplicates.
  public var priority: Priority?
  /// The steps, at most `Limits.steps`. They do not distinguish duplicates.
  public var steps: [Step]
  /// The time until which the item waits: lists of what is to be done leave it out until then. It does not distinguish duplicates.
  public var waitUntil: Timestamp?
  /// How the item repeats. It does not distinguish duplicates.
  public var repetition: Repetition? {
    get { storedRepetition?.value }
    set { storedRepetition = newValue.map(StoredRepetition.stored) }
  }
  /// Content without a repetition is small, so that copies cost little.
  private var storedRepetition: StoredRepetition?

  private indirect enum StoredRepetition: Hashable, Sendable {
    case stored(Repetition)

    var value: Repetition {
      switch self {
      case .stored(let value): value
      }
    }
  }

  /// Creates content. The initializer does not validate it; the service does.
  public init(
    title: String, itemDescription: String? = nil, due: DueDate? = nil, location: Location? = nil, tags: [String] = [],
    priority: Priority? = nil, steps: [Step] = [], waitUntil: Timestamp? = nil, repetition: Repetition? = nil
  ) {
    self.title = title
    self.itemDescription = itemDescription
    self.due = due
    self.location = location
    self.tags = tags
    self.priority = priority
    self.steps = steps
    self.waitUntil = waitUntil
    storedRepetition = repetition.map(StoredRepetition.stored)
  }

  /// The maximum sizes of the texts, in bytes of UTF-8.
  public enum Limits {
    /// The maximum size of a title.
    public static let title = 1024
    /// The maximum size of a description.
    public static let itemDescription = 65_536
    /// The maximum size of the name of a place.
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
    /// The maximum size of a time zone's name.
    public static let timeZone = ZoneName.sizeLimit
  }

  /// The total size of the texts, in bytes of UTF-8, with `Step.overhead` for each step and `Repetition.overhead` for a
  /// repetition.
  public var textSize: Int {
    var size = [title, itemDescription, location?.name, location?.address].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    if !tags.isEmpty { size += Tag.size(of: tags) }
    if !steps.isEmpty { size += Step.size(of: steps) }
    if storedRepetition != nil { size += repetition?.size ?? 0 }
    return size
  }
}
