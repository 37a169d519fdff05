#if HTTP
import NIOCore
import ToDoRPC

/// The query of a call by GET, which browsers and proxies may repeat: `?connect=v1&encoding=json&message=...`.
struct ConnectQuery: Equatable {
  /// The format of message and response.
  let format: FormatName
  /// The message.
  let message: ByteBuffer
  /// Whether the message is compressed with gzip.
  let isCompressed: Bool

  /// Parses a query. Parameters without a meaning are ignored.
  ///
  /// - Throws: `RPCError`.
  init(_ query: String) throws(RPCError) {
    var parameters: [String: [UInt8]] = [:]
    for pair in query.split(separator: "&") {
      let encodedName = pair.prefix { $0 != "=" }
      guard let name = String(encodedName).percentDecoded,
        let value = String(pair.dropFirst(encodedName.count + 1)).percentDecoded
      else {
        throw .malformed("the query is not percent-encoded")
      }
      guard parameters.updateValue(value, forKey: String(decoding: name, as: UTF8.self)) == nil else {
        throw .malformed("a parameter of the query occurs twice")
      }
    }
    func text(_ name: String) -> String? { parameters[name].map { String(decoding: $0, as: UTF8.self) } }
    guard text("connect") ?? "v1" == "v1" else { throw .malformed("the parameter connect is not v1") }
    guard let format = text("encoding").flatMap(FormatName.init) else {
      throw .malformed("the parameter encoding is not json or proto")
    }
    let compression = text("compression") ?? ""
    guard ["", "identity", "gzip"].contains(compression) else {
      throw .malformed("the parameter compression is neither gzip nor identity")
    }
    isCompressed = compression == "gzip"
    guard let message = parameters["message"] else { throw .malformed("the parameter message is missing") }
    self.format = format
    guard let isBase64 = text("base64") else {
      self.message = ByteBuffer(bytes: message)
      return
    }
    guard isBase64 == "1", let bytes = message.base64Decoded else {
      throw .malformed("the parameter message is not base64")
    }
    self.message = ByteBuffer(bytes: bytes)
  }
}

extension String {
  /// The bytes of a text in which `%XX` stands for a byte, and `+` for a space; `nil` if a `%` is not followed by two digits.
  fileprivate var percentDecoded: [UInt8]? {
    var (bytes, rest) = ([UInt8](), utf8[...])
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}

extension [UInt8] {
  /// The bytes of a base64 text in the URL alphabet, with or without padding; `nil` for another text.
  fileprivate var base64Decoded: [UInt8]? {
    var digits = self[...]
    while digits.last == UInt8(ascii: "="), count - digits.count < 2 { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    var (bytes, bits, bitCount): ([UInt8], UInt32, Int) = ([], 0, 0)
    for digit in digits {
      guard let value = digit.base64Value else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
    }
    return bytes
  }
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  fileprivate var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
    case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
#endif
