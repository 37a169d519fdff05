"""Splits Swift source into the tokens that the metrics need.

Each string literal, with its interpolations, and each regex literal is one token. Documentation comments are tokens; other comments
and white space are dropped.
"""

import bisect
import re
from typing import NamedTuple


class Token(NamedTuple):
    kind: str  # word, punctuation, literal, documentation, directive
    text: str
    line: int
    start: int
    end: int


TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<documentation>///[^\n]*)
    | (?P<comment>//[^\n]*)
    | (?P<block>/\*)
    | (?P<string>\#*")
    | (?P<regex>\#+/)
    | (?P<directive>\#(?:if|elseif|else|endif|sourceLocation|error|warning)\b[^\n]*)
    | (?P<word>`[^`\n]+`|[^\W\d]\w*|[$\#]\w+)
    | (?P<number>\d\w*(?:\.\d\w*)?)
    | (?P<arrow>->)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)

# A slash after one of these begins a regex literal, not a division.
BEFORE_REGEX = set("(,=:[{&|!?;") | {"return", "in", "try", "await", "case", "where"}


def tokens(source):
    """Returns the tokens of Swift source."""
    newlines = [index for index, character in enumerate(source) if character == "\n"]
    result = []
    position = 0
    while position < len(source):
        match = TOKEN.match(source, position)
        kind, text, end = match.lastgroup, match.group(), match.end()
        if kind == "block":
            end = end_of_comment(source, position)
            is_documentation = source.startswith("/**", position) and not source.startswith("/**/", position)
            kind = "documentation" if is_documentation else "comment"
        elif kind == "string":
            end, kind = end_of_string(source, position), "literal"
        elif kind == "regex":
            end, kind = end_of_raw_regex(source, position), "literal"
        elif text == "/" and (regex := end_of_regex(source, position, result)):
            end, kind = regex, "literal"
        elif kind in ("arrow", "other"):
            kind = "punctuation"
        elif kind == "number":
            kind = "literal"
        if kind not in ("space", "comment"):
            line = bisect.bisect_left(newlines, position) + 1
            result.append(Token(kind, source[position:end], line, position, end))
        position = end
    return result


def end_of_comment(source, position):
    """Returns the offset after a block comment, in which others may be nested."""
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(source, position):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(source)


def end_of_string(source, position):
    """Returns the offset after a string literal that begins at `position`."""
    hashes = "#" * (source.index('"', position) - position)
    position += len(hashes)
    quotes = '"""' if source.startswith('"""', position) else '"'
    position += len(quotes)
    while position < len(source):
        if source.startswith("\\" + hashes, position):
            position += 1 + len(hashes)
            position = end_of_interpolation(source, position) if source.startswith("(", position) else position + 1
        elif source.startswith(quotes + hashes, position):
            return position + len(quotes) + len(hashes)
        elif source[position] == "\n" and quotes == '"':
            return position
        else:
            position += 1
    return position


def end_of_interpolation(source, position):
    """Returns the offset after the parenthesis that closes the one at `position`."""
    depth = 0
    while position < len(source):
        if re.match(r'#*"', source[position:position + 8]):
            position = end_of_string(source, position)
            continue
        if source.startswith("/*", position):
            position = end_of_comment(source, position)
            continue
        depth += {"(": 1, ")": -1}.get(source[position], 0)
        position += 1
        if depth == 0:
            return position
    return position


def end_of_raw_regex(source, position):
    hashes = "#" * (source.index("/", position) - position)
    end = source.find("/" + hashes, position + len(hashes) + 1)
    return len(source) if end < 0 else end + 1 + len(hashes)


def end_of_regex(source, position, before):
    """Returns the offset after the regex literal that a slash begins, or `None` if the slash is an operator."""
    if before and before[-1].text not in BEFORE_REGEX:
        return None
    match = re.compile(r"/(?![\s*/])(?:\\.|[^/\\\n])+/").match(source, position)
    return match.end() if match else None
