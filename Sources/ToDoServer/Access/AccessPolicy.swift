public import ToDoModel

/// The access of callers that present no user's credentials.
public struct AccessPolicy: Equatable, Sendable {
  /// The list of network clients without credentials, or `nil` to reject such clients.
  public var anonymousList: OwnerID?
  /// The Unix users that may connect over a Unix socket. Those that belong to no user of the server share `unixList`.
  public var unixUsers: Set<UInt32>
  /// The shared list of the Unix users that belong to no user of the server.
  public var unixList: OwnerID = .local

  /// Creates a policy whose shared list of Unix users is `OwnerID.local`.
  public init(anonymousList: OwnerID?, unixUsers: Set<UInt32>) {
    self.anonymousList = anonymousList
    self.unixUsers = unixUsers
  }
}
