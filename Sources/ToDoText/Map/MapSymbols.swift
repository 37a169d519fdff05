package import ToDoModel

/// The symbols of places on a map. Places in the same cell share a symbol.
package struct MapSymbols {
  /// The symbols in the order of the coordinates.
  package let symbols: [Character]

  /// Chooses a symbol for each coordinate in a frame.
  package init(for coordinates: [Coordinate], in frame: MapFrame) {
    var assigned: [MapCell: Character] = [:]
    symbols = coordinates.map { coordinate in
      guard let cell = frame.cell(at: coordinate) else { return Self.last }
      if let symbol = assigned[cell] { return symbol }
      let symbol = assigned.count < Self.alphabet.count ? Self.alphabet[assigned.count] : Self.last
      assigned[cell] = symbol
      return symbol
    }
  }

  /// Letters only, because the digits before a title are the item's number.
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  /// The symbol of all places after the alphabet ends.
  private static let last: Character = "*"
}
