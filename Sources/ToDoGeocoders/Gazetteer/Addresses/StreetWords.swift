/// The words that identify a street name, which is not a town name.
enum StreetWords {
  /// Returns, for each word of the text, whether it belongs to a street's name.
  static func streets(in text: FoldedAddress) -> [Bool] {
    var flags = [Bool](repeating: false, count: text.words.count)
    for index in text.words.indices {
      guard let side = sides[text.text(of: index..<index + 1)] else { continue }
      let part = text.words[index].part
      var first = index
      while first > 0, text.words[first - 1].part == part { first -= 1 }
      let followsName = (first..<index).contains { !text.isNumber($0) }
      switch side {
      case .afterName where followsName, .either where followsName, .onlyAfterName where followsName:
        for word in first...index { flags[word] = true }
      case .onlyAfterName: break
      default:
        for word in index..<endOfName(in: text, after: index) { flags[word] = true }
      }
    }
    return flags
  }

  /// Returns the end of a street name that follows a street word. The name extends to the house number. Without a house
  /// number a town may follow the name, so the name is only its first word after the articles.
  private static func endOfName(in text: FoldedAddress, after index: Int) -> Int {
    let part = text.words[index].part
    var (end, firstWord) = (index + 1, Int?.none)
    while end < text.words.count, text.words[end].part == part {
      if text.words[end].hasDigit { return end }
      if firstWord == nil, !articles.contains(text.text(of: end..<end + 1)) { firstWord = end }
      end += 1
    }
    return firstWord.map { $0 + 1 } ?? end
  }

  /// The position of a street word relative to the name.
  private enum Side {
    /// After the name, as in "Baker Street", or before it if no name precedes, as in "Straße der Nationen".
    case afterName
    /// Only after the name, as in "Main St"; "St Louis" is not a street.
    case onlyAfterName
    /// Before the name, as in "Rue de Rivoli".
    case beforeName
    /// After the name if one precedes, as in "Fifth Avenue"; otherwise before it, as in "Avenue Foch".
    case either
  }

  /// All words in folded form, for tests.
  static var all: [String] { Array(sides.keys) + articles }

  private static let articles: Set<String> = [
    "a", "al", "au", "aux", "da", "das", "de", "dei", "del", "della", "delle", "dello", "den", "der", "des", "di",
    "do", "dos", "du", "el", "i", "im", "la", "las", "le", "les", "los", "the", "van", "y",
  ]

  private static let sides: [String: Side] = {
    let words: [(Side, String)] = [
      (
        .afterName,
        """
        street str strasse road rd lane ln drive court ct crescent terrace highway hwy way close row walk alley gasse allee \
        weg ufer ring damm straat laan gracht kade plein vej vag vagen gatan gata gate gade veien katu tie utca ut korut \
        ulice sokak sok sokagi caddesi cad bulvari jalan marg shosse chome dori
        """
      ),
      (.onlyAfterName, "st dr sq square pl platz place plaza park circus"),
      (.either, "avenue ave av boulevard blvd bd quay"),
      (
        .beforeName,
        """
        rue chemin route quai cours via viale corso piazza piazzale calle carrer carretera paseo passeig rambla rua \
        avenida avinguda travessa praca largo ulica ul ulitsa aleja al plac prospekt pr strada bulevardul calea soseaua \
        jl odos leoforos улица ул проспект пр просп переулок пер площадь пл шоссе бульвар бул набережная наб вулиця вул \
        οδοσ λεωφοροσ شارع רחוב
        """
      ),
    ]
    let pairs = words.flatMap { side, text in text.split(separator: " ").map { (String($0), side) } }
    return Dictionary(pairs) { first, _ in first }
  }()
}
