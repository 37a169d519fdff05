#if GRPC
  import GRPCCore
  import TTRPC

  extension GRPCCore.RPCError {
    /// The key of the google.rpc.Status that says more than code and message do.
    static let detailsKey = "grpc-status-details-bin"

    /// The form of an error on gRPC's wire: its details go with it, encoded, as metadata.
    ///
    /// Clients refuse metadata of more than 8 KiB, so of a large error only the beginning is told.
    init(_ error: TTRPC.RPCError) {
      let told = error.fittingMetadata
      // `ok` is no error, so what says that it failed with it failed for reasons unknown.
      let code = Status.Code(rawValue: Int(error.code.rawValue)).flatMap(Code.init) ?? .unknown
      self.init(code: code, message: told.message, metadata: [Self.detailsKey: .binary(told.encodedStatus)])
    }
  }

  extension TTRPC.RPCError {
    private static let maximumDetailsLength = 4 << 10

    fileprivate var encodedStatus: [UInt8] {
      let arena = Arena()
      defer { arena.release() }
      return Array(arena.pack(status(in: arena).message))
    }

    fileprivate var fittingMetadata: TTRPC.RPCError {
      var error = self
      while error.encodedStatus.count > Self.maximumDetailsLength, !error.violations.isEmpty {
        error.violations.removeLast((error.violations.count + 1) / 2)
      }
      guard error.encodedStatus.count > Self.maximumDetailsLength else { return error }
      return TTRPC.RPCError(code, reason: reason, domain: domain, String(message.unicodeScalars.prefix(100)))
    }
  }
#endif
