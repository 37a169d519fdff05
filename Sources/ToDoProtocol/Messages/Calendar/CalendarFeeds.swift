import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == ListID? {
  static var createCalendarFeedRequest: Codec {
    Codec(todo__v1__create_calendar_feed_request__init) { message in
      message.list.isEmpty ? nil : try ListID(message.list, at: "list")
    } encode: { list, message, arena in
      if let list { message.pointee.list = list.bytes(in: arena) }
    }
  }
}

extension Codec where Value == CreatedCalendarFeed {
  static var createCalendarFeedResponse: Codec {
    Codec(todo__v1__create_calendar_feed_response__init) { message in
      guard let feed = message.feed?.pointee else { throw RPCError.malformedResponse("feed", "must be set") }
      let path = try message.path.line("path", upTo: addressBytes)
      guard path.hasPrefix("/") else { throw RPCError.malformedResponse("path", "must begin with a slash") }
      return CreatedCalendarFeed(
        feed: try CalendarFeed(response: feed, at: "feed"), path: path,
        origin: try message.origin.line("origin", upTo: addressBytes))
    } encode: { created, message, arena in
      message.pointee.feed = created.feed.message(in: arena)
      message.pointee.path = arena.bytes(created.path)
      message.pointee.origin = arena.bytes(created.origin)
    }
  }

  /// The maximum number of bytes in a path, and in an origin.
  private static var addressBytes: Int { 2048 }
}

extension Codec where Value == [CalendarFeed] {
  static var listCalendarFeedsResponse: Codec {
    Codec(todo__v1__list_calendar_feeds_response__init) { message in
      try UnsafeBufferPointer(start: message.feeds, count: message.n_feeds)
        .messages(of: "feeds", upTo: receivedFeeds) { try CalendarFeed(response: $0, at: $1()) }
    } encode: { feeds, message, arena in
      message.pointee.n_feeds = feeds.count
      message.pointee.feeds = arena.array(feeds.map { $0.message(in: arena) })
    }
  }

  /// The maximum number of feeds in a response, also of a later server.
  private static var receivedFeeds: Int { 1_000 }
}

extension Codec where Value == CalendarFeedID {
  static var revokeCalendarFeedRequest: Codec {
    Codec(todo__v1__revoke_calendar_feed_request__init) { message in
      guard let id = CalendarFeedID(try message.id.text("id")) else {
        let reason = "must be the ID of a feed: 16 lower-case hexadecimal digits"
        throw ToDoError.invalidRequest([FieldViolation("id", reason)])
      }
      return id
    } encode: { id, message, arena in
      message.pointee.id = arena.bytes(id.description)
    }
  }
}

extension Codec where Value == Void {
  static var listCalendarFeedsRequest: Codec { Codec(todo__v1__list_calendar_feeds_request__init) }
  static var revokeCalendarFeedResponse: Codec { Codec(todo__v1__revoke_calendar_feed_response__init) }
}

extension CalendarFeed {
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init(response message: Todo__V1__CalendarFeed, at path: String) throws {
    guard let id = message.id.text.flatMap(CalendarFeedID.init) else {
      throw RPCError.malformedResponse("\(path).id", "must be 16 lower-case hexadecimal digits")
    }
    self.init(
      id: id, list: message.list.isEmpty ? nil : try ListID(response: message.list, at: "\(path).list"),
      createdAt: try Timestamp(response: message.created_at, at: "\(path).created_at"))
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__CalendarFeed> {
    let message = arena.make(todo__v1__calendar_feed__init)
    message.pointee.id = arena.bytes(id.description)
    if let list { message.pointee.list = list.bytes(in: arena) }
    message.pointee.created_at = createdAt.message(in: arena)
    return message
  }
}
