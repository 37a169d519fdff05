import unittest

import fixtures

slowest = fixtures.script(fixtures.ROOT / ".ci" / "slowest-tests")


def test(name, **fields):
    return {"kind": "test", "payload": {"id": name, "kind": "function", **fields}}


def event(time, kind, name):
    return {"kind": "event", "payload": {"kind": kind, "testID": name, "instant": {"absolute": time}}}


class SlowestTests(unittest.TestCase):
    def expect(self, records, expected, estimates=(), width=2):
        result, found = slowest.seconds(records, width)
        self.assertEqual(dict(result), expected)
        self.assertEqual(found, set(estimates))

    def test_tests_without_arguments_take_turns_in_the_order_of_their_starts(self):
        names = ["a", "b", "c", "d"]
        self.expect(
            [*map(test, names), *(event(0, "testStarted", name) for name in names), event(1, "testEnded", "a"),
             event(2, "testEnded", "b"), event(3, "testEnded", "d"), event(5, "testEnded", "c")],
            {"a": 1, "b": 2, "c": 4, "d": 1}, names)

    def test_test_that_ends_before_its_turn_had_the_last_turn(self):
        names = ["a", "b", "c", "d"]
        # c gets its turn when a ends, but d had it: it is the other way round, and c has the turn after b.
        self.expect(
            [*map(test, names), *(event(0, "testStarted", name) for name in names), event(1, "testEnded", "a"),
             event(2, "testEnded", "d"), event(6, "testEnded", "b"), event(7, "testEnded", "c")],
            {"a": 1, "d": 1, "b": 6, "c": 5}, names)

    def test_tests_with_arguments_take_as_long_as_their_cases(self):
        self.expect(
            [test("a"), test("p", isParameterized=True), test("z"),
             event(0, "testStarted", "a"), event(0, "testStarted", "p"), event(0, "testStarted", "z"),
             event(0.5, "testCaseStarted", "p"), event(2, "testCaseEnded", "p"), event(2.25, "testCaseStarted", "p"),
             event(4, "testEnded", "a"), event(6, "testCaseEnded", "p"), event(6, "testEnded", "p"), event(7, "testEnded", "z")],
            {"a": 4, "p": 5.25, "z": 3}, ["a", "z"])

    def test_suites_take_no_turn(self):
        self.expect(
            [test("S", kind="suite"), test("a"), event(0, "testStarted", "S"), event(1, "testStarted", "a"),
             event(3, "testEnded", "a"), event(4, "testEnded", "S"), {"kind": "event", "payload": {"kind": "runEnded"}}],
            {"a": 2}, ["a"], width=1)


if __name__ == "__main__":
    unittest.main()
