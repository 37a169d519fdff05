#if HTTP
internal import CToDoOpenAPI
import NIOCore
import ToDoHTTPTransport

/// The description of the JSON that the server speaks over HTTP, for tools that generate clients. It is the same for everyone.
enum OpenAPIEndpoint {
  static let path = "/.well-known/openapi.json"

  static var endpoint: StaticEndpoint {
    StaticEndpoint(path: path, contentType: "application/json", maximumSize: maximumSize) {
      ByteBuffer(bytes: UnsafeBufferPointer(start: todo_openapi_bytes(), count: todo_openapi_size()))
    }
  }

  /// The maximum size of the document, in bytes.
  private static let maximumSize = 1 << 20
}
#endif
