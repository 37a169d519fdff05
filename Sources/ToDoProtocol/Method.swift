package import ToDoRPC

/// A method of the schema: its name, and its messages' codecs.
package struct Method<Request: Sendable, Response: Sendable>: Sendable {
  /// The method's name.
  package let name: MethodName
  /// The codec of the request.
  package let request: Codec<Request>
  /// The codec of the response.
  package let response: Codec<Response>

  init(_ service: String, _ method: String, _ request: Codec<Request>, _ response: Codec<Response>) {
    name = MethodName(service: service, method: method)
    self.request = request
    self.response = response
  }
}
