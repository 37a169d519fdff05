import FirstDemo
import Testing

@Suite struct TextTests {
  @Test(arguments: [
    ("", 0), ("Dominik", 3), ("rhythm", 0), ("AEIOU", 5), ("queue", 4),
  ])
  func vowelCount_countsVowelsInEitherCase(text: String, count: Int) {
    #expect(text.vowelCount == count)
  }

  @Test(arguments: [
    ("", ""), ("this is a headline", "This Is A Headline"), ("NASA lands", "NASA Lands"),
    (" two  blanks", " Two  Blanks"),
    ("élan vital", "Élan Vital"), ("don't stop", "Don't Stop"), ("ß", "SS"),
  ])
  func headline_beginsEveryWordWithACapital(text: String, headline: String) {
    #expect(text.headline == headline)
  }
}
