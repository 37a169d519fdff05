import Logging
import Synchronization

/// Keeps what is logged, at every level.
struct LogText: LogHandler {
  private final class Lines: Sendable {
    let texts = Mutex<[String]>([])
  }

  private let lines = Lines()
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]

  var texts: [String] { lines.texts.withLock(\.self) }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.texts.withLock { $0.append("\(event.message) \(event.metadata ?? [:]) \(metadata)") }
  }
}
