/// The identity of a list's history: a random number that changes when the list is replaced, for example by a backup.
///
/// Revisions of two incarnations count different changes, so they must not be compared.
public struct ListIncarnation: Hashable, Sendable {
  /// Never 0.
  public let number: UInt64

  /// - Returns: `nil` for 0, which stands for an unknown incarnation.
  public init?(_ number: UInt64) {
    guard number != 0 else { return nil }
    self.number = number
  }

  private init(nonzero number: UInt64) { self.number = number }

  public static func random() -> ListIncarnation { ListIncarnation(nonzero: .random(in: 1 ... .max)) }
}

extension ListIncarnation: LosslessStringConvertible {
  /// - Returns: `nil` for anything but the 16 hexadecimal digits of a description.
  public init?(_ text: String) {
    guard text.utf8.count == 16, text.allSatisfy(\.isHexDigit), let number = UInt64(text, radix: 16) else { return nil }
    self.init(number)
  }

  /// 16 hexadecimal digits in lower case.
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
