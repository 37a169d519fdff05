/// Renames a tag on all items in a list, and the tags below it: if `work` becomes `job`, `work/urgent`
/// becomes `job/urgent`.
public struct TagRenaming: Hashable, Sendable {
  /// The tag to rename. Case does not distinguish tags.
  public var from: String
  /// The new tag.
  public var to: String

  /// Creates a renaming.
  public init(from: String, to: String) {
    self.from = from
    self.to = to
  }

  /// The limits of one renaming, which is one transaction.
  public enum Limits {
    /// The maximum number of items that change.
    public static let items = 1000
    /// The maximum size of the changed items' text, in bytes of UTF-8.
    public static let text = 4 << 20
  }

  /// The rules that the two tags violate. A renaming to a tag below itself would rename more with every repetition.
  package var violations: [FieldViolation] {
    var found = [("from", from), ("to", to)].filter { !Tag.isValid($1) }.map { FieldViolation($0.0, Tag.violation) }
    if found.isEmpty, !changesCaseOnly, isTagged([to]) {
      found.append(FieldViolation("to", "must not be a tag below '\(from)'"))
    }
    return found
  }

  /// Whether the two tags differ at most in case.
  package var changesCaseOnly: Bool { from.lowercased() == to.lowercased() }

  /// Whether an item with these tags has the tag to rename, or one below it.
  package func isTagged(_ tags: [String]) -> Bool { tags.contains { position(in: $0) != nil } }

  /// Returns tags with the new tag in place of the former one. The first of equal tags stays.
  package func renamed(_ tags: [String]) -> [String] {
    Tag.unique(tags.map { tag in position(in: tag).map { to + tag[$0...] } ?? tag })
  }

  /// Returns the end of the renamed tag in a tag that equals it or is below it.
  private func position(in tag: String) -> String.Index? {
    let wanted = from.lowercased()
    return Tag.path(to: tag).first { $0.lowercased() == wanted }.map {
      tag.utf8.index(tag.startIndex, offsetBy: $0.utf8.count)
    }
  }
}

/// The result of a renaming.
public struct TagRenamingResult: Equatable, Sendable {
  /// The number of changed items.
  public var renamedCount: Int
  /// The list's revision after the renaming, which is unchanged if no item has changed.
  public var revision: Revision

  /// Creates a result.
  public init(renamedCount: Int, revision: Revision) {
    self.renamedCount = renamedCount
    self.revision = revision
  }
}
