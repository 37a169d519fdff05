package import RPC

/// A method of the schema: its name, and the Swift values that its messages carry.
package struct Method<Request: Sendable, Response: Sendable>: Sendable {
  package let name: MethodName
  package let request: Codec<Request>
  package let response: Codec<Response>

  init(_ service: String, _ method: String, _ request: Codec<Request>, _ response: Codec<Response>) {
    name = MethodName(service: service, method: method)
    self.request = request
    self.response = response
  }
}
