package import ToDoModel

extension Repetition.Rule {
  /// Returns the rule in words, such as `every 2 weeks on Mon and Thu` or `3 days after it is done`.
  ///
  /// - Parameter zone: the time zone in which a rule ends.
  package func words(in zone: any TimeZoneRules) -> String {
    switch self {
    case .calendar: ""
    case .afterDone: ""
    }
  }
}
