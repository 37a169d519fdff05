public import ToDoModel

/// Who is let in without a user's credentials.
public struct AccessPolicy: Equatable, Sendable {
  /// The list of those who come over the network and show no credentials; `nil`: they are not let in.
  public var anonymousList: OwnerID?
  /// The Unix users who may come over a Unix socket at all. Those who are no user of the server share `unixList`.
  public var unixUsers: Set<UInt32>
  public var unixList: OwnerID = .local

  public init(anonymousList: OwnerID?, unixUsers: Set<UInt32>) {
    self.anonymousList = anonymousList
    self.unixUsers = unixUsers
  }
}
