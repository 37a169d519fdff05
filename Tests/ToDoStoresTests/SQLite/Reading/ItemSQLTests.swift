import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// The plans of the statements, in a database without statistics. The program never runs ANALYZE.
@Suite struct ItemSQLTests {
  private static let byID = "SEARCH item USING INDEX item_id (owner=? AND id=?)"
  private static let pastChanges = "SEARCH past_change USING PRIMARY KEY"
  private static let pastRows = "SEARCH past_change USING COVERING INDEX past_change_replaced"
  /// Two merged ranges, with no "USE TEMP B-TREE FOR ORDER BY": both have the order.
  private static let feed = [
    "MERGE (UNION ALL)", "LEFT", "SEARCH item USING INDEX item_updated (owner=? AND revision>?)",
    "RIGHT", "\(pastChanges) (owner=? AND revision>?)",
  ]
  private static let formerOfDeletion =
    "SEARCH f USING INDEX past_change_replaced (owner=? AND replaced_by=? AND id=?) LEFT-JOIN"
  private static let ownerByName = "SEARCH owner USING INDEX sqlite_autoindex_owner_1 (name=?)"

  @Test(arguments: [
    (ItemSQL.item, [byID, "SCALAR SUBQUERY 1", ownerByName]),
    (ItemSQL.record, [byID]),
    (ItemSQL.deletedItem, ["SEARCH deleted_item USING PRIMARY KEY (owner=? AND id=?)"]),
    (
      ItemSQL.incompleteItem, ["SEARCH item USING INDEX item_fingerprint (owner=? AND fingerprint>? AND fingerprint<?)"]
    ),
    (ItemSQL.owner, [ownerByName]),
    (ItemSQL.setRevision, ["SEARCH owner USING INTEGER PRIMARY KEY (rowid=?)"]),
    (ItemSQL.insert, []),
    (ItemSQL.update, [byID]),
    (ItemSQL.delete, [byID]),
    (ItemSQL.markDeleted, []),
    (ItemSQL.firstItems, ["SEARCH item USING INDEX item_updated (owner=?)"]),
    (ItemSQL.firstDone, ["SEARCH item USING INDEX item_done (owner=? AND completed_at>?)"]),
    (ItemSQL.countOfDone, ["SEARCH item USING COVERING INDEX item_done (owner=? AND completed_at>?)"]),
    (ItemSQL.setDeletion, ["SEARCH owner USING INTEGER PRIMARY KEY (rowid=?)"]),
    (ItemSQL.changes, feed),
    (ItemSQL.nextChange, feed),
    (
      ItemSQL.historyOfItem,
      [
        "MERGE (UNION ALL)", "LEFT", byID, "RIGHT",
        "SEARCH c USING INDEX past_change_item (owner=? AND id=? AND revision>? AND revision<?)", formerOfDeletion,
      ]
    ),
    (ItemSQL.copyToHistory, [byID]),
    (
      ItemSQL.firstRetained,
      ["\(pastRows) (owner=? AND replaced_by<?)"]
    ),
    (ItemSQL.placesInRange, ["SEARCH item USING INDEX item_place (owner=? AND place>? AND place<?)"]),
    (ItemSQL.placesFrom, ["SEARCH item USING INDEX item_place (owner=? AND place>?)"]),
    (ItemSQL.placesBefore, ["SEARCH item USING INDEX item_place (owner=? AND place<?)"]),
    (ItemSQL.index, ["SEARCH item USING INDEX item_created (owner=? AND (created_at,id)>(?,?))"]),
    (ItemSQL.itemOfRow, ["SEARCH item USING INTEGER PRIMARY KEY (rowid=?)"]),
    (ItemSQL.pendingLookup, ["SEARCH pending_lookup USING PRIMARY KEY (owner=? AND id=?)"]),
    (ItemSQL.setPendingLookup, []),
    (ItemSQL.deletePendingLookup, ["SEARCH pending_lookup USING PRIMARY KEY (owner=? AND id=?)"]),
    (ItemSQL.postponePendingLookup, ["SEARCH pending_lookup USING PRIMARY KEY (owner=? AND id=?)"]),
    (
      ItemSQL.duePendingLookups,
      [
        "SEARCH pending_lookup USING INDEX pending_lookup_due (due<?)",
        "SEARCH owner USING INTEGER PRIMARY KEY (rowid=?)",
      ]
    ),
    (
      ItemSQL.removePast,
      ["\(pastRows) (owner=? AND (replaced_by,id)<(?,?))"]
    ),
    (
      ItemSQL.removeDeletedIDs,
      [
        "SEARCH deleted_item USING PRIMARY KEY (owner=? AND id=?)", "LIST SUBQUERY 1",
        "SEARCH deleted_item USING INDEX deleted_item_time (owner=? AND deleted_at<?)",
      ]
    ),
  ])
  func statement_isASearchOfItsIndex(_ sql: String, _ plan: [String]) throws {
    let found = try Self.plan(of: sql)
    #expect(found == plan)
  }

  @Test(arguments: ItemOrder.allCases, ItemState.allCases)
  func listing_isARangeOfItsIndex_onTheFirstPageAndOnTheFollowing(_ order: ItemOrder, _ state: ItemState) throws {
    let position = ItemPosition(section: 0, primary: 5, secondary: 0, tieBreak: .init(high: 1, low: 2))
    for after in [nil, position] {
      let selection = ItemSelection(state: state, order: order, after: after, limit: 10)
      for (scan, _) in ItemScan.scans(for: selection) {
        let range =
          switch scan {
          case .byDueDate: "item_to_do (owner=? AND (due_order,created_at,id)>(?,?,?))"
          case .byCompletion: "item_done (owner=? AND completed_at>? AND (completed_at,id)<(?,?))"
          case .byCreation: "item_created (owner=? AND (created_at,id)>(?,?))"
          case .byUpdate: "item_updated (owner=? AND (revision,id)<(?,?))"
          case .byDeletion: preconditionFailure("no deleted items are selected")
          }
        // No "USE TEMP B-TREE FOR ORDER BY" follows: the index has the order.
        for sql in [ItemSQL.list(scan), ItemSQL.search(scan)] {
          let found = try Self.plan(of: sql)
          #expect(found == ["SEARCH item USING INDEX \(range)"])
        }
      }
    }
  }

  private static let pastRange = "SEARCH past_change USING INDEX past_change_replaced"
  private static let deletedByID = "SEARCH deleted_item USING PRIMARY KEY (owner=? AND id=?)"
  private static let deletedByExpiry =
    "SEARCH deleted_item USING INDEX deleted_item_expiry (owner=? AND expires_at<?)"

  @Test(arguments: [
    (ItemSQL.keepDeleted, [byID]),
    (ItemSQL.keptItem, [deletedByID]),
    (ItemSQL.keptItemOfNumber, ["SEARCH deleted_item USING INDEX deleted_item_number (owner=? AND item_number=?)"]),
    (ItemSQL.restore, ["SCALAR SUBQUERY 1", deletedByID]),
    (ItemSQL.removeDeletedID, [deletedByID]),
    (ItemSQL.removeDeletion, ["\(pastChanges) (owner=? AND revision=? AND id=?)"]),
    (ItemSQL.expiredItems, [deletedByExpiry]),
    (
      ItemSQL.removeExpired,
      [
        deletedByID, "LIST SUBQUERY 1",
        "SEARCH deleted_item USING COVERING INDEX deleted_item_expiry (owner=? AND expires_at<?)",
      ]
    ),
    (
      ItemSQL.deletedItems(.all),
      ["SEARCH deleted_item USING INDEX deleted_item_revision (owner=? AND (revision,id)<(?,?))"]
    ),
    (
      ItemSQL.history,
      [
        "MERGE (UNION ALL)", "LEFT", "SEARCH item USING INDEX item_updated (owner=? AND revision>? AND revision<?)",
        "RIGHT", "SEARCH c USING PRIMARY KEY (owner=? AND revision>? AND revision<?)", formerOfDeletion,
      ]
    ),
    (
      ItemSQL.changesOfRevision,
      [
        "MERGE (UNION ALL)", "LEFT", "SEARCH item USING INDEX item_updated (owner=? AND revision=? AND id>?)", "RIGHT",
        "\(pastChanges) (owner=? AND revision=? AND id>?)",
      ]
    ),
    (ItemSQL.formerState, ["\(pastRange) (owner=? AND replaced_by=? AND id=?)"]),
  ])
  func statementOfDeletedItemsOrHistory_isASearchOfItsIndex(_ sql: String, _ plan: [String]) throws {
    let found = try Self.plan(of: sql)
    #expect(found == plan)
  }

  private static func plan(of sql: String) throws -> [String] {
    let directory = try TemporaryDirectory()
    let connection = try DatabaseFile(path: directory.file("items.sqlite")).open()
    return try connection.rows("EXPLAIN QUERY PLAN " + sql) { $0.text(3) }
  }
}
