import Synchronization

/// The part of a call beside its messages: the timeout that the caller asks for, and metadata that the method adds to its response.
///
/// Only calls of methods with `ServerMethod.exchangesMetadata` have one, so that other calls don't pay for it.
package final class MetadataExchange: Sendable {
  /// The caller's timeout; `nil` if the caller did not set one.
  package let timeout: Duration?
  private let response = Mutex(ResponseMetadata())

  /// Creates the exchange of a call whose response has no metadata yet.
  package init(timeout: Duration?) {
    self.timeout = timeout
  }

  /// The metadata of the response. Headers have no effect once the first message has been sent.
  package var metadata: ResponseMetadata {
    get { response.withLock(\.self) }
    set { response.withLock { $0 = newValue } }
  }
}

/// The metadata of a response. Its keys and values must be those of HTTP headers: printable ASCII.
package struct ResponseMetadata: Equatable, Sendable {
  /// The pairs that precede the first message.
  package var headers = Metadata()
  /// The pairs that follow the last message, together with the error of a failed call.
  package var trailers = Metadata()

  /// Creates empty metadata.
  package init() {}
}
