public import ToDoModel

/// The stored lists of one user. The rules of lists are pure functions on this value, in `ListRecords+Rules`.
public struct ListRecords: Equatable, Sendable {
  /// A stored list.
  public struct Record: Equatable, Sendable {
    /// The list.
    public var list: UserList
    /// The name and the color that the list was created with. `nil` for the default list.
    public var createdAs: String?

    /// Creates a record.
    public init(_ list: UserList, createdAs: String? = nil) {
      self.list = list
      self.createdAs = createdAs
    }
  }

  /// The version of the set: that of its last change, or 0 if it was never changed.
  public var version: Int64
  /// The version of the next change.
  public let nextVersion: Int64
  /// The account version when the records were read.
  public let accountVersion: Int64
  /// The records by ID. The default list has one only if it was changed.
  public private(set) var records: [ListID: Record]

  /// Creates the records of a user.
  public init(version: Int64 = 0, nextVersion: Int64 = 1, accountVersion: Int64 = 0, _ records: [Record] = []) {
    self.version = version
    self.nextVersion = nextVersion
    self.accountVersion = accountVersion
    self.records = Dictionary(records.map { ($0.list.id, $0) }) { $1 }
  }

  /// The record of a list, or `nil` if there is none.
  public subscript(id: ListID) -> Record? { records[id] }

  /// Stores a record as changed by the next version.
  ///
  /// - Returns: the list with that version.
  @discardableResult
  mutating func put(_ record: Record) -> UserList {
    var record = record
    record.list.version = nextVersion
    version = nextVersion
    records[record.list.id] = record
    return record.list
  }

  /// Removes a record for good.
  mutating func remove(_ id: ListID) {
    guard records.removeValue(forKey: id) != nil else { return }
    version = nextVersion
  }

  /// Removes all records for good, after the items were purged.
  public mutating func removeAll() {
    guard !records.isEmpty else { return }
    records = [:]
    version = nextVersion
  }

  /// The records that differ from former ones, by ID, and the IDs of those that are missing.
  package func changes(since former: ListRecords) -> (put: [Record], removed: [ListID]) {
    let put = records.filter { former.records[$0.key] != $0.value }.sorted { $0.key < $1.key }.map(\.value)
    return (put, former.records.keys.filter { records[$0] == nil }.sorted())
  }

  /// Whether the items of a list can be read and changed.
  public func isAvailable(_ id: ListID) -> Bool {
    id.isDefault || records[id].map { $0.list.deletion == nil } ?? false
  }

  /// The stored lists besides the default one, deleted ones included.
  public var furtherLists: [ListID] { records.keys.filter { !$0.isDefault } }
}
