/// A span of words in an address that is a name in the gazetteer.
struct NamedSpan {
  /// The indices of the words.
  var words: Range<Int>
  /// The bytes of the folded text. In a script without spaces, one word can contain several names.
  var bytes: Range<Int>
  /// The index of the part that contains the span.
  var part: Int
  /// The records that the name refers to.
  var postings: [NameIndex.Posting]
  /// Whether the script puts no spaces between words, and larger areas before smaller ones.
  var isUnspaced = false
  /// Whether the span belongs to the name of a street.
  var isStreet = false
  /// Whether the span is its whole part, except for numbers.
  var isWholePart = false
  /// Whether only numbers follow the span in its part.
  var endsPart = false
}
