#if GRPC
  import GRPCCore
  import TTRPC

  extension TTRPC.Metadata {
    /// What a client sent with a call, without what is gRPC's or this server's own.
    init(_ metadata: GRPCCore.Metadata) {
      self.init()
      for (key, value) in metadata where !Self.isReserved(key) { append(key, value.encoded()) }
    }

    private static func isReserved(_ key: String) -> Bool {
      key.hasPrefix(":") || key.hasPrefix("grpc-") || ["content-type", "te", ConnectionStamp.key].contains(key)
    }
  }

  extension GRPCCore.Metadata {
    /// How long the caller waits, as `grpc-timeout` says it: at most eight digits and a unit.
    ///
    /// - Returns: `nil` when it set no bound, or none that can be read.
    var callTimeout: Duration? {
      guard let text = self[stringValues: "grpc-timeout"].first(where: { _ in true }), let unit = text.last,
        text.count <= 9, let number = Int64(text.dropLast()), number >= 0
      else { return nil }
      return switch unit {
      case "H": .seconds(number * 3600)
      case "M": .seconds(number * 60)
      case "S": .seconds(number)
      case "m": .milliseconds(number)
      case "u": .microseconds(number)
      case "n": .nanoseconds(number)
      default: nil
      }
    }
  }
#endif
