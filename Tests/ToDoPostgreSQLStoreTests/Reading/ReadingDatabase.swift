#if PostgreSQL
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

/// A database of the test server, whose rows a test writes without the store.
struct ReadingDatabase {
  let uri: String
  let connection: PostgreSQLConnection

  init() throws {
    uri = try PrivatePostgreSQL.run().makeDatabase()
    connection = try StoreConnection.open(uri, purpose: "test")
    connection.timeout = .seconds(60)
    try StoreSchema.migrate(connection)
  }

  var settings: ConnectionSettings { StoreConnection.settings(uri, purpose: "test") }

  func reader() throws -> PostgreSQLReader {
    let reader = try PostgreSQLReader(settings)
    reader.connection.timeout = .seconds(60)
    return reader
  }

  func setRevision(_ revision: Int64, floor: Int64 = 0, of owner: OwnerID = .local) throws {
    var parameters = Parameters(of: owner)
    parameters.append(revision)
    parameters.append(floor)
    _ = try connection.run(
      """
      INSERT INTO list (name, revision, floor, item_count, byte_count, last_number) VALUES ($1, $2, $3, 0, 0, 0)
      ON CONFLICT (name) DO UPDATE SET revision = $2, floor = $3
      """, parameters)
  }

  /// Writes the row of an item, or of a deleted item that is kept.
  func write(_ item: ToDoItem, of owner: OwnerID = .local) throws {
    var parameters = Parameters(of: owner)
    parameters.append(uuid: item.id.uuid)
    parameters.append(item.number.value)
    parameters.append(item.revision.number)
    parameters.append(item.createdAt.microseconds)
    parameters.append(item.completedAt?.microseconds)
    parameters.append(item.dueOrder.microseconds)
    parameters.append(item.location?.coordinate.map { MortonCode($0).number })
    parameters.append(item.deletion?.deletedAt.microseconds)
    parameters.append(item.deletion?.expiresAt.microseconds)
    parameters.append(bytes: EncodedItem.encode(item))
    _ = try connection.run(
      """
      INSERT INTO item (list, id, number, revision, created_at, completed_at, due_order, place, spot_latitude,
        spot_longitude, deleted_at, expires_at, content, size)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 2147483647, 2147483647, $9, $10, $11, 0)
      ON CONFLICT (list, id) DO UPDATE SET revision = $4, created_at = $5, completed_at = $6, due_order = $7,
        place = $8, deleted_at = $9, expires_at = $10, content = $11
      """, parameters)
  }

  /// Writes the row of a reserved ID.
  func reserve(_ id: ItemID, of owner: OwnerID = .local) throws {
    var parameters = Parameters(of: owner)
    parameters.append(uuid: id.uuid)
    _ = try connection.run(
      """
      INSERT INTO item
        (list, id, number, revision, created_at, due_order, spot_latitude, spot_longitude, deleted_at, size)
      VALUES ($1, $2, 1, 1, 0, 0, 0, 0, 5, 0)
      """, parameters)
  }

  /// Writes the row of a change.
  ///
  /// - Parameter former: the item before an edit or a deletion.
  func write(
    _ change: ItemChange, former: ToDoItem? = nil, by origin: ChangeOrigin = ChangeOrigin(),
    of owner: OwnerID = .local
  ) throws {
    var (cause, wasDone) = (Int16?.none, false)
    switch change {
    case .put(_, let put): cause = Int16(put.number)
    case .deleted(let deletion): wasDone = deletion.wasDone
    }
    var parameters = Parameters(of: owner)
    parameters.append(change.revision.number)
    parameters.append(uuid: change.id.uuid)
    parameters.append(cause)
    parameters.append(change.time.microseconds)
    parameters.append(wasDone)
    parameters.append(origin.user.isEmpty ? nil : origin.user)
    parameters.append(origin.client.isEmpty ? nil : origin.client)
    parameters.append(origin.reverted?.number)
    parameters.append(bytes: former.map(EncodedItem.encode))
    parameters.append(former?.revision.number)
    _ = try connection.run(
      "INSERT INTO change VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0)", parameters)
  }
}
#endif
