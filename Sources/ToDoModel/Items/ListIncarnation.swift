/// An ID of a list's history: a random number that changes when the list is replaced, for example by a restored backup.
///
/// Revisions of two incarnations count different changes and must not be compared.
public struct ListIncarnation: Hashable, Sendable {
  /// The random number. It is never 0.
  public let number: UInt64

  /// Creates an incarnation from its number.
  ///
  /// - Returns: `nil` for 0, which represents an unknown incarnation.
  public init?(_ number: UInt64) {
    guard number != 0 else { return nil }
    self.number = number
  }

  private init(nonzero number: UInt64) { self.number = number }

  /// Returns a new random incarnation.
  public static func random() -> ListIncarnation { ListIncarnation(nonzero: .random(in: 1 ... .max)) }
}

extension ListIncarnation: LosslessStringConvertible {
  /// Creates an incarnation from its description.
  ///
  /// - Returns: `nil` if the text is not 16 hexadecimal digits.
  public init?(_ text: String) {
    guard text.utf8.count == 16, text.allSatisfy(\.isHexDigit), let number = UInt64(text, radix: 16) else { return nil }
    self.init(number)
  }

  /// The number as 16 lower-case hexadecimal digits.
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
