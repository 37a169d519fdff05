import ArgumentParser

/// The options of commands that select items by title words.
struct WordOptions: ParsableArguments {
  @Flag(help: "Select items by parts of words, not only by whole words.")
  var contains = false
}
