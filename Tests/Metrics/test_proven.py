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
        self.folder = pathlib.Path(temporary.name)
        self.write("power.py", "import sys\nimport faults\nfrom attacks.attack import Attack\n")
        self.write("faults.py", "import os\n")
        self.write("kill.py", "import faults\n")
        self.write("attacks/attack.py", "")
        self.write("attacks/__init__.py", "")
        self.write("shims/normal.c", "int x;")

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def is_proven(self, *variant):
        return proven.recorded(self.folder).get(" ".join(variant)) == proven.digest(list(variant), self.folder)

    def test_files_are_the_test_what_it_imports_and_the_shims(self):
        names = {str(file.relative_to(self.folder)) for file in proven.files("power", self.folder)}
        self.assertEqual(
            names, {"power.py", "faults.py", "attacks/attack.py", "attacks/__init__.py", "shims/normal.c"})

    def test_variant_is_proven_until_one_of_its_files_changes(self):
        self.assertFalse(self.is_proven("power", "--normal"))
        proven.record(["power", "--normal"], self.folder)
        self.assertTrue(self.is_proven("power", "--normal"))
        self.write("kill.py", "import faults\nimport os\n")
        self.assertTrue(self.is_proven("power", "--normal"))
        for path in ("power.py", "faults.py", "attacks/attack.py", "shims/normal.c", "shims/new.c"):
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
