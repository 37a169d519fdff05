/// The gazetteer's data, as it lies in memory.
///
/// ```text
/// "TODOGAZ\0"  version  places  regions  countries     8 bytes, and 4 numbers
/// records  cells  folds  blocks  names  pool           where each section is: 6 times offset and size, in bytes
/// ```
///
/// All numbers are little-endian, of 32 bits unless said otherwise.
/// - **records**: `GazetteerRecord`, 20 bytes each: the places, then the regions, then the countries. The number of a
///   record is what names lead to. Places are in the order of their cells, in a cell the most populous first.
/// - **cells**: of each cell of 2 by 2 degrees, from south to north and in a row from west to east, the number of its
///   first place; and the number of places.
/// - **folds**: for `FoldTable`. **blocks**, **names**: for `NameIndex`.
/// - **pool**: UTF-8. A string is 24 bits of offset and 8 bits of length in one number.
///
/// What is read has been checked once, on opening, only for the sizes of its sections. Reading is total instead: what lies
/// outside of a section reads as zero, a string is cut, a record that makes no sense is none.
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

  /// - Throws: `GazetteerError`.
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

  /// `nil` when there is no such record, or it makes no sense.
  func record(_ number: Int) -> GazetteerRecord? {
    guard number >= 0, number < recordCount else { return nil }
    return GazetteerRecord(at: number * GazetteerRecord.size, in: records, kind: kind(of: number))
  }

  /// Region 0 is none.
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
