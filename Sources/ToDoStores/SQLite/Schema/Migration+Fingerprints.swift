import Foundation
import GRDB
import ToDoModel
import ToDoRules

extension Migration {
  /// Version 6: keyed fingerprints.
  ///
  /// - `fingerprint` and `added_as` become `ContentFingerprint.storedBytes`. Before, they were 64-bit hashes without a key,
  ///   so that a client could create many items with one fingerprint.
  /// - `fingerprint_key` has one row. Computing a fingerprint requires the key.
  /// - The content that an item was added with is lost if the item was edited later. `added_as` is NULL then, and adding its
  ///   ID again is a conflict.
  static let keyedFingerprints = Migration(
    sql: """
      CREATE TABLE fingerprint_key (key BLOB NOT NULL CHECK (length(key) = 16)) STRICT;

      DROP INDEX item_fingerprint;
      ALTER TABLE item RENAME COLUMN fingerprint TO old_fingerprint;
      ALTER TABLE item RENAME COLUMN added_as TO old_added_as;
      ALTER TABLE item ADD COLUMN fingerprint BLOB NOT NULL DEFAULT x'';
      ALTER TABLE item ADD COLUMN added_as BLOB;
      """,
    step: { db in
      let key = FingerprintKey.random()
      try db.execute(sql: "INSERT INTO fingerprint_key VALUES (?)", arguments: [Data(key.storedBytes)])
      try computeFingerprints(db, key)
      try db.execute(
        sql: """
          ALTER TABLE item DROP COLUMN old_fingerprint;
          ALTER TABLE item DROP COLUMN old_added_as;
          CREATE INDEX item_fingerprint ON item (owner, fingerprint) WHERE completed_at IS NULL;
          """)
    })

  private static func computeFingerprints(_ db: Database, _ key: FingerprintKey) throws {
    let update = try db.makeStatement(
      sql: """
        UPDATE item SET fingerprint = ?2, added_as = CASE WHEN old_added_as = old_fingerprint THEN ?2 END
        WHERE number = ?1
        """)
    var last = Int64.min
    while true {
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT number, title, description, due_time, due_date, place_name, address, latitude, longitude, source
          FROM item WHERE number > ? ORDER BY number LIMIT 500
          """, arguments: [last])
      guard !rows.isEmpty else { return }
      for row in rows {
        last = row["number"]
        let fingerprint = ContentFingerprint(of: ItemContent(row), key: key)
        try update.execute(arguments: [last, Data(fingerprint.storedBytes)])
      }
    }
  }
}

extension FingerprintKey {
  /// The form in which a key is stored.
  fileprivate var storedBytes: [UInt8] {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { Array($0) }
  }

  /// Reads the key of a database.
  ///
  /// - Throws: `DatabaseError`.
  init(_ db: Database) throws {
    guard let bytes = try Data.fetchOne(db, sql: "SELECT key FROM fingerprint_key"), bytes.count == 16 else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
    let words = bytes.withUnsafeBytes { bytes in
      [0, 8].map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
    }
    self.init(low: words[0], high: words[1])
  }
}

extension ItemContent {
  /// Creates the content that a fingerprint covers, without values that the store never writes.
  fileprivate init(_ row: Row) {
    self.init(title: row["title"], itemDescription: row["description"])
    if let time: Int64 = row["due_time"] {
      due = .time(Timestamp(microseconds: time))
    } else if let day: Int = row["due_date"], (-719_162...2_932_896).contains(day) {
      due = .date(CalendarDate(daysSinceEpoch: day))
    }
    var place = Location(name: row["place_name"], address: row["address"])
    if row["source"] == nil, let latitude: Double = row["latitude"], let longitude: Double = row["longitude"] {
      place.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
    location = place.isEmpty ? nil : place
  }
}
