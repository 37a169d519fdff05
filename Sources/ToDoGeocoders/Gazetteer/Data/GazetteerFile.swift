/// The gazetteer's data format, read in place.
///
/// ```text
/// "TODOGAZ\0"  version  places  regions  countries     8 bytes and 4 integers
/// records  cells  folds  blocks  names  pool           offset and size of each section, in bytes
/// ```
///
/// Integers are little-endian and have 32 bits unless stated otherwise.
/// - **records**: `GazetteerRecord`, 20 bytes each: places, then regions, then countries. Postings refer to records by
///   their index. Places are ordered by cell, and within a cell by descending population.
/// - **cells**: for each cell of 2 by 2 degrees, from south to north and within a row from west to east, the index of its
///   first place; finally the number of places.
/// - **folds**: see `FoldTable`. **blocks**, **names**: see `NameIndex`.
/// - **pool**: UTF-8. A string reference is one integer: 24 bits of offset and 8 bits of length.
///
/// Opening validates only the sizes of the sections. Reading is therefore total: bytes outside a section read as zero,
/// strings are truncated at the end of the pool, and invalid records are skipped.
struct GazetteerFile {
  static let version: UInt32 = 1

  let placeCount: Int
  let regionCount: Int
  let countryCount: Int
  let records: GazetteerSection
  let cells: GazetteerSection
  let folds: GazetteerSection
  let blocks: GazetteerSection
  let names: GazetteerSection
  let pool: GazetteerSection

  /// Opens the data.
  ///
  /// - Throws: `GazetteerError` if the header or the section sizes are invalid.
  init(_ bytes: UnsafeRawBufferPointer) throws {
    let whole = GazetteerSection(bytes: bytes)
    guard bytes.count >= Self.headerSize, bytes.prefix(8).elementsEqual("TODOGAZ\0".utf8) else {
      throw GazetteerError.notAGazetteer
    }
    guard whole.number(at: 8) == Self.version else { throw GazetteerError.unknownVersion(whole.number(at: 8)) }
    (placeCount, regionCount, countryCount) = (whole.integer(at: 12), whole.integer(at: 16), whole.integer(at: 20))
    func section(_ index: Int) throws -> GazetteerSection {
      let (offset, size) = (whole.integer(at: 24 + 8 * index), whole.integer(at: 28 + 8 * index))
      guard offset >= Self.headerSize, offset + size <= bytes.count else { throw GazetteerError.damaged }
      return GazetteerSection(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]))
    }
    records = try section(0)
    cells = try section(1)
    folds = try section(2)
    blocks = try section(3)
    names = try section(4)
    pool = try section(5)
    guard records.count == recordCount * GazetteerRecord.size, cells.count == (GazetteerCells.count + 1) * 4,
      folds.count.isMultiple(of: FoldTable.entrySize), blocks.count.isMultiple(of: 4)
    else { throw GazetteerError.damaged }
  }

  static let headerSize = 8 + 4 * 4 + 6 * 8

  var recordCount: Int { placeCount + regionCount + countryCount }

  func kind(of record: Int) -> GazetteerRecord.Kind {
    record < placeCount ? .place : record < placeCount + regionCount ? .region : .country
  }

  /// Returns a record, or `nil` if it does not exist or its coordinate is invalid.
  func record(_ number: Int) -> GazetteerRecord? {
    guard number >= 0, number < recordCount else { return nil }
    return GazetteerRecord(at: number * GazetteerRecord.size, in: records, kind: kind(of: number))
  }

  /// Returns a region, or `nil` if it does not exist. 0 stands for no region.
  func region(_ number: Int) -> GazetteerRecord? {
    number > 0 && number < regionCount ? record(placeCount + number) : nil
  }

  func country(_ number: Int) -> GazetteerRecord? {
    number < countryCount ? record(placeCount + regionCount + number) : nil
  }

  func text(_ reference: UInt32) -> String {
    String(decoding: pool.bytes(at: Int(reference >> 8), count: Int(reference & 0xFF)), as: UTF8.self)
  }
}
