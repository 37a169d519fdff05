import ToDoModel

/// Words that are a date and nothing else.
struct WholeDate {
  let due: QuickAddReading.Due
  /// The day of the date, if no time was read.
  var day: CalendarDate? {
    if case .day(let day) = due { day } else { nil }
  }

  /// Reads all words of a reader of dates only, or returns `nil` if a word is left.
  init?(_ reader: DateReader) {
    var parts = Parts(reader: reader)
    guard parts.takeAll(), let due = parts.due() else { return nil }
    self.due = due
  }

  /// The days, times and parts of a day that the words consist of.
  private struct Parts {
    let reader: DateReader
    var days: [Piece] = []
    var hasYear = false
    var time: TimeMatch?
    var part: Piece?
    var zone: QuickAddReading.Zone?

    /// Takes all words, and returns whether each belongs to the date.
    mutating func takeAll() -> Bool {
      var position = 0
      while position < reader.words.count {
        guard let end = takePart(position) ?? takeDayOrTime(position) ?? takeZone(position),
          reader.words[position..<end].allSatisfy(\.isPlain) || zone != nil
        else { return false }
        position = end
      }
      return true
    }

    /// Takes a part of a day after its day: `fri morning`.
    private mutating func takePart(_ position: Int) -> Int? {
      guard !days.isEmpty, part == nil, let match = reader.adverb(position) ?? reader.part(position) else { return nil }
      part = Piece(kind: .part(match.value), range: position..<match.end)
      return match.end
    }

    /// Takes the longer one of a day and a time.
    private mutating func takeDayOrTime(_ position: Int) -> Int? {
      let start = reader.skip(position, .on) ?? position
      let day = reader.day(start) ?? (days.isEmpty && time == nil ? reader.dayAfterDuration(start) : nil)
      let time = time == nil ? reader.time(reader.skip(position, .at) ?? position) : nil
      if let time, time.end > day?.end ?? 0 {
        self.time = time
        return time.end
      }
      guard let day else { return nil }
      days.append(Piece(kind: .day(day), range: position..<day.end))
      hasYear = hasYear || day.hasYear
      return day.end
    }

    /// Takes the zone after a day and its time, which is the last word.
    private mutating func takeZone(_ position: Int) -> Int? {
      guard position == reader.words.count - 1, !days.isEmpty, time?.end == position else { return nil }
      let text = reader.words[position].text
      let offset = hasYear ? DateReader.utcOffset(text[...]) : nil
      zone = offset.map { .offset(seconds: $0) } ?? .name(text)
      return position + 1
    }

    /// Returns the common meaning of the parts.
    func due() -> QuickAddReading.Due? {
      guard isComplete, let time = time ?? timeOfDay else { return dueWithoutTime() }
      guard time.offset == nil || hasYear, !time.isBare || (!days.isEmpty && time.minutes < 1440) else { return nil }
      var match = time
      // `mon 9` is 9:00.
      if match.isBare { (match.isOpen, match.isBare) = (false, false) }
      match.end = reader.words.count
      let days = days.map { piece in
        guard case .day(var day) = piece.kind else { return piece }
        day.time = nil
        return Piece(kind: .day(day), range: piece.range)
      }
      let moment = Moment(days + [part, Piece(kind: .time(match), range: 0..<match.end)].compactMap(\.self), reader)
      guard case .time(let date, let minutes) = Self.due(moment) else { return nil }
      let zone = zone ?? time.offset.map { .offset(seconds: $0) }
      if zone == nil, time.microseconds == 0 { return .time(date, minutes: minutes) }
      return .exact(date, microseconds: Int64(minutes) * 60_000_000 + time.microseconds, zone)
    }

    private func dueWithoutTime() -> QuickAddReading.Due? {
      guard isComplete else { return nil }
      return Self.due(Moment(days + [part].compactMap(\.self), reader))
    }

    /// Whether there is a day or a time, and no time after a duration in minutes.
    private var isComplete: Bool {
      guard !days.isEmpty || time != nil else { return false }
      let isFromNow = days.contains { piece in
        if case .day(let day) = piece.kind, case .minutes = day.value { true } else { false }
      }
      return !isFromNow || (days.count == 1 && time == nil && part == nil)
    }

    /// The time in one word with its day.
    private var timeOfDay: TimeMatch? {
      days.lazy.compactMap { if case .day(let day) = $0.kind { day.time } else { nil } }.first
    }

    /// Returns the due date of a moment, which may be past.
    private static func due(_ moment: Moment) -> QuickAddReading.Due? {
      switch moment.notice {
      case .ambiguous, .unread, .unrepeatable, .long: nil
      case .past: moment.candidates.first?.due
      case .hour, .span, .lists, nil: moment.due
      }
    }
  }
}

extension Word {
  /// Whether the word has no punctuation but that of a date: `28.`, `nov,`.
  fileprivate var isPlain: Bool {
    leading.isEmpty && (["", ","].contains(trailing) || ([".", ".,"].contains(trailing) && !core.contains(":")))
  }
}
