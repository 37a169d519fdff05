import CWorldMap

extension MapLines {
  /// The coastlines and borders of the world, Natural Earth's at 1:110,000,000, which are part of the program.
  ///
  /// They are read each time. It takes a fraction of a millisecond.
  static func world() throws(MapDataError) -> [MapLine] {
    try decode(encodedWorld())
  }

  static func encodedWorld() -> [UInt8] {
    Array(UnsafeBufferPointer(start: world_map_bytes(), count: world_map_size()))
  }
}
