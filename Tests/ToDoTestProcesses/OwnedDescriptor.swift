import Glibc
import Synchronization

/// A file descriptor, which is closed when this value is deinitialized.
package final class OwnedDescriptor: Sendable {
  private let state: Mutex<Int32?>

  /// - Parameter number: a close-on-exec descriptor that nothing else closes.
  package init(_ number: Int32) {
    state = Mutex(number)
  }

  deinit {
    close()
  }

  /// The descriptor's number; after `close()`, one that every system call rejects.
  package var number: Int32 { state.withLock { $0 ?? -1 } }

  /// Closes the descriptor. Does nothing the second time.
  package func close() {
    if let number = state.withLock({ $0.take() }) { closeDescriptor(number) }
  }

  /// Returns the text up to the end of the input.
  ///
  /// - Throws: `TimedOut` if the end does not come within the limit.
  package func readToEnd(within limit: Duration = .seconds(300)) throws -> String {
    try read(within: limit) { _ in false }
  }

  /// Returns the input up to a text, and possibly beyond it; a shorter one if the input ends first.
  ///
  /// - Throws: `TimedOut` if neither comes within the limit.
  package func read(upTo end: String, within limit: Duration = .seconds(300)) throws -> String {
    try read(within: limit) { String(decoding: $0, as: UTF8.self).contains(end) }
  }

  /// Returns the input up to the end of a number of lines, and possibly beyond it; fewer if the input ends first.
  ///
  /// - Throws: `TimedOut` if neither comes within the limit.
  package func readLines(_ count: Int, within limit: Duration = .seconds(300)) throws -> String {
    try read(within: limit) { bytes in bytes.count { $0 == 0x0A } >= count }
  }

  private func read(within limit: Duration, until isComplete: ([UInt8]) -> Bool) throws -> String {
    let deadline = ContinuousClock.now + limit
    var bytes: [UInt8] = []
    while !isComplete(bytes) {
      guard try isReadable(number, before: deadline) else {
        throw TimedOut(limit: limit, text: String(decoding: bytes, as: UTF8.self))
      }
      let more = try readBytes(number)
      guard !more.isEmpty else { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The expected input did not come in time.
  package struct TimedOut: Error, CustomStringConvertible {
    let limit: Duration
    /// The input so far.
    package let text: String

    package var description: String { "the expected output did not come within \(limit); it is “\(text)” so far" }
  }

  package func write(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty { bytes = bytes.dropFirst(try writeBytes(bytes, to: number)) }
  }
}

private func closeDescriptor(_ number: Int32) { close(number) }

/// Whether `read` returns at once, after waiting for that until a deadline.
private func isReadable(_ number: Int32, before deadline: ContinuousClock.Instant) throws -> Bool {
  while true {
    let milliseconds = (deadline - ContinuousClock.now) / .milliseconds(1)
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    switch poll(&request, 1, Int32(min(max(0, milliseconds), 1e9))) {
    case 0: return false
    case 1...: return true
    default: guard errno == EINTR else { throw SystemError("cannot wait for input") }
    }
  }
}

/// Returns the next bytes, or none at the end of the input.
private func readBytes(_ number: Int32) throws -> [UInt8] {
  while true {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
      count = read(number, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    if count >= 0 { return bytes }
    guard errno == EINTR else { throw SystemError("cannot read") }
  }
}

/// - Returns: the number of bytes written.
private func writeBytes(_ bytes: ArraySlice<UInt8>, to number: Int32) throws -> Int {
  while true {
    let count = bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    guard errno == EINTR else { throw SystemError("cannot write") }
  }
}
