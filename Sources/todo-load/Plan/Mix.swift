/// The relative frequency of each operation among the requests.
struct Mix: Equatable, Sendable {
  /// The operations with a positive weight, in the order of the text.
  let parts: [Part]
  private let total: UInt64

  struct Part: Equatable, Sendable {
    let operation: Operation
    let weight: UInt64
  }

  /// Parses a mix such as `get=80,add=20`. Weights are whole numbers, and only their proportions matter.
  ///
  /// - Throws: `UsageError` if the text is not a valid mix.
  init(_ text: String) throws {
    var parts: [Part] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let weight = UInt32(pair[1]) else {
        throw UsageError("'\(word)' is not a valid part of '--mix'; write an operation and its weight, as in get=80")
      }
      guard let operation = Operation(rawValue: String(pair[0])) else {
        let names = Operation.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("unknown operation '\(pair[0])'; valid operations are \(names)")
      }
      guard !parts.contains(where: { $0.operation == operation }) else {
        throw UsageError("the operation '\(operation.rawValue)' occurs twice in '--mix'; combine its weights")
      }
      parts.append(Part(operation: operation, weight: UInt64(weight)))
    }
    self.parts = parts.filter { $0.weight > 0 }
    total = parts.reduce(0) { $0 + $1.weight }
    guard total > 0 else { throw UsageError("all weights of '--mix' are 0; give an operation a positive weight") }
  }

  /// Returns the operation that a random number selects.
  func choose(_ random: UInt64) -> Operation {
    guard parts.count > 1 else { return parts[0].operation }
    // The high half of the product is uniform in 0..<total and needs no division.
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
