import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == Void {
  static var getServerInfoRequest: Codec {
    Codec(todo__v1__get_server_info_request__init)
  }
}

extension Codec where Value == ServiceInfo {
  /// Returns the codec for a server with given limits.
  ///
  /// - Parameters:
  ///   - frameLength: the maximum size of a frame that the server accepts, in bytes.
  ///   - calls: the maximum number of calls in flight on a connection.
  static func getServerInfoResponse(frameLength: Int, calls: Int) -> Codec {
    Codec(todo__v1__get_server_info_response__init) { message in
      // No client uses these fields, but they are validated like all others.
      _ = try message.protocol_version.line("protocol_version", upTo: ResponseLimits.name)
      try message.limits?.pointee.check()
      return ServiceInfo(
        version: try message.server_version.line("server_version", upTo: ResponseLimits.name),
        capabilities: try Set(message.capabilityNames.map(ServiceInfo.Capability.init)),
        geocoderAttribution: try message.geocoder_attribution.line(
          "geocoder_attribution", upTo: ResponseLimits.attribution),
        time: try Timestamp(response: message.server_time, at: "server_time"))
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

extension Todo__V1__GetServerInfoResponse {
  fileprivate var capabilityNames: [String] {
    get throws {
      guard n_capabilities <= ResponseLimits.capabilities else {
        throw RPCError.malformedResponse(
          "capabilities", "has \(n_capabilities) elements; at most \(ResponseLimits.capabilities) are allowed")
      }
      return try UnsafeBufferPointer(start: capabilities, count: n_capabilities).enumerated().map { index, name in
        try name.line("capabilities[\(index)]", upTo: ResponseLimits.name)
      }
    }
  }
}

extension Todo__V1__ServerLimits {
  /// Validates the limits.
  ///
  /// - Throws: `RPCError` if a limit is negative.
  fileprivate func check() throws {
    let limits = [
      ("max_frame_bytes", max_frame_bytes), ("max_page_size", max_page_size), ("max_batch_size", max_batch_size),
      ("max_streams_per_connection", max_streams_per_connection),
    ]
    for (name, limit) in limits where limit < 0 {
      throw RPCError.malformedResponse("limits.\(name)", "is \(limit); it must not be negative")
    }
  }
}
