#if GRPC
import NIOHPACK
import ToDoRPC

extension HPACKHeaders {
  /// The headers before a call's first message.
  static let response: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]

  /// The trailers of a call that succeeded.
  static let success: HPACKHeaders = ["grpc-status": "0"]

  /// The trailers of a call that failed after its headers were sent.
  static func failure(_ error: RPCError) -> HPACKHeaders {
    let (sent, details) = error.fittingTrailers
    // An error with the code `ok` would look like success.
    let code = sent.code == .ok ? StatusCode.unknown : sent.code
    var trailers: HPACKHeaders = ["grpc-status": String(code.rawValue)]
    if !sent.message.isEmpty { trailers.add(name: "grpc-message", value: sent.message.percentEncoded) }
    trailers.add(name: RPCError.detailsKey, value: details.base64)
    if sent.reason == RPCError.unsupportedEncoding.reason {
      trailers.add(name: "grpc-accept-encoding", value: "identity")
    }
    return trailers
  }

  /// The only headers of a call that failed before others were sent.
  static func onlyFailure(_ error: RPCError) -> HPACKHeaders {
    var headers = response
    headers.add(contentsOf: failure(error))
    return headers
  }

  /// The response to a request that is not gRPC.
  static func http(_ status: Int) -> HPACKHeaders { [":status": String(status)] }
}

extension String {
  /// The text in the encoding of `grpc-message`: `%`, and every byte that is not printable ASCII, as `%XX`.
  var percentEncoded: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if (0x20...0x7e).contains(byte), byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), Self.hexadecimal[Int(byte >> 4)], Self.hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

extension [UInt8] {
  /// The bytes as the value of a `-bin` header: base64 without padding.
  var base64: String {
    var digits: [UInt8] = []
    digits.reserveCapacity((count * 4 + 2) / 3)
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0...group.count { digits.append(Self.base64Digits[bits >> (18 - 6 * index) & 63]) }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
#endif
