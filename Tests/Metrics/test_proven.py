import pathlib
import sys
import tempfile
import unittest

import fixtures

sys.path.insert(0, str(fixtures.ROOT / "Tests" / "Faults"))
import proven


class ProvenTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name, "Faults")
        self.write("power.py", "import sys\nimport faults\nfrom attacks.attack import Attack\n")
        self.write("faults.py", "import os\nimport ttrpc_channel\n")
        self.write("../Interop/python/ttrpc_channel.py", "from ttrpc import ttrpc_pb2\n")
        self.write("../Fuzz/http2.py", "")
        self.write("../Fuzz/ttrpc.py", "")
        self.write("kill.py", "import faults\n")
        self.write("frames.py", 'sys.path.insert(0, str(tests / "Fuzz"))\nimport http2\n')
        self.write("attacks/attack.py", "")
        self.write("attacks/__init__.py", "")
        self.write("shims/normal.c", "int x;")

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def is_proven(self, *variant):
        return proven.recorded(self.folder).get(" ".join(variant)) == proven.digest(list(variant), self.folder)

    def names(self, test):
        return {str(file.relative_to(self.folder.parent)) for file in proven.files(test, self.folder)}

    def test_files_are_the_test_what_it_imports_and_the_shims(self):
        self.assertEqual(
            self.names("power"),
            {"Faults/power.py", "Faults/faults.py", "Interop/python/ttrpc_channel.py", "Faults/attacks/attack.py",
             "Faults/attacks/__init__.py", "Faults/shims/normal.c"})

    def test_files_include_modules_for_fuzzing_of_a_test_that_names_them(self):
        self.assertEqual(self.names("frames"), {"Faults/frames.py", "Fuzz/http2.py", "Faults/shims/normal.c"})

    def test_variant_is_proven_until_one_of_its_files_changes(self):
        self.assertFalse(self.is_proven("power", "--normal"))
        proven.record(["power", "--normal"], self.folder)
        self.assertTrue(self.is_proven("power", "--normal"))
        self.write("kill.py", "import faults\nimport os\n")
        self.assertTrue(self.is_proven("power", "--normal"))
        for path in (
                "power.py", "../Interop/python/ttrpc_channel.py", "faults.py", "attacks/attack.py", "shims/normal.c",
                "shims/new.c"):
            proven.record(["power", "--normal"], self.folder)
            self.write(path, "import faults\nfrom attacks import attack\n# changed\n")
            self.assertFalse(self.is_proven("power", "--normal"), path)

    def test_variants_of_a_test_are_proven_one_by_one(self):
        proven.record(["power", "--normal"], self.folder)
        proven.record(["kill"], self.folder)
        self.assertFalse(self.is_proven("power", "--forgetful"))
        self.assertTrue(self.is_proven("power", "--normal"))
        self.assertTrue(self.is_proven("kill"))


if __name__ == "__main__":
    unittest.main()
