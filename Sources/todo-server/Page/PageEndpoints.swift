#if HTTP
internal import CToDoPage
import NIOCore
import ToDoHTTPTransport

/// The page that browsers show: the files of CToDoPage.
enum PageEndpoints {
  /// The endpoints for all files, for the towns on maps, and for the rules for robots, which may read nothing.
  ///
  /// The modules have one endpoint, `app.js`, because a browser would request each of them by itself.
  static var all: [any HTTPEndpoint] {
    let files = (0..<todo_page_file_count()).filter { !isModule(name(of: $0)) }.map(endpoint)
    return files + [
      StaticEndpoint(path: "/app.js", contentType: contentType(of: "app.js"), headers: headers) { modules },
      WorldTowns.endpoint,
      StaticEndpoint(path: "/robots.txt", contentType: "text/plain; charset=utf-8") {
        ByteBuffer(string: "User-agent: *\nDisallow: /\n")
      },
    ]
  }

  private static func endpoint(_ index: Int) -> StaticEndpoint {
    let name = name(of: index)
    return StaticEndpoint(
      path: name == "index.html" ? "/" : "/" + name, contentType: contentType(of: name), headers: headers
    ) {
      ByteBuffer(bytes: bytes(of: index))
    }
  }

  private static func name(of index: Int) -> String { String(cString: todo_page_file(index).name) }

  private static func bytes(of index: Int) -> UnsafeBufferPointer<UInt8> {
    let file = todo_page_file(index)
    return UnsafeBufferPointer(start: file.bytes, count: file.size)
  }

  /// Whether a file is a module of the page. The service worker is a program of its own.
  private static func isModule(_ name: String) -> Bool { name.hasSuffix(".js") && name != "service-worker.js" }

  /// All modules as one.
  private static var modules: ByteBuffer {
    let files = (0..<todo_page_file_count()).filter { isModule(name(of: $0)) }
    let texts = files.map { (name(of: $0), String(decoding: bytes(of: $0), as: UTF8.self)) }
    return ByteBuffer(string: PageModules.join(Dictionary(uniqueKeysWithValues: texts), from: "app.js"))
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
