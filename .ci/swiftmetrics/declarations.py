"""Finds the declarations in the tokens of a Swift file, with their bodies, access and documentation."""

from dataclasses import dataclass, field

ACCESS = {"open", "public", "package", "internal", "fileprivate", "private"}
MODIFIERS = ACCESS | {
    "static", "class", "final", "mutating", "nonmutating", "nonisolated", "override", "required", "convenience", "lazy",
    "weak", "unowned", "dynamic", "indirect", "borrowing", "consuming", "isolated", "distributed", "prefix", "postfix",
    "infix",
}
TYPES = {"struct", "class", "enum", "actor", "protocol", "extension"}
CALLABLES = {"func", "init", "deinit", "subscript"}
PROPERTIES = {"var", "let"}
OTHERS = {"typealias", "associatedtype"}
# `class` before one of these is a modifier.
BEFORE_CLASS = CALLABLES | PROPERTIES | MODIFIERS
OPENING, CLOSING = set("([{"), set(")]}")


@dataclass
class Declaration:
    kind: str
    name: str  # with the labels of its parameters: `send(_:to:)`
    line: int
    access: str
    is_documented: bool
    container: "Declaration | None"
    inherited: list = field(default_factory=list)  # the types after the colon of a type or an extension
    is_override: bool = False
    is_local: bool = False
    body: tuple | None = None  # the lines of its braces
    is_table: bool = False  # its body is one array literal

    @property
    def body_length(self):
        """The number of lines between the braces; a body within one line has one."""
        return max(1, self.body[1] - self.body[0] - 1) if self.body else 0

    @property
    def full_name(self):
        return f"{self.container.full_name}.{self.name}" if self.container else self.name


def declarations(found):
    """Returns the declarations in the tokens of a file in source order, nested and local ones included, without enum cases."""
    return Parser(found).parse()


class Parser:
    def __init__(self, found):
        self.tokens = found
        self.index = 0
        self.found = []
        # The owner of each open brace: a declaration, or `None` for a closure or a statement.
        self.scopes = []
        self.reset()

    def reset(self):
        self.modifiers = []
        self.is_documented = False

    def parse(self):
        while self.index < len(self.tokens):
            self.step(self.tokens[self.index])
        return self.found

    def step(self, token):
        before = self.text(self.index - 1)
        after = self.text(self.index + 1)
        if token.kind == "documentation":
            self.is_documented = True
            self.index += 1
        elif token.kind == "directive":
            self.index += 1
        elif token.text == "@":
            self.skip_attribute()
        elif token.text == "{":
            self.scopes.append(None)
            self.reset()
            self.index += 1
        elif token.text == "}":
            self.close(token)
        elif token.kind != "word" or before == "." or after == ":":
            self.reset()
            self.index += 1
        else:
            self.step_word(token.text, after)

    def step_word(self, word, after):
        self.line = self.tokens[self.index].line
        if word in MODIFIERS and self.is_name(self.index + 1) and not (word == "class" and after not in BEFORE_CLASS):
            self.modifiers.append(word)
            self.index += 1
        elif word in MODIFIERS and after == "(" and self.text(self.index + 2) in ("set", "unsafe", "safe"):
            self.modifiers += [] if self.text(self.index + 2) == "set" else [word]
            self.index = self.end_of_group(self.index + 1)
        elif word in TYPES and self.is_name(self.index + 1):
            self.parse_type(word)
        elif word in ("func", "deinit") or (word in ("init", "subscript") and self.is_in_type()):
            self.parse_callable(word)
        elif word in PROPERTIES:
            self.parse_property(word)
        elif word in OTHERS and self.is_name(self.index + 1):
            self.index += 1
            self.declare(word, self.text(self.index))
            self.index += 1
        else:
            self.reset()
            self.index += 1

    # Parts of declarations

    def parse_type(self, kind):
        self.index += 1
        name = self.text(self.index)
        self.index += 1
        inherited, is_after_colon, is_after_where, depth = [], False, False, 0
        while self.index < len(self.tokens) and self.text(self.index) != "{":
            text = self.text(self.index)
            depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(text, 0)
            if text == "." and not is_after_colon:
                self.index += 1
                name += "." + self.text(self.index)
            elif depth == 0 and text == ":":
                is_after_colon = True
            elif depth == 0 and text == "where":
                is_after_where = True
            elif depth == 0 and is_after_colon and not is_after_where and self.tokens[self.index].kind == "word":
                if self.text(self.index - 1) == ".":
                    inherited.pop()
                inherited.append(text)
            self.index += 1
        declaration = self.declare(kind, name)
        declaration.inherited = inherited
        self.open(declaration)

    def parse_callable(self, kind):
        self.index += 1
        name = kind
        if kind == "func":
            name = self.text(self.index)
            self.index += 1
            if self.tokens[self.index - 1].kind == "punctuation":  # an operator
                while self.text(self.index) not in ("(", "<") or self.is_adjacent(self.index) and self.text(self.index) != "(":
                    name += self.text(self.index)
                    self.index += 1
        if kind != "deinit":
            self.skip_generics()
            end = self.end_of_group(self.index)
            name += self.labels(self.index, end)
            self.index = end
        is_requirement = self.is_in("protocol")
        declaration = self.declare(kind, name)
        if is_requirement:
            self.skip_accessors(kind == "subscript")
            return
        while self.index < len(self.tokens) and self.text(self.index) not in "{}":
            self.index = self.end_of_group(self.index) if self.text(self.index) in "([" else self.index + 1
        self.open(declaration)

    def parse_property(self, kind):
        is_pattern = self.text(self.index - 1) in ("case", "for", "(", ",")
        self.index += 1
        name = self.text(self.index)
        if not self.is_name(self.index):
            self.reset()
            return
        is_requirement = self.is_in("protocol")
        declaration = self.declare(kind, name)
        self.index += 1
        if self.text(self.index) != ":" or is_pattern:
            return
        if is_requirement:
            self.skip_accessors(True)
        elif self.skip_type():
            self.open(declaration)

    def skip_generics(self):
        """Moves to the parenthesis of a parameter list."""
        depth = 0
        while self.index < len(self.tokens) and (depth or self.text(self.index) != "("):
            depth += {"<": 1, ">": -1}.get(self.text(self.index), 0)
            self.index += 1

    def skip_type(self):
        """Skips the type of a property; returns whether a body follows."""
        self.index += 1
        while self.index < len(self.tokens):
            token, before = self.tokens[self.index], self.tokens[self.index - 1]
            if token.text == "{":
                return True
            if token.text == "=" or token.text in CLOSING or token.kind in ("documentation", "directive"):
                return False
            if token.line > before.line and before.text not in (":", "->", ".", "&", ",", "<") and token.text not in (
                "->", "&", ".", ",", ">",
            ):
                return False
            self.index = self.end_of_group(self.index) if token.text in "([" else self.index + 1
        return False

    def skip_accessors(self, has_accessors):
        """Skips `{ get set }` of a requirement."""
        while has_accessors and self.index < len(self.tokens) and self.text(self.index) != "{":
            self.index += 1
        if has_accessors:
            self.index = self.end_of_group(self.index)

    def labels(self, start, end):
        """Returns the labels of a parameter list, as `(_:to:)`."""
        labels, depth = "", 0
        for index in range(start, end):
            text = self.text(index)
            depth += (text in OPENING or text == "<") - (text in CLOSING or text == ">")
            if depth == 1 and text == ":" and labels.count(":") == self.commas(start, index):
                label = index - 1
                if self.tokens[index - 2].kind == "word" and self.text(index - 2) not in ("(", ","):
                    label = index - 2
                labels += self.text(label) + ":"
        return f"({labels})"

    def commas(self, start, end):
        count, depth = 0, 0
        for index in range(start, end):
            text = self.text(index)
            depth += (text in OPENING or text == "<") - (text in CLOSING or text == ">")
            count += depth == 1 and text == ","
        return count

    def skip_attribute(self):
        self.index += 2
        while self.text(self.index) == ".":
            self.index += 2
        if self.text(self.index) == "(" and self.is_adjacent(self.index):
            self.index = self.end_of_group(self.index)

    # Scopes

    def declare(self, kind, name):
        container = next((scope for scope in reversed(self.scopes) if scope), None)
        access = next((modifier for modifier in self.modifiers if modifier in ACCESS), None)
        if access is None and container and container.kind in ("protocol", "extension"):
            access = container.access
        is_local = any(scope is None or scope.kind not in TYPES for scope in self.scopes)
        declaration = Declaration(
            kind, name.strip("`"), self.line, access or "internal", self.is_documented, container,
            is_override="override" in self.modifiers, is_local=is_local)
        self.found.append(declaration)
        self.reset()
        return declaration

    def open(self, declaration):
        if self.text(self.index) != "{":
            return
        declaration.body = (self.tokens[self.index].line, self.tokens[self.index].line)
        declaration.is_table = self.is_array_literal(self.index + 1)
        self.scopes.append(declaration)
        self.index += 1

    def close(self, token):
        declaration = self.scopes.pop() if self.scopes else None
        if declaration:
            declaration.body = (declaration.body[0], token.line)
        self.reset()
        self.index += 1

    def is_in(self, kind):
        return bool(self.scopes) and self.scopes[-1] is not None and self.scopes[-1].kind == kind

    def is_in_type(self):
        return bool(self.scopes) and self.scopes[-1] is not None and self.scopes[-1].kind in TYPES

    def is_array_literal(self, index):
        """Whether an array literal begins at a token, and a closing brace follows it."""
        depth = 0
        while self.text(index) == "[" or depth > 0 and index < len(self.tokens):
            depth += {"[": 1, "]": -1}.get(self.text(index), 0)
            index += 1
            if depth == 0:
                return self.text(index) == "}"
        return False

    # Tokens

    def text(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def is_name(self, index):
        return index < len(self.tokens) and self.tokens[index].kind == "word"

    def is_adjacent(self, index):
        return 0 < index < len(self.tokens) and self.tokens[index - 1].end == self.tokens[index].start

    def end_of_group(self, index):
        """Returns the index after the bracket that closes the one at `index`."""
        depth = 0
        while index < len(self.tokens):
            text = self.tokens[index].text
            depth += (text in OPENING) - (text in CLOSING)
            index += 1
            if depth == 0:
                break
        return index
