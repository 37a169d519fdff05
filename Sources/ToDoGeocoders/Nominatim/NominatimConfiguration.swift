#if Nominatim
/// The configuration of a Nominatim client.
package struct NominatimConfiguration: Sendable {
  /// The server's URL.
  package let url: NominatimURL
  /// The value of the header `User-Agent`: the product, its version and a contact.
  package let userAgent: String
  /// The minimum interval between two requests. Public servers require one second.
  package var requestInterval = Duration.seconds(1)
  /// The maximum number of one owner's waiting callers.
  package var queueLimit = 16
  /// The maximum number of all owners' waiting callers.
  package var totalQueueLimit = 128
  /// The timeout of connecting.
  package var connectTimeout = Duration.seconds(5)
  /// The timeout of one request, from connecting to the end of the response.
  package var requestTimeout = Duration.seconds(10)
  /// The maximum size of a response body, in bytes. Longer responses are rejected.
  package var bodySizeLimit = 1 << 20

  /// Creates a configuration with default limits.
  ///
  /// - Parameters:
  ///   - url: the server's URL.
  ///   - product: the product and its version, for example "todo/1.0".
  ///   - contact: an email address or web page for the operator of the server.
  package init(url: NominatimURL, product: String, contact: String? = nil) {
    self.url = url
    let text = contact.map { "\(product) (\($0))" } ?? product
    // Removes characters that are not ASCII, and line breaks, which would end the header.
    userAgent = String(String.UnicodeScalarView(text.unicodeScalars.filter { (" "..."~").contains($0) }))
  }
}
#endif
