#!/usr/bin/env python3
"""Runs the tests of the page's modules (units.js) in a browser."""

import sys

from browsers import browser, page_files, wait


def main():
    with page_files() as files, browser() as page:
        page.open(f"{files}tests/units.html")
        wait("the tests", lambda: page.run("return window.finished") or page.errors())
        results = page.run("return window.results") or []
        errors = page.errors()
    failures = [f"{name}: {problem}" for name, problem in results if problem] + errors
    print("\n".join(failures))
    print(f"units: {len(results)} tests, {len(failures)} failed")
    sys.exit(1 if failures or not results else 0)


if __name__ == "__main__":
    main()
