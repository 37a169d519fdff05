import Testing
import ToDoModel

extension ServiceContract {
  private static func rename(_ subject: Subject, _ from: String, _ to: String) async throws -> TagRenamingResult {
    try await subject.service.renameTag(TagRenaming(from: from, to: to))
  }

  /// The tags of all items, in the order in which these were added.
  private static func tags(_ subject: Subject) async throws -> [[String]] {
    try await subject.service.items(ItemQuery(order: .created)).items.map(\.tags)
  }

  static var tagRenaming: [Rule] {
    [
      Rule("a tag is renamed on all items, done ones too, in one revision") { subject async throws in
        let first = try await subject.add(ItemContent(title: "first", tags: ["home", "Work"]))
        let other = try await subject.add(ItemContent(title: "other", tags: ["workshop"]))
        let done = try await subject.add(ItemContent(title: "done", tags: ["work"]))
        let checked = try await subject.service.checkItem(done.id, ifRevision: nil)
        subject.clock.advance(by: .seconds(1))
        let result = try await rename(subject, "work", "job")
        #expect(result == TagRenamingResult(renamedCount: 2, revision: checked.revision.next))
        #expect(try await tags(subject) == [["home", "job"], ["workshop"], ["job"]])
        let renamed = try await subject.service.item(first.id)
        #expect((renamed.revision.number, renamed.updatedAt) == (result.revision.number, subject.clock.now()))
        #expect(try await subject.service.item(done.id).completedAt == checked.completedAt)
        #expect(try await subject.service.item(other.id) == other)
        let page = try await subject.service.changes(ChangeQuery(after: checked.revision))
        #expect(Set(page.changes.map(\.id)) == [first.id, done.id])
        #expect(Set(page.changes.map(\.revision.number)) == [result.revision.number])
        #expect(
          page.changes.allSatisfy { change in if case .put(_, .edited) = change { true } else { false } })
      },
      Rule("renaming a tag renames the tags below it, at every depth") { subject async throws in
        try await subject.add(ItemContent(title: "a", tags: ["A/b/c", "x/a"]))
        try await subject.add(ItemContent(title: "b", tags: ["a", "a/b", "ab"]))
        #expect(try await rename(subject, "a", "new/Tag").renamedCount == 2)
        #expect(try await tags(subject) == [["new/Tag/b/c", "x/a"], ["new/Tag", "new/Tag/b", "ab"]])
        #expect(try await rename(subject, "new/tag/B", "b").renamedCount == 2)
        #expect(try await tags(subject) == [["b/c", "x/a"], ["new/Tag", "b", "ab"]])
      },
      Rule("an item with both tags keeps one of them") { subject async throws in
        try await subject.add(ItemContent(title: "a", tags: ["job", "x", "work"]))
        try await subject.add(ItemContent(title: "b", tags: ["work", "x", "JOB"]))
        #expect(try await rename(subject, "work", "job").renamedCount == 2)
        #expect(try await tags(subject) == [["job", "x"], ["job", "x"]])
      },
      Rule("a renaming that is repeated changes nothing") { subject async throws in
        try await subject.add(ItemContent(title: "a", tags: ["work"]))
        let result = try await rename(subject, "work", "job")
        let again = try await rename(subject, "work", "job")
        #expect((again.renamedCount, again.revision.number) == (0, result.revision.number))
        #expect(try await rename(subject, "missing", "job").renamedCount == 0)
      },
      Rule("the case of a tag can be changed") { subject async throws in
        try await subject.add(ItemContent(title: "a", tags: ["WORK/x", "Work"]))
        try await subject.add(ItemContent(title: "b", tags: ["Work"]))
        let result = try await rename(subject, "work", "Work")
        #expect(result.renamedCount == 1)
        #expect(try await tags(subject) == [["Work/x", "Work"], ["Work"]])
        #expect(try await rename(subject, "Work", "Work").renamedCount == 0)
      },
      Rule("an undo brings all former tags back, and the history names the changes") { subject async throws in
        let item = try await subject.add(ItemContent(title: "a", tags: ["work/x"]))
        try await subject.add(ItemContent(title: "b", tags: ["job", "work"]))
        let result = try await rename(subject, "work", "job")
        let record = try #require(try await subject.service.history(HistoryQuery()).revisions.first)
        #expect((record.revision.number, record.changeCount) == (result.revision.number, 2))
        let change = try #require(record.changes.first { $0.item == item.id })
        #expect(change.fields.map(\.field.rawValue) == ["tags"])
        let reversal = try await subject.service.revertRevision(result.revision)
        #expect((reversal.revertedCount, reversal.refusedCount) == (2, 0))
        #expect(try await tags(subject) == [["work/x"], ["job", "work"]])
      },
      Rule("a deleted item keeps its tags when a tag is renamed") { subject async throws in
        let item = try await subject.add(ItemContent(title: "a", tags: ["work"]))
        _ = try await subject.service.deleteItem(item.id, ifRevision: nil)
        #expect(try await rename(subject, "work", "job").renamedCount == 0)
        let restored = try await subject.service.undeleteItem(item.id, ifRevision: nil, allowingDuplicate: false)
        #expect(restored.tags == ["work"])
      },
      Rule("a renaming to or from an invalid tag, or to one below itself, is rejected") { subject async throws in
        try await subject.add(ItemContent(title: "a", tags: ["work"]))
        await expectViolations(of: ["from", "to"]) { try await rename(subject, "", "a b") }
        await expectViolations(of: ["to"]) { try await rename(subject, "work", "WORK/office") }
        #expect(try await tags(subject) == [["work"]])
      },
      Rule("a renaming that an item cannot follow changes no item") { subject async throws in
        let long = String(repeating: "x", count: ItemContent.Limits.tag - 2)
        try await subject.add(ItemContent(title: "a", tags: ["a"]))
        try await subject.add(ItemContent(title: "b", tags: ["a/\(long)"]))
        try await subject.add(ItemContent(title: "c", tags: ["b/c", "b/c/c"]))
        await expectViolations(of: ["to"]) { try await rename(subject, "a", "long") }
        // The item would still have the tag, so that a repetition would rename more.
        await expectViolations(of: ["to"]) { try await rename(subject, "b/c", "b") }
        #expect(try await tags(subject) == [["a"], ["a/\(long)"], ["b/c", "b/c/c"]])
      },
      Rule("a tag of 1,000 items can be renamed, and one of more is rejected") { subject async throws in
        for start in [0, 500] {
          let batch = (start..<start + 500).map { number in
            NewItem(id: ItemID(high: 5, low: UInt64(number)), content: ItemContent(title: "\(number)", tags: ["work"]))
          }
          _ = try await subject.service.addItems(batch)
        }
        #expect(try await rename(subject, "work", "job").renamedCount == 1000)
        try await subject.add(ItemContent(title: "last", tags: ["job"]))
        await expectViolations(of: ["from"]) { try await rename(subject, "job", "work") }
        #expect(try await subject.titles(ItemQuery(filter: ItemFilter(tags: TagFilter(all: ["work"])))).isEmpty)
      },
      Rule("items that get a tag while it is renamed are renamed or added later") { subject async throws in
        let service = subject.service
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<40 {
            group.addTask {
              let content = ItemContent(title: "\(number)", tags: ["work"])
              let item = try await service.addItem(NewItem(id: ItemID(high: 6, low: UInt64(number)), content: content))
              _ = try await service.renameTag(TagRenaming(from: "work", to: "job"))
              // Whoever renamed it, the tag is gone.
              #expect(try await service.item(item.id).tags == ["job"])
            }
          }
          try await group.waitForAll()
        }
        #expect(try await tags(subject).allSatisfy { $0 == ["job"] })
      },
    ]
  }
}
