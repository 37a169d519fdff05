/// How often each operation occurs among the requests.
struct Mix: Equatable, Sendable {
  /// The operations that occur, in the order they were written, with their weights.
  let parts: [Part]
  private let total: UInt64

  struct Part: Equatable, Sendable {
    let operation: Operation
    let weight: UInt64
  }

  /// Reads `get=80,add=20`; weights are whole numbers, of which only the proportions matter.
  ///
  /// - Throws: `UsageError`.
  init(_ text: String) throws {
    var parts: [Part] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let weight = UInt32(pair[1]) else {
        throw UsageError("'\(word)' is not a part of a mix: write an operation and its weight, as in get=80")
      }
      guard let operation = Operation(rawValue: String(pair[0])) else {
        let names = Operation.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("there is no operation '\(pair[0])': there are \(names)")
      }
      guard !parts.contains(where: { $0.operation == operation }) else {
        throw UsageError("the operation '\(operation.rawValue)' is in the mix twice")
      }
      parts.append(Part(operation: operation, weight: UInt64(weight)))
    }
    self.parts = parts.filter { $0.weight > 0 }
    total = parts.reduce(0) { $0 + $1.weight }
    guard total > 0 else { throw UsageError("all weights of the mix are 0") }
  }

  /// The operation that a random number stands for.
  func choose(_ random: UInt64) -> Operation {
    guard parts.count > 1 else { return parts[0].operation }
    // The product's high half is evenly spread over 0..<total, without a division.
    var left = random.multipliedFullWidth(by: total).high
    for part in parts {
      if left < part.weight { return part.operation }
      left -= part.weight
    }
    return parts[0].operation
  }

  func contains(where isMatch: (Operation) -> Bool) -> Bool { parts.contains { isMatch($0.operation) } }
}

extension Mix: CustomStringConvertible {
  var description: String { parts.map { "\($0.operation.rawValue)=\($0.weight)" }.joined(separator: ",") }
}
