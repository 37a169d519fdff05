import json
import subprocess
import tempfile
import unittest

import fixtures
from swiftmetrics import checks, documentation, folders, imports, reality, timelimits


class SizeTests(unittest.TestCase):
    def test_linesAFunction_listsTheTenLongest(self):
        sources = "".join(f"func f{count}() {{\n" + "  a()\n" * count + "}\n" for count in (40, 41, *range(1, 15)))
        files = {"Sources/A/a.swift": sources, "Tests/T/t.swift": "func t() {\n" + "\n" * 99 + "}\n"}
        with fixtures.tree(files) as tree:
            check = checks.lines_a_function(tree)
        self.assertEqual(check.offenders, ["  41  Sources/A/a.swift:43 f41()"])
        self.assertEqual(len(check.offenders + check.notes), 10)
        self.assertEqual(check.notes[0], "  40  Sources/A/a.swift:1 f40()")

    def test_properties_that_list_values_are_not_counted(self):
        values = "    f { [0] },\n" * 41
        rules = f"struct S {{\n  static var rules: [R] {{\n    [\n{values}    ]\n  }}\n"
        joined = f"  static var joined: [R] {{\n    [\n{values}    ] + [\n    ]\n  }}\n}}\n"
        with fixtures.tree({"Sources/A/a.swift": rules + joined}) as tree:
            check = checks.lines_a_function(tree)
        self.assertEqual(check.offenders, ["  44  Sources/A/a.swift:47 S.joined"])


class DocumentationTests(unittest.TestCase):
    def missing(self, source):
        with fixtures.tree({"Sources/A/a.swift": source}) as tree:
            inheritance = documentation.Inheritance(tree.sources)
            return [
                declaration.full_name for _, declaration in documentation.visible_declarations(tree.sources)
                if not declaration.is_documented and not inheritance.is_inherited(declaration)
            ]

    def test_visibleDeclaration_whenUndocumented_isMissing(self):
        self.assertEqual(self.missing("public struct S {\n  package var a: Int\n  var b: Int\n}\n"), ["S", "S.a"])

    def test_member_whenItsTypeIsInternal_doesNotCount(self):
        self.assertEqual(self.missing("struct S { public func a() {} }\nextension S { public func b() {} }\n"), [])

    def test_member_ofExtensionOfAnotherPackagesType_counts(self):
        self.assertEqual(self.missing("extension String { package func a() {} }\n"), ["String.a()"])

    def test_enumCaseOverrideAndLocalDeclaration_doNotCount(self):
        source = """
        /// E.
        public enum E { case a }
        /// C.
        public class C {
          public override func a() { let b = 1 }
          deinit {}
        }
        """
        self.assertEqual(self.missing(source), [])

    def test_witness_whenRequirementIsDocumented_inherits(self):
        source = """
        /// P.
        public protocol P {
          /// A.
          func a(_ b: Int)
          func c()
        }
        /// Q.
        public protocol Q: P {}
        /// S.
        public struct S {}
        extension S: Q, Equatable {
          public func a(_ d: Int) {}
          public func a(d: Int) {}
          public func c() {}
          public static func == (lhs: S, rhs: S) -> Bool { true }
          public var description: String { "" }
        }
        extension P { public func a(_ b: Int) {} }
        """
        self.assertEqual(self.missing(source), ["P.c()", "S.a(d:)", "S.c()", "S.description"])

    def test_operatorWitness_inheritsWhateverItsLabels(self):
        source = """
        /// S.
        public struct S: Comparable {
          public static func < (left: S, _ right: S) -> Bool { true }
          public static func > (left: S, right: S) -> Bool { true }
        }
        """
        self.assertEqual(self.missing(source), ["S.>(left:right:)"])

    def test_share_whenBelowBound_listsMissing(self):
        documented = "".join(f"/// A.\npackage let a{number} = 1\n" for number in range(19))
        with fixtures.tree({"Sources/A/a.swift": documented + "package let b = 1\n"}) as tree:
            check = checks.documented_share(tree, "package")
        self.assertEqual((check.figure, check.offenders), ("95.0 %, 19 of 20; bound: 95 %", []))
        with fixtures.tree({"Sources/A/a.swift": documented + "package let b = 1\npackage class C {}"}) as tree:
            check = checks.documented_share(tree, "package")
        self.assertEqual(check.offenders, ["Sources/A/a.swift:39 b", "Sources/A/a.swift:40 C"])

    def test_publicDeclaration_isAlwaysDocumented(self):
        with fixtures.tree({"Sources/A/a.swift": "/// C.\nopen class C {}\npublic let b = 1\n"}) as tree:
            self.assertEqual(checks.documented_share(tree, "public").offenders, ["Sources/A/a.swift:3 b"])


class ImportTests(unittest.TestCase):
    def errors(self, files, *targets):
        with fixtures.tree(files) as tree:
            return imports.import_errors(tree, fixtures.package(*targets))

    def test_import_whenDependencyIsTransitive_isUndeclared(self):
        files = {
            "Sources/A/a.swift": "", "Sources/B/b.swift": "import A\n",
            "Sources/C/c.swift": "import B\n@testable internal import struct A.S\nimport Foundation\n",
        }
        errors = self.errors(
            files, fixtures.target("A"), fixtures.target("B", "A"), fixtures.target("C", "B", kind="executable"))
        self.assertEqual(errors, (["C imports A (Sources/C/c.swift:2)"], []))

    def test_dependency_whenNothingImportsIt_isDead(self):
        files = {"Sources/a-b/a.swift": "", "Tests/T/t.swift": "@testable import a_b\n// import X\nlet a = b.import\n"}
        errors = self.errors(files, fixtures.target("a-b", "X"), fixtures.target("T", "X", "a-b", kind="test"))
        self.assertEqual(errors, ([], ["a-b depends on X", "T depends on X"]))

    def test_product_isReadFromEveryForm(self):
        description = fixtures.target("A")
        description["dependencies"] = [
            {"product": ["X", "x", None, {"traits": ["T"]}]}, {"target": ["Y", None]}, {"plugin": ["Z", None]},
        ]
        self.assertEqual(self.errors({"Sources/A/a.swift": "import X\nimport Y.Z\n"}, description), ([], []))

    def test_excludedFile_isNotOfTarget(self):
        files = {"Elsewhere/A/a.swift": "", "Tests/A/a.swift": "", "Tests/A/Data/b.swift": "import X\n"}
        self.assertEqual(self.errors(files, fixtures.target("A", path="Tests/A", exclude=["Data"])), ([], []))

    def test_dependencyOfCTarget_isUsedByItsHeaders(self):
        files = {
            "Sources/CLib/shim.h": "#include <lib/lib.h>\n", "Sources/COther/include/other.h": "",
            "Sources/C/c.c": '#include "lib/lib.h"\n',
        }
        errors = self.errors(files, fixtures.target("CLib", kind="system"), fixtures.target("C", "CLib", "COther"))
        self.assertEqual(errors, ([], ["C depends on COther"]))


class TimeLimitTests(unittest.TestCase):
    def unlimited(self, source):
        with fixtures.tree({"Tests/T/t.swift": source, "Sources/A/a.swift": "@Test func a() async {}\n"}) as tree:
            return timelimits.unlimited_tests(tree.tests)

    def test_asynchronousTest_whenItsSuiteHasNoLimit_isListed(self):
        source = "@Suite(.serialized) struct S {\n  @Test func a() async throws {}\n}\n"
        self.assertEqual(self.unlimited(source), ["Tests/T/t.swift:2 a"])
        self.assertEqual(self.unlimited(source.replace("(.serialized)", "")), ["Tests/T/t.swift:2 a"])
        self.assertEqual(self.unlimited(source.replace("@Suite(.serialized) ", "")), ["Tests/T/t.swift:2 a"])

    def test_asynchronousTest_whenItsSuiteHasALimit_isNotListed(self):
        limit = ".timeLimit(.minutes(10 + seconds / 60))"
        for trait in [".unitTimeLimited", ".timeLimited", limit, ".serialized, .timeLimited"]:
            source = f"@Suite({trait})\nstruct S {{\n  @Test func a() async throws {{}}\n}}\n"
            self.assertEqual(self.unlimited(source), [])

    def test_test_whenItIsSynchronous_needsNoLimit(self):
        source = "@Suite struct S {\n  @Test func a() throws {}\n  // @Test func b() async {}\n  func c() async {}\n}\n"
        self.assertEqual(self.unlimited(source), [])

    def test_test_withArgumentsAndParameters_isRecognized(self):
        source = """
        @Suite struct S {
          @Test("A title", arguments: [1, 2].map { $0 + 1 }, ["a"])
          private func a(
            _ number: Int, _ body: (Int) -> Void
          ) async throws {
          }
        }
        """
        self.assertEqual(self.unlimited(source), ["Tests/T/t.swift:3 a"])

    def test_suite_ofEachTest_isTheLastBeforeIt(self):
        source = """
        @Suite(.timeLimited) struct A { @Test func a() async {} }
        @Suite struct B { @Test func b() async {} }
        """
        self.assertEqual(self.unlimited(source), ["Tests/T/t.swift:3 b"])


class ProgramTests(unittest.TestCase):
    def run_metrics(self, files, *arguments):
        with fixtures.tree(files) as tree, tempfile.NamedTemporaryFile("w", suffix=".json") as package:
            json.dump(fixtures.package(fixtures.target("A")), package)
            package.flush()
            command = [fixtures.ROOT / ".ci" / "metrics", "--root", tree.root, "--package", package.name, *arguments]
            return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)

    def test_metrics_whenABoundIsExceeded_exitsWithOne(self):
        files = {"Sources/A/a.swift": "import X\n"}
        result = self.run_metrics(files)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertIn("FAIL  undeclared imports: 1; bound: 0\n      A imports X (Sources/A/a.swift:1)\n", result.stdout)
        self.assertEqual(self.run_metrics(files, "--report").returncode, 0)
        self.assertEqual(self.run_metrics(files, "--report").stdout, result.stdout)

    def test_metrics_whenAllBoundsAreMet_exitsWithZero(self):
        result = self.run_metrics({"Sources/A/a.swift": ""})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn("FAIL", result.stdout)


class FolderTests(unittest.TestCase):
    def pairs(self, files):
        with fixtures.tree({f"Sources/{path}.swift": source for path, source in files.items()}) as tree:
            return folders.mutual_folders(tree.sources)

    def test_folders_thatUseEachOther_areFound(self):
        files = {"A/B/x": "struct X { var y: Y }\n", "A/C/y": "enum Y {}\nextension Y { func a() -> X {} }\n"}
        self.assertEqual(self.pairs(files), ["Sources/A: B uses Y (x.swift:1), C uses X (y.swift:2)"])

    def test_use_inOneDirectionOrOfAnotherTarget_isNotFound(self):
        self.assertEqual(self.pairs({"A/B/x": "struct X { var y: Y }\n", "A/C/y": "enum Y {}\n"}), [])
        self.assertEqual(self.pairs({"A/B/x": "struct X { var y: Y }\n", "D/C/y": "enum Y { case x(X) }\n"}), [])

    def test_mention_ofANestedOrAmbiguousNameOrInAComment_isNoUse(self):
        files = {
            "A/B/x": "struct X { struct Limits {} }\n// Y\n", "A/C/y": "struct Y { var x: X }\n",
            "A/C/z": "struct Z { struct Limits {} }\n", "A/B/z": "struct Z {}\n",
        }
        self.assertEqual(self.pairs(files), [])


class RealityTests(unittest.TestCase):
    def uses(self, source, exceptions=()):
        with fixtures.tree({"Sources/A/a.swift": source}) as tree:
            return reality.uses(tree.sources, dict.fromkeys(exceptions, "a reason"))

    def test_use_isFound_whateverItsForm(self):
        source = """
        let a = ContinuousClock.now
        let b = ContinuousClock().now
        try await Task.sleep(for: a)
        let c = Int.random(in: 1...2)
        var d = SystemRandomNumberGenerator()
        let e = SystemWallClock().now()
        let f = Date()
        let g = DispatchTime.now()
        let h = start.duration(to: .now)
        let i = semaphore.wait(timeout: .now() + 1)
        let j: ContinuousClock.Instant = .now + timeout
        """
        found, _ = self.uses(source)
        self.assertEqual([line.split(" ")[0] for line in found], [f"Sources/A/a.swift:{line}" for line in range(2, 13)])

    def test_use_whenItIsAnotherMember_isNotFound(self):
        source = """
        case .now: watch(from: .now)
        let a = clock.now - selection.now
        """
        self.assertEqual(self.uses(source), ([], []))

    def test_use_whenItIsADefaultOrAComment_isNotFound(self):
        source = """
        // Task.sleep(for: a)
        init(pause: Pause = { try await Task.sleep(for: $0) }, now: Now = { .now }) {}
        let c = Int.random(in: 1...2, using: &generator)
        """
        self.assertEqual(self.uses(source), ([], []))

    def test_exception_appliesToItsFiles(self):
        source = "let a = ContinuousClock.now\n"
        self.assertEqual(self.uses(source, ["Sources/A/"]), ([], []))
        self.assertEqual(self.uses(source, ["Sources/A/a.swift"]), ([], []))

    def test_exception_whenNothingNeedsIt_isReported(self):
        self.assertEqual(self.uses("let a = 1\n", ["Sources/A/"]), ([], ["Sources/A/ needs no exception"]))

if __name__ == "__main__":
    unittest.main()
