import CToDoWorldMap

extension MapData {
  /// Decodes the embedded coastlines and borders of the world, from Natural Earth at a scale of 1:110,000,000.
  ///
  /// Every call decodes the data again, which takes a fraction of a millisecond.
  package static func world() throws(MapDataError) -> [MapLine] {
    try decode(encodedWorld())
  }

  /// Returns the embedded data.
  static func encodedWorld() -> [UInt8] {
    Array(UnsafeBufferPointer(start: world_map_bytes(), count: world_map_size()))
  }
}
