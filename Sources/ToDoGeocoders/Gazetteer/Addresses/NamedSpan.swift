/// Words of an address that are a name in the gazetteer.
struct NamedSpan {
  /// Which words.
  var words: Range<Int>
  /// Which bytes of the folded text: a word of a script without spaces can hold several names.
  var bytes: Range<Int>
  /// Which part of the address they are in.
  var part: Int
  var postings: [NameIndex.Posting]
  /// In a script that puts no spaces between words, and the larger before the smaller.
  var isUnspaced = false
  /// They belong to the name of a street.
  var isStreet = false
  /// They are all of their part, numbers aside.
  var isWholePart = false
  /// Nothing but numbers stands behind them in their part.
  var endsPart = false
}
