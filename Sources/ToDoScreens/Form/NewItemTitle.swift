import ToDoModel
import ToDoText

/// The title of a new item with its reading, and the place and the list that it names, which are looked up.
struct NewItemTitle: Equatable, Sendable {
  /// A question that must be answered before the item is saved.
  enum OpenQuestion: Equatable {
    /// A result of these effects, or of effects that are being performed.
    case awaits([Effect])
    case reading
    case place
  }

  /// The reading, from the time when the title was typed. `nil` if the form edits an item, or the title is blank.
  private(set) var reading: TitleReading?
  /// The place that the title names.
  private(set) var place: TitlePlace?
  private var lists = TitleLists()

  /// Whether the lists that the title can name are being read.
  var areListsBeingRead: Bool { lists.areBeingRead }

  /// The lists with the name in the title, or `nil` if it names none.
  var namedLists: [UserList]? { reading?.list.map { lists.lists(named: $0) } }
}

// MARK: - Reading

extension NewItemTitle {
  /// Reads the title again if it has changed. Otherwise its days remain relative to the time when it was typed.
  ///
  /// - Parameter texts: the texts of a new item; `nil` if the form edits an item.
  mutating func read(_ texts: FormTexts?, _ environment: ScreenEnvironment) {
    reading = texts.flatMap { reading(of: $0, environment) }
  }

  /// Returns the reading of a title, or `nil` if it is blank.
  func reading(of texts: FormTexts, _ environment: ScreenEnvironment) -> TitleReading? {
    guard !texts[.title].isBlank else { return nil }
    if let reading, reading.isReading(of: texts, lists: lists.names) { return reading }
    return TitleReading(texts, lists: lists.names, environment)
  }

  /// Begins to look up what the reading names.
  mutating func lookUp(_ texts: FormTexts, _ content: ListContent, _ environment: ScreenEnvironment) -> [Effect] {
    let listEffects = reading == nil ? [] : lists.read(for: texts[.title].text.oneLine, environment.connection)
    return listEffects + updatePlace(texts, content)
  }

  /// Finds the location of the place if it has changed. A place beside an address is only a name.
  private mutating func updatePlace(_ texts: FormTexts, _ content: ListContent) -> [Effect] {
    let isAddressEmpty = texts[.address].text.oneLine.isEmpty
    let text = isAddressEmpty && reading?.coordinate == nil ? reading?.place : nil
    guard text != place?.text else { return [] }
    place = text.map { TitlePlace($0, known: content.inheritedLocation(named: $0)) }
    return place?.isWaiting == true ? [.startTimer(.placeTyped, AddressSearch.pause)] : []
  }

  /// Begins to look up the place, unless that was done before.
  mutating func locate() -> [Effect] { place?.locate() ?? [] }

  /// Receives the places that the place can mean.
  mutating func receive(_ text: String, _ matches: [AddressMatch]) { place?.receive(text, matches) }

  /// Receives the lists.
  ///
  /// - Returns: the reason why they could not be read.
  mutating func receive(_ result: Result<ListSet, EffectFailure>) -> String? { lists.receive(result) }
}

// MARK: - Questions

extension NewItemTitle {
  /// Returns the question that is open before the item is saved, and begins to look up the answer; `nil` if there is none.
  mutating func openQuestion(_ texts: FormTexts) -> OpenQuestion? {
    if reading != nil, let effects = lists.readToSave(texts[.title].text.oneLine) { return .awaits(effects) }
    if reading?.choices.isEmpty == false { return .reading }
    if place?.choices.isEmpty == false { return .place }
    return place != nil && place?.location == nil ? .awaits(locate()) : nil
  }

  /// Takes one of the readings.
  ///
  /// - Returns: whether there is such a reading.
  mutating func chooseReading(_ index: Int) -> Bool {
    guard let choices = reading?.choices, choices.indices.contains(index) else { return false }
    reading?.choose(choices[index])
    return true
  }

  /// Takes one of the places, or only the name.
  ///
  /// - Returns: whether there is such a place.
  mutating func choosePlace(_ index: Int) -> Bool {
    guard let choices = place?.choices, index == choices.count || choices.indices.contains(index) else { return false }
    place?.choose(index == choices.count ? nil : choices[index])
    return true
  }

  /// The question of which reading is meant, with a numbered line for each.
  func readingQuestion(_ environment: ScreenEnvironment) -> String {
    guard let reading else { return "" }
    let lines = reading.choices.map { choice in
      let due = choice.due?.confirmationText(today: environment.today, in: environment.zone)
      let rule = choice.repetition?.rule.words(in: environment.zone)
      return ([choice.title.escapingControls(), due ?? "no due date"] + [rule].compactMap(\.self))
        .joined(separator: " · ")
    }
    return FormQuestion.text("\(reading.problem) Which one do you mean?", choices: lines)
  }

  /// The question of which place is meant, with a numbered line for each.
  var placeQuestion: String {
    guard let place else { return "" }
    let name = place.text.escapingControls()
    let lines = place.choices.map { $0.place.displayName.escapingControls() } + ["only the name"]
    return FormQuestion.text(
      "'\(name)' matches \(place.choices.count) places. Which one do you mean?", choices: lines)
  }
}
