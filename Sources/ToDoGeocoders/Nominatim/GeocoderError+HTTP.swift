#if Nominatim
import ToDoHTTP
import ToDoRules

extension GeocoderError {
  /// Maps an error of the HTTP client.
  init(_ error: HTTPError) {
    switch error {
    case .shutDown: self = .unavailable(detail: "the geocoder has been shut down")
    case .timedOut: self = .timedOut
    case .malformedResponse(let detail): self = .malformedResponse(detail: detail)
    case .invalidURL, .refusedDestination, .unavailable: self = .unavailable(detail: "\(error)")
    }
  }
}
#endif
