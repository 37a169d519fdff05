public import ToDoModel

/// Reads texts that are a repetition, such as `every tuesday 18:00`.
///
/// Reads the same words as `QuickAddReader`, also without `every`.
public struct RepetitionReader: Sendable {
  /// - Parameter locale: the user's locale, such as `de_DE`. English is understood in all.
  public init(locale: String) {}

  /// Returns what a text means, or `nil` if it is no repetition.
  ///
  /// - Parameters:
  ///   - today: the day in local time.
  ///   - now: the time of day in minutes after midnight.
  public func read(
    _ text: String, today: CalendarDate, now: Int
  ) -> (rule: Repetition.Rule, due: QuickAddReading.Due)? {
    nil
  }
}
