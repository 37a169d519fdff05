import Synchronization
public import ToDoModel

/// Sends the codes that confirm email addresses, for all users of a server, and limits how many are sent.
///
/// The limits are in memory: at most 5 codes an hour for a user, and 3 for an address, whoever asks.
public final class EmailConfirmations: Sendable {
  private enum Subject: Hashable {
    case user(OwnerID)
    case address(String)

    /// The maximum number of codes within `interval`.
    var limit: Int {
      switch self {
      case .user: 5
      case .address: 3
      }
    }
  }

  private let sender: any ConfirmationSender
  private let clock: any WallClock
  private let makeCode: @Sendable () -> String
  /// The times of the codes within the last hour.
  private let sent = Mutex<[Subject: [Timestamp]]>([:])

  /// The time for which a code is valid.
  static let validity = Duration.seconds(24 * 3_600)
  private static let interval: Int64 = 3_600_000_000
  /// The maximum number of users and addresses whose times are held.
  static let subjectLimit = 10_000

  /// Creates the confirmations of a server.
  ///
  /// - Parameter makeCode: makes a code; the default is random.
  public init(
    sender: any ConfirmationSender, clock: any WallClock = SystemWallClock(),
    makeCode: @escaping @Sendable () -> String = {
      var generator = SystemRandomNumberGenerator()
      return EmailConfirmation.makeCode(using: &generator)
    }
  ) {
    (self.sender, self.clock, self.makeCode) = (sender, clock, makeCode)
  }

  /// Sends a code to the address of a new target.
  ///
  /// - Returns: the target as it has to be stored.
  /// - Throws: `ToDoError.notificationFailed`, also if too many codes were sent.
  func send(to target: NotificationTarget, of user: OwnerID) async throws -> NotificationTarget {
    let now = clock.now()
    try admit([.user(user), .address(target.url.lowercased())], at: now)
    let expiry = now.microseconds + Self.validity.components.seconds * 1_000_000
    let confirmation = EmailConfirmation(code: makeCode(), expiry: Timestamp(microseconds: expiry))
    var unconfirmed = target
    unconfirmed.secret = confirmation.secret
    try await sender.sendConfirmation(code: confirmation.code, to: target)
    return unconfirmed
  }

  private func admit(_ subjects: [Subject], at now: Timestamp) throws {
    let wait: Int64? = sent.withLock { sent in
      let start = now.microseconds - Self.interval
      func recent(_ subject: Subject) -> [Timestamp] { (sent[subject] ?? []).filter { $0.microseconds > start } }
      if sent.count + subjects.count > Self.subjectLimit {
        sent = sent.filter { $0.value.contains { $0.microseconds > start } }
        guard sent.count + subjects.count <= Self.subjectLimit else { return Self.interval }
      }
      let waits = subjects.compactMap { subject in
        let times = recent(subject)
        return times.count < subject.limit ? nil : times.first.map { $0.microseconds - start }
      }
      if let longest = waits.max() { return longest }
      for subject in subjects { sent[subject] = recent(subject) + [now] }
      return nil
    }
    guard let wait else { return }
    let minutes = (wait + 59_999_999) / 60_000_000
    throw ToDoError.notificationFailed(detail: "too many codes were sent; try again in \(minutes) min")
  }
}
