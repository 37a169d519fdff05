import ToDoModel

/// The common meaning of the dates and times in a sentence.
struct Moment {
  private(set) var due: QuickAddReading.Due?
  /// The repetition as it was written: without the day of the month if only the due date tells it.
  private(set) var writtenRule: Repetition.Rule?
  private(set) var notice: QuickAddReading.Notice?
  /// The dates that the sentence may mean if it is ambiguous, or the date that is past.
  private(set) var candidates: [Candidate] = []

  /// The rule by which the item repeats; the due date is the first occurrence.
  var rule: Repetition.Rule? { due.flatMap { Candidate(due: $0, writtenRule: writtenRule).rule } }

  /// A date that may be meant, and how the item then repeats.
  struct Candidate: Equatable {
    var due: QuickAddReading.Due
    var writtenRule: Repetition.Rule?

    var rule: Repetition.Rule? { due.day.flatMap { writtenRule?.keepingDay(of: $0) } }
  }

  private var days: [DayMatch] = []
  private var times: [TimeMatch] = []
  private var parts: [Part] = []
  private var repetitions: [RepetitionMatch] = []
  private var end: RepetitionEnd?
  /// The words of the end.
  private var endText: String?
  private var season: Season?
  private var unrepeatable: QuickAddReading.Notice?
  /// The ends of a range.
  private var ends: [Piece] = []
  private var hasRange = false
  /// The days in names: `Sunday brunch`.
  private var events: [DayMatch] = []
  private var unread: String?
  private let today: CalendarDate
  private let now: Int
  /// The hours of an event that the sentence names: `breakfast`, `dinner`.
  private let hours: Hours

  private enum Hours {
    case morning, waking, evening
    /// Hours from 4:00 on count, but not a number alone: `flight 6:40`, but not `flight at 6`.
    case travel

    /// The first minute of a time that is as it is written.
    var start: Int {
      switch self {
      case .morning: 0
      case .travel: 4 * 60
      case .waking: 7 * 60
      case .evening: 12 * 60
      }
    }
  }

  init(_ pieces: [Piece], _ reader: DateReader) {
    (today, now) = (reader.today, reader.now)
    hours =
      reader.hasEvent(.late)
      ? .evening : reader.hasEvent(.early) ? .morning : reader.hasEvent(.travel) ? .travel : .waking
    for piece in pieces { collect(piece, reader) }
    if let unrepeatable {
      notice = unrepeatable
    } else if let unread {
      notice = .unread(unread)
    } else if !repetitions.isEmpty {
      resolveRepetition(pieces, reader)
    } else if hasRange || season != nil || Self.conflicts(pieces, reader) || !agree() {
      candidates = resolvedAlone().map { Candidate(due: $0) }
      notice = .ambiguous
    } else if let day = days.first {
      resolve(day)
    } else if let time = times.first {
      resolve(time)
    } else if let part = parts.first {
      resolve(part)
    }
  }

  // MARK: Pieces

  private mutating func collect(_ piece: Piece, _ reader: DateReader) {
    switch piece.kind {
    case .day(let day):
      days.append(day)
      parts += [day.part].compactMap(\.self)
      times += [day.time].compactMap(\.self)
      if day.value == .impossible { unread = Self.text(of: piece, reader) }
    case .time(let time): times.append(time)
    case .part(let part): parts.append(part)
    case .repetition(let match): repetitions.append(match)
    case .end(let end):
      if let first = endText {
        unrepeatable = unrepeatable ?? .unrepeatable("\(first) … \(Self.text(of: piece, reader))", .ends)
      }
      (self.end, endText) = (end, Self.text(of: piece, reader))
    case .season(let season): self.season = season
    case .unrepeatable(let text, let reason): unrepeatable = unrepeatable ?? .unrepeatable(text, reason)
    case .range(let ends):
      hasRange = true
      self.ends += Self.inOrder(ends)
    case .mention(.event):
      events += [reader.holiday(piece.range.lowerBound) ?? reader.day(piece.range.lowerBound)].compactMap(\.self)
    case .mention: break
    case .unread(let word): unread = word
    }
  }

  /// Returns the ends of a range. A last time that is before the first is on the next day: `22:00-6:00`.
  private static func inOrder(_ ends: [Piece]) -> [Piece] {
    guard ends.count == 2, case .time(let first) = ends[0].kind, case .time(var last) = ends[1].kind,
      last.minutes < first.minutes
    else { return ends }
    last.minutes += 1440
    return [ends[0], Piece(kind: .time(last), range: ends[1].range)]
  }

  /// The words of a day that does not exist, without those before it. The points of `32.11.` are its own.
  private static func text(of piece: Piece, _ reader: DateReader) -> String {
    let words = reader.words[piece.range].drop { piece.hasConnective && !$0.beginsWithDigit }
    return words.map { $0.core.contains(".") && $0.trailing.hasPrefix(".") ? $0.core + "." : $0.core }
      .joined(separator: " ")
  }

  /// Whether a day or a time that describes another word is beside another one that is read: `swap my monday shift for saturday`.
  private static func conflicts(_ pieces: [Piece], _ reader: DateReader) -> Bool {
    if isOnHoliday(pieces) { return true }
    let days = pieces.count { if case .mention(.day) = $0.kind { true } else { false } }
    let times = pieces.count { if case .mention(.time) = $0.kind { true } else { false } }
    guard days + times > 0 else { return false }
    return days + times > 1
      || pieces.contains { piece in
        switch piece.kind {
        case .day(let day): days > 0 && day.weekday != nil && piece.hasConnective && !isDeadline(piece, reader)
        case .time, .part: piece.hasConnective
        default: false
        }
      }
  }

  /// Whether a word says that something is due until then: `prepare the monday meeting by sunday`.
  private static func isDeadline(_ piece: Piece, _ reader: DateReader) -> Bool {
    ["by", "due", "d'ici", "entro"].contains(reader.words[piece.range.lowerBound].key)
  }

  /// Whether a time without a day may be that of a holiday or a name: `New Year's Eve party 20:00`, `Sunday brunch 11am`.
  private static func isOnHoliday(_ pieces: [Piece]) -> Bool {
    pieces.contains { if case .mention(.event) = $0.kind { true } else { false } }
      && pieces.contains { piece in
        switch piece.kind {
        case .time, .part: true
        default: false
        }
      }
      && !pieces.contains { if case .day = $0.kind { true } else { false } }
  }

  /// Whether the days are one, and the times.
  private func agree() -> Bool {
    guard times.count < 2, Set(parts.map(\.minutes)).count < 2 else { return false }
    guard let first = days.first else { return true }
    return days.dropFirst().allSatisfy { day in
      if day.value == first.value { return true }
      guard let date = day.date, let other = first.date else { return false }
      return (first.weekday == date.weekday && day.weekday == nil)
        || (day.weekday == other.weekday && first.weekday == nil)
    }
  }

  // MARK: Resolution

  private mutating func resolve(_ day: DayMatch) {
    switch day.value {
    case .minutes(let minutes):
      if minutes < 0 { setPast(.fromNow(minutes: minutes)) } else { due = .fromNow(minutes: minutes) }
    case .date(let date):
      guard date >= today else { return setPast(pastDue(date)) }
      resolve(date)
      if day.isSpan, due != nil { notice = .span }
    case .impossible: break
    }
  }

  /// The time on a day, or the day alone.
  private mutating func resolve(_ date: CalendarDate, isRepeated: Bool = false) {
    guard let time = times.first else {
      guard let part = parts.first else { return due = .day(date) }
      if date > today || part.minutes >= now { return set(date, part.minutes) }
      // `tonight` at 23:00
      if !isRepeated { due = .day(date) }
      return
    }
    if isOpen(time), isRepeated {
      // `daily at 8` is the same hour on all days.
      let minutes = waking(time.minutes).first ?? time.minutes
      if date > today || minutes >= now { set(date, minutes) }
    } else if isOpen(time) {
      let times = waking(time.minutes)
      guard let minutes = times.first(where: { date > today || $0 > now }) ?? (date > today ? time.minutes : nil) else {
        return setPast(.time(date, minutes: times.last ?? time.minutes))
      }
      set(date, minutes)
      notice = .hour
    } else {
      let minutes = parts.first?.minutes(time.minutes) ?? time.minutes
      if date == today, time.isEndOfDay, minutes < now, !isRepeated { return due = .day(today) }
      if isRepeated, minutes == 1440 { return due = .time(date, minutes: 1439) }
      if date == today, minutes < now { setPast(.time(date, minutes: minutes)) } else { set(date, minutes) }
    }
  }

  /// The next such part of a day. One that has begun is today, without a time.
  private mutating func resolve(_ part: Part) {
    if part.minutes < now, now < part.end { return due = .day(today) }
    if let day = part.minutes >= now ? today : today.adding(days: 1) { set(day, part.minutes) }
  }

  /// The next such time.
  private mutating func resolve(_ time: TimeMatch) {
    guard let tomorrow = today.adding(days: 1) else { return }
    if time.isEndOfDay, time.minutes < now {
      due = .day(today)
    } else if isOpen(time) {
      let times = waking(time.minutes)
      let left = times.first { $0 > now }
      set(left == nil ? tomorrow : today, left ?? times.first ?? time.minutes)
      notice = .hour
    } else {
      let minutes = parts.first?.minutes(time.minutes) ?? time.minutes
      set(minutes >= now ? today : tomorrow, minutes)
    }
  }

  // MARK: Repetition

  /// Finds the first occurrence of a repetition.
  private mutating func resolveRepetition(_ pieces: [Piece], _ reader: DateReader) {
    let joined = repetitions.dropFirst().reduce(repetitions.first) { $0?.joined($1) }
    guard var match = joined else { return notice = conflict(pieces, reader) }
    if hasTwo(pieces, reader) { return notice = conflict(pieces, reader) }
    parts = [match.part].compactMap(\.self) + parts
    let isBounded = takeBounds()
    guard let start = isBounded ? days.first?.date : start(of: &match, pieces, reader) else {
      return notice = .ambiguous
    }
    guard start >= today else { return notice = .past }
    if let season { return resolve(match, in: season, from: start) }
    let meanings = [match] + match.alternatives
    if hasRange || times.count > 1 || Set(parts.map(\.minutes)).count > 1 || meanings.count > 1 {
      candidates = meanings.flatMap { occurrences($0, from: start) }
      return notice = .ambiguous
    }
    guard let first = occurrence(match, from: start) else { return notice = .past }
    (due, writtenRule, notice, candidates) = (first.due, first.writtenRule, match.isSpan ? .span : nil, [])
  }

  /// The notice of two repetitions.
  private func conflict(_ pieces: [Piece], _ reader: DateReader) -> QuickAddReading.Notice {
    let texts = pieces.filter { $0.repetition != nil }.map { Self.text(of: $0, reader) }
    return .unrepeatable(texts.joined(separator: " … "), .conflict)
  }

  /// Whether `and` is between repetitions, so that they are two: `every monday and every 2 weeks`.
  private func hasTwo(_ pieces: [Piece], _ reader: DateReader) -> Bool {
    zip(pieces, pieces.dropFirst()).contains { first, second in
      first.repetition != nil && second.repetition != nil
        && reader.skip(first.range.upperBound, .and) == second.range.lowerBound
    }
  }

  /// Takes two dates from one to another as the first and the last day: `daily from 1 dec to 10 dec`.
  private mutating func takeBounds() -> Bool {
    let bounds = ends.compactMap { if case .day(let day) = $0.kind { day } else { nil } }
    guard hasRange, bounds.count == 2, ends.count == 2, days.isEmpty, end == nil,
      bounds.allSatisfy({ $0.weekday == nil && !$0.isSpan }), let last = bounds[1].date
    else { return false }
    (days, end, ends, hasRange) = ([bounds[0]], .until(last), [], false)
    return true
  }

  /// Repeats in the months of a season: each year, or only once if they have a year. Which is meant without one is open.
  private mutating func resolve(_ match: RepetitionMatch, in season: Season, from start: CalendarDate) {
    notice = .ambiguous
    guard end == nil || season.isYearly, start == today, match.frequency != .yearly, !match.isAfterDone,
      match.months.isEmpty
    else {
      return
    }
    var once = self
    once.end = .until(season.last)
    var yearly = match
    yearly.months = season.months.sorted()
    if season.isOnce || season.isYearly, !hasRange, times.count < 2, match.alternatives.isEmpty {
      let start = max(season.start, today)
      guard let first = season.isYearly ? occurrence(yearly, from: start) : once.occurrence(match, from: start) else {
        return notice = .past
      }
      (due, writtenRule, notice) = (first.due, first.writtenRule, match.isSpan ? .span : nil)
      return
    }
    candidates = occurrences(yearly, from: season.start) + once.occurrences(match, from: season.start)
  }

  /// Returns the day from which a repetition counts, or `nil` if the sentence has a day that does not belong to it. Adds weekdays
  /// that stand apart: `gym mon every 2 weeks`.
  private mutating func start(of match: inout RepetitionMatch, _ pieces: [Piece], _ reader: DateReader) -> CalendarDate?
  {
    var start: CalendarDate?
    let hasDays = match.hasDays
    for piece in pieces {
      // `Thanksgiving dinner every year` is on another day.
      if piece.isMention, match.frequency == .yearly, !hasDays, Self.days(of: match, in: piece.range, reader) != nil {
        return nil
      }
      guard case .day(let day) = piece.kind else { continue }
      let isStart = reader.skip(piece.range.lowerBound, .starts) != nil
      if !isStart, !hasDays, let days = Self.days(of: match, in: piece.range, reader) {
        guard days.hasDays else { return nil }
        match = days
        continue
      }
      if !isStart, !hasDays, match.frequency == .weekly, let weekday = day.weekday {
        match.weekdays = (match.weekdays + [.init(weekday)]).sorted { $0.day < $1.day }
      } else if start == nil, !isStart, end == nil, !match.isAfterDone, let last = day.lastDay {
        // `every day this week`
        (start, end) = (day.date, .until(last))
      } else if let date = day.date, start == nil,
        isStart || !hasDays && (!day.isSpan || match.frequency == .yearly) || match.rule.firstDay(from: date) == date
      {
        start = date
      } else {
        return nil
      }
    }
    return start ?? today
  }

  /// Returns a repetition with a day that stands apart, if it is another date each time: `the first monday of may … every year`.
  /// Without days if no rule can say it, as for Easter; `nil` if it is the same date.
  private static func days(
    of match: RepetitionMatch, in range: Range<Int>, _ reader: DateReader
  ) -> RepetitionMatch? {
    let grammar = Grammar(reader: reader)
    var found: RepetitionMatch?
    for position in range where found == nil {
      switch match.frequency {
      case .monthly where reader.skip(position, .endOf(.month)) != nil:
        found = RepetitionMatch(frequency: .monthly, monthDays: [-1])
      case .yearly:
        if let holiday = reader.take(position, { if case .holiday(let holiday) = $0 { holiday } else { nil } }) {
          found = holiday.value.rule ?? RepetitionMatch(frequency: .yearly)
        } else if let (numbers, end) = grammar.ordinals(position), let days = grammar.ordinalDays(numbers, end),
          days.match.frequency == .yearly
        {
          found = days.match
        }
      default: break
      }
    }
    return found?.every(match.interval)
  }

  /// Returns the first occurrence from a day on.
  private func occurrence(_ match: RepetitionMatch, from start: CalendarDate) -> Candidate? {
    var moment = self
    var rule = match.rule
    guard let first = rule.firstDay(from: start) else { return nil }
    moment.resolve(first, isRepeated: true)
    // The time of the first one may be past: `every tuesday 7:00`
    if moment.due == nil, let next = first.adding(days: 1).flatMap({ rule.firstDay(from: $0) }) {
      moment.resolve(next, isRepeated: true)
    }
    guard let due = moment.due, let day = due.day else { return nil }
    if match.isAfterDone {
      return end == nil ? Candidate(due: due, writtenRule: .afterDone(.init(match.interval, match.frequency))) : nil
    }
    if let end {
      rule.end = end.end(of: match, from: day)
      if rule.end == nil { return nil }
    }
    return Candidate(due: due, writtenRule: .calendar(rule))
  }

  /// Returns the first occurrence at each of the times.
  private func occurrences(_ match: RepetitionMatch, from start: CalendarDate) -> [Candidate] {
    let times = times + ends.compactMap { if case .time(let time) = $0.kind { time } else { nil } }
    guard !times.isEmpty else { return [occurrence(match, from: start)].compactMap(\.self) }
    return times.prefix(Self.candidateLimit).compactMap { time in
      var moment = self
      moment.times = [time]
      return moment.occurrence(match, from: start)
    }
  }

  /// The maximum number of dates to choose from. A long sentence can have days and times with many thousand combinations.
  private static let candidateLimit = 20

  /// Returns the meaning of each day with each time, without past ones, in the order of the sentence.
  private func resolvedAlone() -> [QuickAddReading.Due] {
    let (endDays, endTimes) = ends.reduce(into: ([DayMatch](), [TimeMatch]())) { result, piece in
      switch piece.kind {
      case .day(let day): result.0.append(day)
      case .time(let time): result.1.append(time)
      default: break
      }
    }
    var days = (days + endDays).map(Optional.some)
    if days.isEmpty, !events.isEmpty { days = events.map(Optional.some) + [nil] }
    let times = (times + endTimes).map { [$0] }
    var result: [QuickAddReading.Due] = []
    for day in days.isEmpty ? [nil] : days {
      for time in times.isEmpty ? [[]] : times {
        var moment = self
        (moment.days, moment.times) = ([day].compactMap(\.self), time)
        if let day { moment.resolve(day) } else if let time = time.first { moment.resolve(time) }
        if let due = moment.due, !result.contains(due) { result.append(due) }
        if result.count == Self.candidateLimit { return result }
      }
    }
    return result
  }

  private mutating func setPast(_ due: QuickAddReading.Due) {
    (notice, candidates) = (.past, [Candidate(due: due)])
  }

  /// The time on a past day, or the day alone.
  private func pastDue(_ date: CalendarDate) -> QuickAddReading.Due {
    let minutes = times.first.map { parts.first?.minutes($0.minutes) ?? $0.minutes } ?? parts.first?.minutes
    return minutes.flatMap { Self.time(date, $0) } ?? .day(date)
  }

  /// Whether a time can be before and after noon: `at 5`, `lunch 1:30`, but not `school run 7:45`.
  private func isOpen(_ time: TimeMatch) -> Bool {
    parts.isEmpty && (time.isOpen || (time.isOfTwelveHours && time.minutes < hours.start))
  }

  /// Returns the times from 7:00 to 21:59, or of the event, that an hour without `am` or `pm` can mean.
  private func waking(_ minutes: Int) -> [Int] {
    let morning = minutes % 720
    switch hours {
    case .evening: return [morning + 720]
    case .morning where morning >= 4 * 60: return [morning]
    default: return [morning, morning + 720].filter { (7 * 60..<22 * 60).contains($0) }
    }
  }

  private mutating func set(_ date: CalendarDate, _ minutes: Int) { due = Self.time(date, minutes) }

  /// Returns a time on a day; 24:00 is the start of the next day.
  private static func time(_ date: CalendarDate, _ minutes: Int) -> QuickAddReading.Due? {
    if minutes < 1440 { return .time(date, minutes: minutes) }
    return date.adding(days: 1).map { .time($0, minutes: minutes - 1440) }
  }
}
