import ToDoModel
import ToDoRules
import ToDoSQLite

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
      try db.run("INSERT INTO fingerprint_key VALUES (?)", [key.storedBytes])
      try computeFingerprints(db, key)
      try db.execute(
        """
        ALTER TABLE item DROP COLUMN old_fingerprint;
        ALTER TABLE item DROP COLUMN old_added_as;
        CREATE INDEX item_fingerprint ON item (owner, fingerprint) WHERE completed_at IS NULL;
        """)
    })

  private static func computeFingerprints(_ db: SQLiteConnection, _ key: FingerprintKey) throws {
    let update = try Statement(
      """
      UPDATE item SET fingerprint = ?2, added_as = CASE WHEN old_added_as = old_fingerprint THEN ?2 END
      WHERE number = ?1
      """, on: db)
    var last = Int64.min
    while true {
      let contents = try db.rows(
        """
        SELECT number, title, description, due_time, due_date, place_name, address, latitude, longitude, source
        FROM item WHERE number > ? ORDER BY number LIMIT 500
        """, [last]
      ) { (number: $0.number(0), content: ItemContent($0)) }
      guard !contents.isEmpty else { return }
      for (number, content) in contents {
        update.bind(number, at: 1)
        update.bind(ContentFingerprint(of: content, key: key), at: 2)
        try update.run()
        last = number
      }
    }
  }
}

extension FingerprintKey {
  /// The form in which a key is stored.
  var storedBytes: [UInt8] {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { Array($0) }
  }

  /// Reads a database's key.
  ///
  /// - Throws: `SQLiteError`.
  init(_ db: SQLiteConnection) throws {
    guard let bytes = try db.rows("SELECT key FROM fingerprint_key", decode: { $0.bytes(0) ?? [] }).first,
      bytes.count == 16
    else {
      throw SQLiteError(.corrupt)
    }
    let words = bytes.withUnsafeBytes { bytes in
      [0, 8].map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
    }
    self.init(low: words[0], high: words[1])
  }
}

extension ItemContent {
  /// Creates the content that a fingerprint covers, without values that the store never writes. Column 0 is the item's number.
  fileprivate init(_ row: Statement) {
    self.init(title: row.text(1), itemDescription: row.optionalText(2))
    if let time = row.optionalNumber(3) {
      due = .time(Timestamp(microseconds: time))
    } else if let day = row.optionalNumber(4), StoredField.days.contains(day) {
      due = .date(CalendarDate(daysSinceEpoch: Int(day)))
    }
    var place = Location(name: row.optionalText(5), address: row.optionalText(6))
    if row.optionalText(9) == nil, let latitude = row.optionalDouble(7), let longitude = row.optionalDouble(8) {
      place.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
    location = place.isEmpty ? nil : place
  }
}
