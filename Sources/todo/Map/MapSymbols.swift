import ToDoModel

/// The characters for places on a map: what shares a cell of the map shares a character, too.
struct MapSymbols {
  /// A symbol for each of the coordinates, in their order.
  let symbols: [Character]

  init(for coordinates: [Coordinate], in frame: MapFrame) {
    var known: [MapCell: Character] = [:]
    symbols = coordinates.map { coordinate in
      guard let cell = frame.cell(at: coordinate) else { return Self.last }
      if let symbol = known[cell] { return symbol }
      let symbol = known.count < Self.alphabet.count ? Self.alphabet[known.count] : Self.last
      known[cell] = symbol
      return symbol
    }
  }

  private static let alphabet = Array("123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  /// For all that are more than the alphabet has.
  private static let last: Character = "*"
}
