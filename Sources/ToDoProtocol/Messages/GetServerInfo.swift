import CProtos
import TTRPC
import ToDoModel

extension Codec where Value == Void {
  static var getServerInfoRequest: Codec {
    Codec(todo__v1__get_server_info_request__init)
  }
}

extension Codec where Value == ServiceInfo {
  /// - Parameters:
  ///   - frameLength: the most bytes that the server takes in a frame.
  ///   - calls: how many calls it takes at a time on a connection.
  static func getServerInfoResponse(frameLength: Int, calls: Int) -> Codec {
    Codec(todo__v1__get_server_info_response__init) { message in
      guard let time = message.server_time.flatMap({ Timestamp($0.pointee) }) else { throw DecodingFailure.malformed }
      return ServiceInfo(
        version: try message.server_version.text("server_version"),
        capabilities: Set(
          try UnsafeBufferPointer(start: message.capabilities, count: message.n_capabilities).map {
            ServiceInfo.Capability(try $0.text("capabilities"))
          }),
        geocoderAttribution: try message.geocoder_attribution.text("geocoder_attribution"), time: time)
    } encode: { info, message, arena in
      let limits = arena.make(todo__v1__server_limits__init)
      limits.pointee.max_frame_bytes = Int32(clamping: frameLength)
      limits.pointee.max_page_size = Int32(ItemQuery.Limits.pageSize)
      limits.pointee.max_batch_size = Int32(NewItem.batchLimit)
      limits.pointee.max_streams_per_connection = Int32(clamping: calls)
      message.pointee.server_version = arena.bytes(info.version)
      message.pointee.n_capabilities = info.capabilities.count
      message.pointee.capabilities = arena.array(info.capabilities.map(\.name).sorted().map { arena.bytes($0) })
      message.pointee.protocol_version = arena.bytes("1.2")
      message.pointee.limits = limits
      message.pointee.geocoder_attribution = arena.bytes(info.geocoderAttribution)
      message.pointee.server_time = info.time.message(in: arena)
    }
  }
}
