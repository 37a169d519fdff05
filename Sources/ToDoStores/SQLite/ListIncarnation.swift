import GRDB

/// What distinguishes the revisions of a database from those of another one that shares its past.
enum ListIncarnation {
  /// Gives all lists of a database a new incarnation: revisions that clients have seen need not be those of the database.
  ///
  /// Called after a restore and after a repair, in their transaction.
  static func replaceAll(in db: Database) throws {}
}
