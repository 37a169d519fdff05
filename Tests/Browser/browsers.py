"""Browsers and servers for the tests of the page."""

import atexit
import contextlib
import http.server
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/CToDoPage/page"
TESTS = ROOT / "Tests/Browser"
SERVER = os.environ.get("TODO_SERVER_PROGRAM", str(ROOT / ".build/debug/todo-server"))
TIMEOUT = 10.0


class Failure(Exception):
    """A check failed."""


def check(condition, what):
    if not condition:
        raise Failure(what)


def wait(what, condition, timeout=TIMEOUT):
    """Returns the first true value of a condition."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"timed out: {what}")
        time.sleep(0.01)


class Server:
    """A todo-server with a store of its own, which can be killed and started again at the same address."""

    def __init__(self, *arguments):
        self.folder = tempfile.TemporaryDirectory()
        self.store = f"sqlite:{self.folder.name}/items.sqlite"
        self.arguments = arguments
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [
                SERVER,
                "serve",
                "--store",
                self.store,
                "--listen",
                f"unix://{self.folder.name}/socket",
                "--http-listen",
                f"127.0.0.1:{self.port}",
                "--log-level",
                "error",
                *self.arguments,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in self.process.stdout:
            found = re.match(r"listening on http\+tcp://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                return
        self.kill()
        raise Failure("the server did not start")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def administer(self, *arguments):
        result = subprocess.run([SERVER, *arguments, "--store", self.store], capture_output=True, text=True, timeout=60)
        check(result.returncode == 0, f"{arguments}: {result.stderr}")
        return result.stdout.strip()

    def stop(self):
        if self.process.poll() is None:
            self.kill()
        self.folder.cleanup()


@contextlib.contextmanager
def server(*arguments):
    started = Server(*arguments)
    try:
        yield started
    finally:
        started.stop()


class PageFiles(http.server.SimpleHTTPRequestHandler):
    """Serves the page's files as they are, each module by itself, and the tests' folder below /tests/."""

    extensions_map = {".js": "text/javascript", ".html": "text/html"}

    def translate_path(self, path):
        name = pathlib.PurePosixPath(path).name
        return str((TESTS if path.startswith("/tests/") else PAGE) / name)

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def page_files():
    """Yields the URL of a server for the page's files."""
    files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PageFiles)
    threading.Thread(target=files.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{files.server_port}/"
    finally:
        files.shutdown()
        files.server_close()


class Browser:
    """A Chromium without a window."""

    def __init__(self, width=1280, height=800, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for argument in [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--lang=en-US",
            f"--window-size={width},{height}",
        ]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = Service(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_script_timeout(30)
        self.origins = set()
        self.resize(width, height, dark)

    def forget(self):
        """Makes the browser one that has visited nothing, with one empty window."""
        first, *others = self.driver.window_handles
        for window in others:
            self.driver.switch_to.window(window)
            self.driver.close()
        self.driver.switch_to.window(first)
        # A form with changes is not asked about.
        self.run("addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)")
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        for origin in self.origins:
            self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self.origins.clear()
        self.errors()

    def resize(self, width, height, dark=False):
        phone = width < 600
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, calm]})

    def open(self, url):
        self.origins.add("/".join(url.split("/")[:3]))
        self.driver.get(url)

    def command(self, name, **parameters):
        """Sends a command of Chromium's DevTools protocol, and returns its result."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector, timeout=TIMEOUT):
        def found():
            elements = self.driver.find_elements(By.CSS_SELECTOR, selector)
            return elements[0] if elements else None

        return wait(selector, found, timeout)

    def click(self, selector):
        self.find(selector)
        # Clicks where the user would: through WebDriver, which checks that nothing covers the element.
        wait(f"a click on {selector}", lambda: self._clicked(selector))

    def _clicked(self, selector):
        try:
            self.driver.find_element(By.CSS_SELECTOR, selector).click()
            return True
        except Exception as error:  # The element was replaced, or is covered, for a moment.
            self.last_error = error
            return False

    def click_text(self, selector, text):
        wait(
            f"{selector} with {text}",
            lambda: self.run(
                "const found = [...document.querySelectorAll(arguments[0])].find((e) => e.textContent.includes(arguments[1]));"
                "found?.click(); return Boolean(found);",
                selector,
                text,
            ),
        )

    def type(self, selector, text):
        self.click(selector)
        self.driver.switch_to.active_element.send_keys(Keys.CONTROL + "a" + Keys.NULL, Keys.BACKSPACE, text)

    def fill(self, selector, text):
        """Sets a field as browsers do when its user chooses a value, such as a date."""
        self.find(selector)
        self.run(
            "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            "e.dispatchEvent(new InputEvent('input', { bubbles: true }));",
            selector,
            text,
        )

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def section(self, name):
        """Returns the titles of a section's rows; None if there is no such section."""
        return self.run(
            "const s = document.querySelector(`.section-${arguments[0]}`);"
            "return s && [...s.querySelectorAll('.row .title')].map((e) => e.textContent);",
            name,
        )

    def wait_text(self, selector, text, timeout=TIMEOUT):
        wait(f"“{text}” in {selector}: {self.texts(selector)}", lambda: any(text in t for t in self.texts(selector)), timeout)

    def errors(self):
        """Returns what the page logged as errors, without failed requests, which the page itself reports."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]
        ]

    def check_no_errors(self):
        errors = self.errors()
        check(errors == [], f"the page logged errors: {errors}")

    def save(self, path):
        self.driver.save_screenshot(str(path))

    def close(self):
        self.driver.quit()


# Starting a browser takes as long as many a journey, so the next one gets those that are no longer used.
unused = []


@contextlib.contextmanager
def browser(width=1280, height=800, dark=False):
    opened = unused.pop() if unused else Browser(width, height, dark)
    try:
        opened.resize(width, height, dark)
        yield opened
        opened.check_no_errors()
        opened.forget()
    except BaseException:
        opened.close()
        raise
    unused.append(opened)


@atexit.register
def close_unused():
    while unused:
        unused.pop().close()


ENTER, ESCAPE, F6 = Keys.ENTER, Keys.ESCAPE, Keys.F6
ARROW_UP, ARROW_DOWN, CONTROL, NULL = Keys.ARROW_UP, Keys.ARROW_DOWN, Keys.CONTROL, Keys.NULL
