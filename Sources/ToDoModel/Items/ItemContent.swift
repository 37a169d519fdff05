/// What a person writes into an item: everything but its identity and its history.
public struct ItemContent: Equatable, Sendable {
  /// Required: at most 1,024 bytes of UTF-8, not blank.
  public var title: String
  /// At most 64 KiB of UTF-8.
  public var itemDescription: String?
  public var due: DueDate?
  public var location: Location?

  public init(title: String, itemDescription: String? = nil, due: DueDate? = nil, location: Location? = nil) {
    self.title = title
    self.itemDescription = itemDescription
    self.due = due
    self.location = location
  }

  /// The greatest sizes in bytes of UTF-8.
  public enum Limits {
    public static let title = 1024
    public static let itemDescription = 65_536
    public static let locationName = 1024
    public static let locationAddress = 1024
  }

  /// How many bytes of UTF-8 the texts have together.
  package var textSize: Int {
    [title, itemDescription, location?.name, location?.address].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }
}
