/// Values at the positions of a sentence, each of which is computed once.
final class Memo<Value> {
  private var values: [Value?]

  init(count: Int) {
    values = Array(repeating: nil, count: count)
  }

  /// Returns the value at a position, which `compute` returns if there is none yet.
  func value(at position: Int, _ compute: () -> Value) -> Value {
    if let value = values[position] { return value }
    let value = compute()
    values[position] = value
    return value
  }
}
