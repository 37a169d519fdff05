import textwrap
import unittest

import fixtures  # noqa: F401
from swiftmetrics.declarations import declarations
from swiftmetrics.lexer import tokens


def found(source):
    return declarations(tokens(textwrap.dedent(source)))


def lengths(source):
    return {one.full_name: one.body_length for one in found(source) if one.body}


class LexerTests(unittest.TestCase):
    def test_tokens_whenBracesAreInLiteralsOrComments_omitThem(self):
        for source in (
            '"{"', r'"\"{"', r'"\(a("{", { b }))"', '#"\\("{"#', '"""\n  "{"\n  """', '#"""\n "" {\n"""#', "/* /* */ { */",
            "// {", "/{/", "#/ { / /#",
        ):
            with self.subTest(source):
                texts = [token.text for token in tokens(f"let a = {source}\nlet b = 1")]
                self.assertNotIn("{", texts)
                self.assertEqual(texts[-4:], ["let", "b", "=", "1"])

    def test_slash_whenItDivides_isOperator(self):
        texts = [token.text for token in tokens("a /b + { c/ d }")]
        self.assertEqual(texts, ["a", "/", "b", "+", "{", "c", "/", "d", "}"])

    def test_line_afterMultilineString_isCounted(self):
        self.assertEqual([token.line for token in tokens('"""\n\n"""\na')], [1, 4])


class BodyTests(unittest.TestCase):
    def test_bodyLength_excludesBraceLines(self):
        self.assertEqual(lengths("func a() {\n  b()\n\n  // c\n}\nfunc d() { e() }\nfunc f() {\n}\n"), {
            "a()": 3, "d()": 1, "f()": 1,
        })

    def test_bodyLength_whenSignatureHasClosuresAndGenerics_countsBodyOnly(self):
        source = """
            struct S {
              init<T: Collection<(Int) -> Void>>(
                a: T, b: () -> Int = {
                  1
                }
              ) async throws(E) where T.Element == Int {
                c()
                d()
              }
              subscript(index: Int) -> [Int] {
                get { [] }
                set {}
              }
              var e: (Int) -> Void {
                { _ in }
              }
              deinit {
                f()
              }
              static func == (lhs: Self, rhs: Self) -> Bool {
                true
              }
            }
            """
        functions = {name: length for name, length in lengths(source).items() if name != "S"}
        self.assertEqual(functions, {
            "S.init(a:b:)": 2, "S.subscript(index:)": 2, "S.e": 1, "S.deinit": 1, "S.==(lhs:rhs:)": 1,
        })

    def test_storedProperty_whenItHasClosure_hasNoBody(self):
        source = "struct S {\n  var a = {\n    1\n  }()\n  var b: Int = {\n    1\n  }()\n  let c: Int\n  func d() {}\n}\n"
        self.assertEqual(set(lengths(source)), {"S", "S.d()"})

    def test_pattern_whenColonFollows_hasNoBody(self):
        source = "func a() {\n  switch b {\n  case let c:\n    d {\n    }\n  }\n  if let e { f() }\n}\n"
        self.assertEqual(lengths(source), {"a()": 6})

    def test_localFunction_isCountedAloneAndInItsFunction(self):
        source = "func a() {\n  func b() {\n    c()\n    d()\n  }\n}\n"
        self.assertEqual(lengths(source), {"a()": 4, "a().b()": 2})

    def test_requirement_hasNoBody(self):
        source = """
            protocol P {
              func a(_ b: Int) async
              var c: Int { get }
              init()
              subscript(d: Int) -> Int { get set }
            }
            """
        self.assertEqual(set(lengths(source)), {"P"})
        self.assertEqual([one.name for one in found(source)], ["P", "a(_:)", "c", "init()", "subscript(d:)"])

    def test_members_afterConditionalCompilation_keepTheirContainer(self):
        source = "struct S {\n  #if A\n    var a: Int { 1 }\n  #else\n    var a: Int { 2 }\n  #endif\n  func b() {}\n}\n"
        self.assertEqual([one.full_name for one in found(source)], ["S", "S.a", "S.a", "S.b()"])


class AccessTests(unittest.TestCase):
    def test_access_isModifiersOrContainers(self):
        source = """
            public protocol P { func a() }
            package extension S { func b() {} }
            public struct S {
              func c() {}
              public private(set) var d: Int
              @available(*, deprecated, message: "public") package static func e() {}
              public nonisolated(unsafe) let f: Int
            }
            public extension T { private(set) var g: Int }
            """
        access = {one.full_name: one.access for one in found(source) if one.kind != "extension"}
        self.assertEqual(access, {
            "P": "public", "P.a()": "public", "S.b()": "package", "S": "public", "S.c()": "internal", "S.d": "public",
            "S.e()": "package", "S.f": "public", "T.g": "public",
        })

    def test_documentation_whenAttributesAndModifiersFollow_belongsToDeclaration(self):
        source = """
            /// A.
            @available(macOS 26, *)
            @discardableResult
            public static func a() {}
            public func b() {}
            /** C. */
            // An ordinary comment.
            public let c = 1
            /// Not of a declaration.
            call()
            public func d() {}
            """
        documented = {one.name: one.is_documented for one in found(source)}
        self.assertEqual(documented, {"a()": True, "b()": False, "c": True, "d()": False})

    def test_inherited_isWhatFollowsTheColon(self):
        source = "extension A.B: C, D.E & F<G>, @unchecked Sendable where H: I {}"
        self.assertEqual(found(source)[0].name, "A.B")
        self.assertEqual(found(source)[0].inherited, ["C", "E", "F", "unchecked", "Sendable"])


if __name__ == "__main__":
    unittest.main()
