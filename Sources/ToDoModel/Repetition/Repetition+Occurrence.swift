extension Repetition {
  /// Returns the repetition after an edit of the item that continues a former repetition: with the date that the rule gave to the
  /// occurrence, if the item is due at another.
  ///
  /// A later day on which the rule has an occurrence, too, stands for that one.
  ///
  /// - Parameters:
  ///   - former: the repetition before the edit.
  ///   - old: the due date before the edit.
  ///   - new: the due date after it.
  ///   - zone: the time zone with the name `timeZone`.
  package func continuing(
    _ former: Repetition, dueBefore old: DueDate?, dueAfter new: DueDate?, in zone: any TimeZoneRules
  ) -> Repetition {
    guard case .calendar(let rule) = rule, occurrence == nil || occurrence == former.occurrence, isSame(as: former),
      let original = former.occurrence ?? old, let new
    else { return self }
    var repetition = self
    repetition.occurrence = original
    if new.day(in: zone) > original.day(in: zone),
      let later = Occurrences(of: rule, from: start ?? original, in: zone)?.occurrence(onDayOf: new)
    {
      repetition.occurrence = later
    }
    if repetition.occurrence == new { repetition.occurrence = nil }
    return repetition
  }

  /// Whether both have the same occurrences.
  private func isSame(as other: Repetition) -> Bool {
    rule == other.rule && timeZone == other.timeZone && start == other.start
  }
}
