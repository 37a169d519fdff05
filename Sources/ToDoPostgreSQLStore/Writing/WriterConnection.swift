#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoStores

/// The connection of a writer, which is opened again when it is lost.
struct WriterConnection {
  private let settings: ConnectionSettings
  private let now: @Sendable () -> ContinuousClock.Instant
  private var connection: PostgreSQLConnection?
  /// The error of the last attempt to connect, until the next attempt may be made.
  private var pause: (end: ContinuousClock.Instant, error: any Error)?
  /// Short, because every write is rejected until a database that was replaced is found.
  private var delay: ReconnectDelay
  private(set) var isClosed = false

  init(_ settings: ConnectionSettings, timing: StoreTiming) {
    self.settings = settings
    now = timing.now
    delay = ReconnectDelay(first: .milliseconds(50), maximum: .milliseconds(250), jitter: timing.jitter)
  }

  /// Returns a usable connection outside any transaction.
  ///
  /// - Throws: `PostgreSQLError`; `ToDoError.storeClosed`. During a pause, the error of the last attempt.
  mutating func open() throws -> PostgreSQLConnection {
    guard !isClosed else { throw ToDoError.storeClosed }
    if let connection {
      StoreTransaction.rollBack(connection)
      if connection.isUsable, !connection.isInTransaction { return connection }
    }
    connection = nil
    if let pause, now() < pause.end { throw pause.error }
    do {
      let opened = try PostgreSQLConnection(settings)
      (connection, pause) = (opened, nil)
      delay.reset()
      return opened
    } catch {
      pause = (now() + delay.next(), error)
      throw error
    }
  }

  mutating func close() {
    isClosed = true
    connection = nil
  }
}
#endif
