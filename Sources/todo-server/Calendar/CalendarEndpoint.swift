#if HTTP
import NIOCore
import ToDoCalendar
import ToDoHTTPTransport
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer

/// Shows a user's items to calendar programs: `/calendar.ics?feed=TOKEN`, with `&todos` as to-dos instead of events.
///
/// The token is in the address because these programs send no other credentials. It permits reading the feed and nothing else, and no
/// log of the server contains it.
struct CalendarEndpoint: HTTPEndpoint {
  let feeds: FeedReader
  private let zones = TimeZoneFiles()

  let path = UserFeeds.path
  let methods: Set<String> = ["GET", "HEAD"]
  let maximumBodySize = 0

  init(feeds: FeedReader) { self.feeds = feeds }

  func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
    let query = Query(request.query)
    do {
      let content = try await feeds.content(query.feed, for: request.call) { tag in
        request.call.metadata.pairs.contains { $0.key == "if-none-match" && $0.value.names(query.tag(tag)) }
      } text: { lists, isOfOne in
        try await text(of: lists, named: isOfOne ? lists.first?.name : nil, as: query.component)
      }
      switch content {
      case .unchanged(let tag): return response(304, query.tag(tag))
      case .text(let text, let tag): return response(200, query.tag(tag), text)
      }
    } catch {
      return HTTPEndpointResponse(feedError: error)
    }
  }

  /// - Parameter name: the name of the only list that the feed can have; `nil` for a feed of all lists.
  private func text(
    of lists: [FeedReader.List], named name: String?, as component: ItemCalendar.Component
  ) async throws -> [UInt8] {
    try await ItemCalendar.text(
      of: lists.map { ItemCalendar.List(name: lists.count == 1 ? nil : $0.name, items: $0.items) },
      named: name ?? "To do", as: component, rules: zones.rules(of:))
  }

  private func response(_ status: Int, _ tag: String, _ text: [UInt8]? = nil) -> HTTPEndpointResponse {
    var response = HTTPEndpointResponse(
      status: status, contentType: text == nil ? nil : "text/calendar; charset=utf-8",
      body: ByteBuffer(bytes: text ?? []))
    response.headers["etag"] = tag
    // The reader may keep what it has, and asks before each use whether it has changed.
    response.headers["cache-control"] = "private, no-cache"
    return response
  }

  /// The parameters of the address. Unknown ones are ignored, because some programs add their own.
  private struct Query {
    var feed = ""
    var component = ItemCalendar.Component.event

    init(_ text: String) {
      for parameter in text.split(separator: "&") {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        switch parts.first {
        case "feed": feed = parts.count == 2 ? String(parts[1]) : ""
        case "todos": component = .toDo
        default: break
        }
      }
    }

    /// Returns the tag of a representation.
    func tag(_ content: String) -> String { "\"\(content)-\(component == .toDo ? "t" : "e")\"" }
  }
}

extension String {
  /// Whether a value of If-None-Match names a tag.
  fileprivate func names(_ tag: String) -> Bool {
    split(separator: ",").contains { element in
      let name = element.trimmingPrefix { $0 == " " }.prefix { $0 != " " }
      // A proxy that compresses makes the tag weak.
      return name == tag || name == "W/" + tag || name == "*"
    }
  }
}

extension HTTPEndpointResponse {
  /// The response to a reader without access, which does not say why: the feed was revoked, or there never was one.
  fileprivate init(feedError error: any Error) {
    let error = RPCError(mapping: error)
    let (status, text) =
      switch error.code {
      case .unauthenticated, .notFound: (404, "there is no such calendar feed")
      case .resourceExhausted: (429, error.message)
      case .unavailable: (503, error.message)
      default: (500, "the server failed")
      }
    self.init(status: status, body: ByteBuffer(string: text + "\n"))
  }
}
#endif
