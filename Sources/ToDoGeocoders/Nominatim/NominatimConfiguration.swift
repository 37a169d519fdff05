/// Which server to ask, as whom, and how often.
package struct NominatimConfiguration: Sendable {
  package let url: NominatimURL
  /// Who asks: a product and its version, and how to reach who runs it.
  package let userAgent: String
  /// From one request to the next; public servers demand a second.
  package var requestInterval = Duration.seconds(1)
  /// The maximum number of callers that wait for their turn for one owner.
  package var queueLimit = 16
  /// The maximum number of callers that wait for their turn, for all owners together.
  package var totalQueueLimit = 128
  package var connectTimeout = Duration.seconds(5)
  /// For how long one request may take in all, from the connection to the end of the answer.
  package var requestTimeout = Duration.seconds(10)
  /// Longer answers are refused, in bytes.
  package var bodySizeLimit = 1 << 20

  /// - Parameters:
  ///   - product: as in "todo/1.0".
  ///   - contact: an email address or a web page, for whoever runs the server.
  package init(url: NominatimURL, product: String, contact: String? = nil) {
    self.url = url
    let text = contact.map { "\(product) (\($0))" } ?? product
    // What is no ASCII or would end the header has no place in it.
    userAgent = String(String.UnicodeScalarView(text.unicodeScalars.filter { (" "..."~").contains($0) }))
  }
}
