import Testing
import ToDoGeocoders
import ToDoModel
import ToDoTestSupport

/// The rules of `AddressInterpreter`, each with example addresses.
@Suite(.unitTimeLimited) struct AddressInterpreterTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var address: String
    /// The display name of the best candidate, or `nil` if there is none.
    var place: String?

    init(_ address: String, _ place: String?) { (self.address, self.place) = (address, place) }

    var testDescription: String { address }
  }

  private func expect(_ example: Example) async throws {
    let best = try await GazetteerGeocoder().candidates(for: GeocodeQuery(address: example.address)).first
    #expect(best?.displayName == example.place)
  }

  @Test(arguments: [
    Example("Paris", "Paris, Île-de-France, France"), Example("Paris, TX", "Paris, Texas, United States"),
    Example("paris texas", "Paris, Texas, United States"), Example("Paris, US", "Paris, Texas, United States"),
    Example("Georgia, USA", "Georgia, United States"), Example("Athens, Georgia", "Athens, Georgia, United States"),
    Example("Peru, Indiana", "Peru, Indiana, United States"), Example("Россия, Москва", "Moscow, Russia"),
    Example("San Juan, USA", "San Juan, Puerto Rico"), Example("中国北京市朝阳区", "Beijing, China"),
  ])
  func best_whenAreaIsNamed_isInArea(example: Example) async throws { try await expect(example) }

  @Test(arguments: [
    Example("Pasing, München", "Pasing, Bavaria, Germany"),
    Example("Hoboken, New York", "Hoboken, New Jersey, United States"),
    Example("Hollywood, Los Angeles", "Hollywood, California, United States"),
  ])
  func best_whenLargerTownIsNamed_isNearTown(example: Example) async throws { try await expect(example) }

  @Test(arguments: [
    Example("Berliner Str. 5, München", "Munich, Bavaria, Germany"),
    Example("Paris Street 4, London", "London, England, United Kingdom"),
    Example("Paris 4, London", "London, England, United Kingdom"),
    Example("New York Café, Budapest", "Budapest, Hungary"), Example("Marienplatz München", "Munich, Bavaria, Germany"),
    Example("Berlin, Unter den Linden 77", "Berlin, Germany"), Example("서울특별시 중구 세종대로 110", "Seoul, South Korea"),
  ])
  func best_whenSeveralTownsAreNamed_isTownInExpectedPosition(example: Example) async throws {
    try await expect(example)
  }

  @Test(arguments: [
    Example("Via Roma", nil), Example("Rue de Paris 5, Lyon", "Lyon, Auvergne-Rhône-Alpes, France"),
    Example("Rue de Paris", nil), Example("Avenida Paulista São Paulo", "São Paulo, Brazil"),
    Example("350 5th Ave New York", "New York City, New York, United States"),
    Example("12 St James St, London", "London, England, United Kingdom"),
    Example("St Louis", "St. Louis, Missouri, United States"),
    Example("Straße des 17. Juni 135, Berlin", "Berlin, Germany"),
  ])
  func best_whenStreetIsNamedAfterTown_isNotThatTown(example: Example) async throws { try await expect(example) }

  @Test(arguments: [
    Example("Springfield, Germany", nil), Example("Kleinkleckersdorf, Germany", nil), Example("Foo, Texas", nil),
    Example("Belfast, Ireland", "Belfast, Northern Ireland, United Kingdom"),
  ])
  func best_whenAreaDoesNotContainTown_isNil(example: Example) async throws { try await expect(example) }

  @Test(arguments: [
    Example("buy milk at home", nil), Example("at work", nil), Example("Town hall", nil),
    Example("Heathrow Airport", nil),
    Example("Schloss Ludwigsburg", "Ludwigsburg, Baden-Württemberg, Germany"),
    Example("Wien Hauptbahnhof", "Vienna, Austria"),
    Example("Hauptbahnhof Bonn", "Bonn, North Rhine-Westphalia, Germany"),
  ])
  func best_whenWordsAreUnknown_isProminentTownOrNil(example: Example) async throws { try await expect(example) }

  @Test(arguments: [
    Example("USA", "United States"), Example("Roma", "Rome, Lazio, Italy"), Example("Venice", "Venice, Veneto, Italy"),
    Example("New York", "New York City, New York, United States"), Example("Georgia", "Georgia"),
    Example("Frankfurt", "Frankfurt am Main, Hesse, Germany"), Example("Baden", "Baden, Lower Austria, Austria"),
    Example("NYC", "New York City, New York, United States"),
    Example("NYC, USA", "New York City, New York, United States"), Example("NYC, Texas", nil),
  ])
  func best_whenNameIsAmbiguous_isMostProminent(example: Example) async throws { try await expect(example) }

  @Test(arguments: [
    Example("muenchen", "Munich, Bavaria, Germany"),
    Example("Saint Louis, Missouri", "St. Louis, Missouri, United States"),
    Example("Goeteborg", "Gothenburg, Sweden"),
    Example("Dam 1, 1012 JS Amsterdam", "Amsterdam, North Holland, The Netherlands"),
  ])
  func best_whenSpellingIsAlternate_isSameTown(example: Example) async throws { try await expect(example) }
}
