"""Finds the suites with asynchronous tests that have no time limit.

The check is textual: a test is `@Test`, its arguments, and a function with `async` before its body. Its suite is the last `@Suite`
before it in the file, which must name a trait of ToDoTesting, `.unitTimeLimited` or `.timeLimited`, or `.timeLimit(…)` for a suite
that needs another one. A test without a `@Suite` before it is an offender too, such as one in an extension in another file than its
suite. A suite within a suite has to repeat the limit, though it would inherit it.
"""

import re

COMMENT = re.compile(r"//[^\n]*")
TEST = re.compile(r"@Test\b(?:(?!\bfunc\b).)*?\bfunc\s+(?P<name>\w+)[^{]*?\)\s*async\b", re.DOTALL)
LIMIT = re.compile(r"\.(timeLimit|unitTimeLimited)")
SUITE = re.compile(r"@Suite\b(?P<traits>.*?)\b(?:struct|class|actor|enum|extension)\b", re.DOTALL)


def unlimited_tests(files):
    """Returns the asynchronous tests without a time limit, as `path:line name`."""
    found = []
    for file in files:
        text = COMMENT.sub("", file.text)
        suites = list(SUITE.finditer(text))
        for test in TEST.finditer(text):
            before = [suite for suite in suites if suite.start() < test.start()]
            if not before or not LIMIT.search(before[-1]["traits"]):
                found.append(f"{file.name}:{text.count(chr(10), 0, test.start()) + 1} {test['name']}")
    return found
