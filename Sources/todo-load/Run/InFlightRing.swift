import ToDoRPC
import ToDoTTRPC

/// The requests in flight on one connection, by stream ID.
///
/// The ring exploits that stream IDs are sequential and that responses mostly arrive in order. A look-up takes a few
/// instructions.
struct InFlightRing {
  private var slots: [(id: UInt32, request: InFlightRequest?)]

  /// Creates a ring, which grows if a request stays in flight much longer than later ones.
  ///
  /// - Parameter limit: The maximum number of requests in flight.
  init(limit: Int) {
    slots = Self.emptySlots(limit * 2)
  }

  mutating func insert(_ request: InFlightRequest, _ id: StreamID) {
    while slots[index(id.rawValue)].request != nil { grow() }
    slots[index(id.rawValue)] = (id.rawValue, request)
  }

  @discardableResult
  mutating func remove(_ id: StreamID) -> InFlightRequest? {
    let index = index(id.rawValue)
    guard slots[index].id == id.rawValue, let request = slots[index].request else { return nil }
    slots[index].request = nil
    return request
  }

  var all: [(id: StreamID, request: InFlightRequest)] {
    slots.compactMap { slot in slot.request.map { (StreamID(slot.id), $0) } }
  }

  /// Returns the slot of a stream. Streams that a client opens have odd IDs.
  private func index(_ id: UInt32) -> Int { Int(id >> 1) & (slots.count - 1) }

  private mutating func grow() {
    let old = slots
    slots = Self.emptySlots(old.count * 2)
    for slot in old where slot.request != nil { slots[index(slot.id)] = slot }
  }

  private static func emptySlots(_ count: Int) -> [(id: UInt32, request: InFlightRequest?)] {
    var size = 16
    while size < count { size *= 2 }
    return Array(repeating: (0, nil), count: size)
  }
}
