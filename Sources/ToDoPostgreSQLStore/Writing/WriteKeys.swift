#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// The parameters of `WriteSQL.records`.
struct ItemKeys {
  let keys: [(owner: OwnerID, id: ItemID)]

  init(_ keys: [(OwnerID, ItemID)]) {
    self.keys = keys
  }

  var isEmpty: Bool { keys.isEmpty }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters.append(array: keys.map { Optional($0.owner.name.storable) })
    parameters.append(array: keys.map { Optional($0.id.uuid) })
    return parameters
  }
}

/// The parameters of `WriteSQL.matches`. A fingerprint with a spot is looked up at each of the three latitudes that
/// match.
struct FingerprintKeys {
  let keys: [(owner: OwnerID, fingerprint: ContentFingerprint)]
  /// The index in `keys` of each parameter row.
  private(set) var positions: [Int] = []
  private var latitudes: [Int32?] = []
  private var firstLongitudes: [Int32?] = []
  private var lastLongitudes: [Int32?] = []

  init(_ keys: [(OwnerID, ContentFingerprint)]) {
    self.keys = keys
    for (index, key) in keys.enumerated() {
      guard let spot = key.1.spot else {
        append(index, latitude: .max, longitudes: .max...(.max))
        continue
      }
      let (first, last) = (spot.longitude.moved(by: -1), spot.longitude.moved(by: 1))
      for latitude in Set([-1, 0, 1].map { spot.latitude.moved(by: $0) }) {
        append(index, latitude: latitude, longitudes: first...last)
      }
    }
  }

  private mutating func append(_ index: Int, latitude: Int32, longitudes: ClosedRange<Int32>) {
    positions.append(index)
    latitudes.append(latitude)
    firstLongitudes.append(longitudes.lowerBound)
    lastLongitudes.append(longitudes.upperBound)
  }

  var isEmpty: Bool { keys.isEmpty }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters.append(array: positions.map { Optional(keys[$0].owner.name.storable) })
    parameters.append(array: positions.map { Optional((keys[$0].fingerprint.high, keys[$0].fingerprint.low)) })
    parameters.append(array: latitudes)
    parameters.append(array: firstLongitudes)
    parameters.append(array: lastLongitudes)
    return parameters
  }
}

extension Int32 {
  /// The sum, or the nearest number that is part of a spot. `Int32.max` stands for no spot.
  fileprivate func moved(by offset: Int32) -> Int32 {
    let (sum, isTooLarge) = addingReportingOverflow(offset)
    return isTooLarge ? self : sum == .max ? sum - 1 : sum
  }
}

extension StoredRecord {
  /// Decodes a row of `WriteSQL.records`.
  init(_ rows: Rows, _ row: Int, id: ItemID) {
    guard !rows.isNull(row, 4) else {
      self = .reserved
      return
    }
    do throws(ToDoError) {
      var item = try rows.item(row, 4, id: id, revision: Revision(rows.int64(row, 1)))
      let addedAs = rows.isNull(row, 5) ? nil : rows.withBytes(row, 5) { ContentFingerprint(storedBytes: $0) }
      guard let deleted = rows.optionalInt64(row, 2) else {
        self = .present(item, addedAs: addedAs)
        return
      }
      item.deletion = ToDoItem.Deletion(
        deletedAt: Timestamp(microseconds: deleted), expiresAt: Timestamp(microseconds: rows.int64(row, 3)))
      self = .kept(item, addedAs: addedAs)
    } catch {
      self = .unreadable(error)
    }
  }
}
#endif
