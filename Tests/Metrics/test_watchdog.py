import pathlib
import subprocess
import tempfile
import unittest

import fixtures

WATCHDOG = fixtures.ROOT / ".ci" / "watchdog"
watchdog = fixtures.script(WATCHDOG)


def is_running(pid):
    try:
        # A process that has ended may not have been waited for.
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class WatchdogTests(unittest.TestCase):
    def run_watchdog(self, script, *options):
        return subprocess.run([WATCHDOG, *options, "bash", "-c", script], capture_output=True, text=True, timeout=60)

    def test_command_that_ends_keeps_its_output_and_status(self):
        result = self.run_watchdog("echo one; echo two >&2; printf three; exit 7")
        self.assertEqual((result.stdout, result.returncode), ("one\ntwo\nthree", 7))

    def test_output_has_no_colors(self):
        self.assertEqual(self.run_watchdog(r"printf '\033[92m✔\033[0m Test\n'").stdout, "✔ Test\n")

    def test_command_that_is_killed_has_the_status_of_a_shell(self):
        self.assertEqual(self.run_watchdog("kill -SEGV $$").returncode, 139)

    def test_command_that_hangs_is_ended_with_the_tests_that_did_not_end(self):
        output = """◇ Test run started.
◇ Suite Tests started.
◇ Test ends() started.
◇ Test fails() started.
◇ Test isSkipped() started.
◇ Test hasCases(_:) started.
◇ Test hangs() started.
◇ Test hasTwin() started.
◇ Test hasTwin() started.
◇ Test case passing 1 argument each → 1 to hasCases(_:) started.
➜ Test isSkipped() skipped.
✔ Test ends() passed after 0.001 seconds.
✘ Test fails() recorded an issue at A.swift:1:1: Issue recorded
✘ Test fails() failed after 0.001 seconds with 1 issue.
✔ Test hasCases(_:) with 2 test cases passed after 0.001 seconds.
✔ Test hasTwin() passed after 0.001 seconds."""
        result = self.run_watchdog(f"echo '{output}'; tail -f /dev/null", "--seconds", "2")
        self.assertEqual(result.returncode, 124)
        self.assertTrue(result.stdout.startswith(output))
        self.assertEqual(result.stdout.removeprefix(output).splitlines(), [
            "",
            "error: nothing was printed for 2 s; 2 tests did not end or waited for these",
            "error: did not end: hangs()",
            "error: did not end: hasTwin()",
        ])

    def test_command_that_hangs_ends_with_its_own_children(self):
        # Otherwise the child would hold the output open, and the run would not end.
        result = self.run_watchdog("tail -f /dev/null & wait", "--seconds", "0.2")
        self.assertEqual(result.returncode, 124)

    def test_command_that_hangs_ends_with_processes_in_groups_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/pid"
            self.run_watchdog(f"set -m; tail -f /dev/null & echo $! >{file}; wait", "--seconds", "0.2")
            pid = int(pathlib.Path(file).read_text())
            self.assertFalse(is_running(pid))

    def test_long_list_is_cut(self):
        unended = watchdog.Unended()
        for number in range(25):
            unended.read(f"◇ Test number{number}() started.")
        report = unended.report(900)
        self.assertEqual(report[0], "error: nothing was printed for 900 s; 25 tests did not end or waited for these")
        self.assertEqual([report[20], *report[21:]], ["error: did not end: number19()", "error: and 5 more"])


if __name__ == "__main__":
    unittest.main()
