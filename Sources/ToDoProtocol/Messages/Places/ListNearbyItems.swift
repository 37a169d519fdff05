import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == Scoped<NearbyQuery> {
  static var listNearbyItemsRequest: Codec {
    Codec(scoped: todo__v1__list_nearby_items_request__init) { message in
      var violations: [FieldViolation] = []
      guard let latLng = message.center?.pointee else { throw ToDoError.missing("center") }
      let center = Coordinate(latLng, at: "center", &violations)
      guard let center, violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return NearbyQuery(
        center: center, radius: message.radius_meters == 0 ? nil : message.radius_meters,
        pageSize: message.page_size == 0 ? nil : Int(message.page_size),
        pageToken: try message.page_token.optionalText("page_token"))
    } encode: { query, message, arena in
      message.pointee.center = query.center.message(in: arena)
      message.pointee.radius_meters = query.radius ?? 0
      message.pointee.page_size = Int32(clamping: query.pageSize ?? 0)
      message.pointee.page_token = arena.bytes(query.pageToken ?? "")
    }
  }
}

extension Codec where Value == NearbyPage {
  static var listNearbyItemsResponse: Codec {
    Codec(todo__v1__list_nearby_items_response__init) { message in
      NearbyPage(
        items: try UnsafeBufferPointer(start: message.items, count: message.n_items)
          .messages(of: "items", upTo: ItemQuery.Limits.pageSize) { try NearbyItem($0, at: $1()) },
        nextPageToken: try message.next_page_token.pageToken())
    } encode: { page, message, arena in
      message.pointee.n_items = page.items.count
      message.pointee.items = arena.array(
        page.items.map { nearby in
          let message = arena.make(todo__v1__nearby_item__init)
          message.pointee.item = nearby.item.message(in: arena)
          message.pointee.distance_meters = nearby.distance
          return message
        })
      message.pointee.next_page_token = arena.bytes(page.nextPageToken ?? "")
    }
  }
}

extension NearbyItem {
  /// Decodes an item of a response, with its distance.
  fileprivate init(_ message: Todo__V1__NearbyItem, at path: @autoclosure () -> String) throws {
    let item = try ToDoItem(response: message.item, at: "\(path()).item")
    // Also false for NaN.
    guard (0...ResponseLimits.distance).contains(message.distance_meters) else {
      throw RPCError.malformedResponse(
        "\(path()).distance_meters",
        "is \(message.distance_meters); it must be a number from 0 to \(Int(ResponseLimits.distance))")
    }
    self.init(item: item, distance: message.distance_meters)
  }
}
