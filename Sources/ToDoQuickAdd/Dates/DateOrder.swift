/// The order of the numbers in a date such as `3/12`.
package enum DateOrder: Sendable {
  case dayFirst, monthFirst

  /// Creates the order of a locale such as `ja_JP.UTF-8`. The locales `C` and `POSIX` say nothing about the user; they have the
  /// order of most countries.
  package init(locale: String) {
    let language = locale.prefix(while: \.isLetter)
    let isMonthFirst = locale.hasPrefix("en_US") || Self.monthFirstLanguages.contains(language.lowercased())
    self = isMonthFirst ? .monthFirst : .dayFirst
  }

  /// The languages in which dates are written from the year to the day.
  private static let monthFirstLanguages: Set<String> = ["ja", "ko", "zh", "hu", "lt"]
}
