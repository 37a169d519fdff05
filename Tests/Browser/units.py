#!/usr/bin/env python3
"""Runs the tests of the page's modules (units.js) in a browser."""

import functools
import http.server
import pathlib
import sys
import threading

from browsers import PAGE, browser, wait

HERE = pathlib.Path(__file__).resolve().parent


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the page's files, and this folder below /tests/."""

    extensions_map = {".js": "text/javascript", ".html": "text/html"}

    def translate_path(self, path):
        name = pathlib.PurePosixPath(path).name
        return str((HERE if path.startswith("/tests/") else PAGE) / name)

    def log_message(self, *arguments):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browser() as page:
        page.open(f"http://127.0.0.1:{server.server_port}/tests/units.html")
        wait("the tests", lambda: page.run("return window.finished") or page.errors())
        results = page.run("return window.results") or []
        errors = page.errors()
    server.shutdown()
    index = (PAGE / "index.html").read_text()
    # A module that is not preloaded costs a round trip, because only the module that imports it names it.
    late = [
        path.name
        for path in PAGE.glob("*.js")
        if path.name not in ("app.js", "service-worker.js") and f'"modulepreload" href="/{path.name}"' not in index
    ]
    errors += [f"index.html does not preload {name}" for name in late]
    failures = [f"{name}: {problem}" for name, problem in results if problem] + errors
    print("\n".join(failures))
    print(f"units: {len(results)} tests, {len(failures)} failed")
    sys.exit(1 if failures or not results else 0)


if __name__ == "__main__":
    main()
