#if PostgreSQL
  import PostgreSQL
  import ToDoModel
  import ToDoStores

  /// The connection of a writer, which is opened again when it is lost.
  struct WriterConnection {
    private let settings: ConnectionSettings
    private var connection: Connection?
    /// The error of the last attempt to connect, until the next attempt may be made.
    private var pause: (end: ContinuousClock.Instant, error: any Error)?
    private var failureCount = 0
    private(set) var isClosed = false

    /// The first and the longest pause between two attempts.
    private static let pauses = (first: Duration.milliseconds(50), last: Duration.seconds(1))

    init(_ settings: ConnectionSettings) {
      self.settings = settings
    }

    /// Returns a usable connection outside of any transaction.
    ///
    /// - Throws: `PostgreSQLError`; `ToDoError.storeClosed`. During a pause, the error of the last attempt.
    mutating func open() throws -> Connection {
      guard !isClosed else { throw ToDoError.storeClosed }
      if let connection {
        StoreTransaction.rollBack(connection)
        if connection.isUsable, !connection.isInTransaction { return connection }
      }
      connection = nil
      if let pause, ContinuousClock.now < pause.end { throw pause.error }
      do {
        let opened = try Connection(settings)
        (connection, pause, failureCount) = (opened, nil, 0)
        return opened
      } catch {
        let length = min(Self.pauses.first * (1 << min(failureCount, 5)), Self.pauses.last)
        failureCount += 1
        pause = (ContinuousClock.now + length, error)
        throw error
      }
    }

    mutating func close() {
      isClosed = true
      connection = nil
    }
  }
#endif
