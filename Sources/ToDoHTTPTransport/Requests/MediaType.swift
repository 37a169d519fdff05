#if HTTP
/// A value of Content-Type.
struct MediaType: Equatable {
  /// The type and the subtype, in lower case.
  let essence: String
  /// The parameter `charset`, in lower case; `nil` if there is none.
  let charset: String?

  /// Parses a type with or without parameters. Returns `nil` if it is malformed.
  init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
    essence = parts[0].lowercased()
    guard essence.split(separator: "/", omittingEmptySubsequences: false).count == 2, essence.utf8.allSatisfy(\.isType)
    else {
      return nil
    }
    var charset: String?
    for part in parts.dropFirst() where !part.isEmpty {
      let name = part.prefix { $0 != "=" }
      var value = part.dropFirst(name.count + 1)
      guard name.count < part.count, !name.isEmpty, !value.isEmpty else { return nil }
      if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
      guard name.lowercased() == "charset" else { continue }
      guard charset == nil else { return nil }
      charset = value.lowercased()
    }
    self.charset = charset
  }
}

extension Substring {
  /// The text without the spaces and tabs at its ends.
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start.prefix(start.count - start.reversed().prefix { $0 == " " || $0 == "\t" }.count)
  }
}

extension UInt8 {
  /// Whether the byte may be a part of a type.
  fileprivate var isType: Bool {
    (0x21...0x7e).contains(self) && self != UInt8(ascii: ",") && self != UInt8(ascii: "\"")
  }
}
#endif
