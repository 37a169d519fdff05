#if HTTP
internal import CToDoPage
import NIOCore
import ToDoHTTPTransport

/// The page that browsers show: the files of CToDoPage.
enum PageEndpoints {
  /// The endpoints for all files, for the towns on maps, and for the rules for robots, which may read nothing.
  static var all: [any HTTPEndpoint] {
    let files = (0..<todo_page_file_count()).map(endpoint)
    return files + [
      LargeTowns.endpoint,
      StaticEndpoint(path: "/robots.txt", contentType: "text/plain; charset=utf-8") {
        ByteBuffer(string: "User-agent: *\nDisallow: /\n")
      },
    ]
  }

  private static func endpoint(_ index: Int) -> StaticEndpoint {
    let name = String(cString: todo_page_file(index).name)
    return StaticEndpoint(
      path: name == "index.html" ? "/" : "/" + name, contentType: contentType(of: name), headers: headers
    ) {
      let file = todo_page_file(index)
      return ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.size))
    }
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    default: "application/octet-stream"
    }
  }

  /// The page loads nothing from elsewhere, runs no code of a document, sends no form, and is shown in no other page.
  private static let headers = [
    "content-security-policy": """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
  ]
}
#endif
