"""Reminders that reach programs that others wrote. See run, which prepares the folder.

    notifications.py FOLDER
"""

import contextlib
import email
import email.header
import email.policy
import http.server
import json
import logging
import os
import pathlib
import queue
import re
import socket
import ssl
import subprocess
import sys
import threading

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from standardwebhooks import Webhook, WebhookVerificationError

root = pathlib.Path(__file__).resolve().parents[3]
SERVER = os.environ.get("TODO_SERVER_PROGRAM", str(root / ".build" / "debug" / "todo-server"))
TODO = os.environ.get("TODO_PROGRAM", str(root / ".build" / "debug" / "todo"))
# No encoding carries such a title by accident: it is longer than one encoded word, and begins as an option does.
TITLE = "-5 % Müsli, Käse & 🥛 für Jürgen: nicht vergessen, der Laden schließt früh"
PAST = "2026-01-01 08:00"
TOKEN, PASSWORD = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2", "pass word ü"
SECONDS = 10


def expect(condition, what):
    if not condition:
        sys.exit(f"expectation failed: {what}")


def ok(what):
    print(f"ok {what}", flush=True)


class Inbox(queue.SimpleQueue):
    """The messages that a receiver got."""

    def next(self):
        try:
            return self.get(timeout=SECONDS)
        except queue.Empty:
            sys.exit(f"no message within {SECONDS} s")


class Topics(http.server.BaseHTTPRequestHandler):
    """Reads requests as ntfy's server does: https://docs.ntfy.sh/publish."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_topic = re.fullmatch(r"/[-_A-Za-z0-9]{1,64}", self.path)
        is_authorized = self.headers["Authorization"] == f"Bearer {TOKEN}"
        status = 404 if not is_topic else 403 if not is_authorized else 413 if len(body) > 4096 else 200
        answer = json.dumps({"id": "hwQ2YpKdmg", "event": "message"}).encode() if status == 200 else b""
        if status == 200:
            # ntfy decodes RFC 2047, with Go's mime.WordDecoder.
            title = str(email.header.make_header(email.header.decode_header(self.headers["Title"])))
            self.server.inbox.put((self.path[1:], title, body.decode(), self.headers["Priority"], self.headers["Tags"]))
        respond(self, status, answer)

    def log_message(self, *arguments):
        pass


class Hooks(http.server.BaseHTTPRequestHandler):
    """A webhook, which verifies nothing by itself."""

    def do_POST(self):
        self.server.inbox.put((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers)))
        respond(self, 204)

    def log_message(self, *arguments):
        pass


def respond(request, status, body=b""):
    request.send_response(status)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@contextlib.contextmanager
def receiver(handler):
    """Serves HTTP on this machine, and yields the URL and the inbox."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.inbox = Inbox()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", server.inbox
        server.shutdown()


class Mailbox:
    """aiosmtpd's handler: puts each message and its envelope into the inbox."""

    def __init__(self):
        self.inbox = Inbox()

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.inbox.put((message, envelope, session.ssl is not None, session.authenticated))
        return "250 OK"


@contextlib.contextmanager
def mail_server(**options):
    """Runs aiosmtpd, and yields its port and the inbox."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    mailbox = Mailbox()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield port, mailbox.inbox
    finally:
        controller.stop()


def private(path, text):
    """Writes a file that only its owner can read, and returns its path."""
    pathlib.Path(path).write_text(text)
    os.chmod(path, 0o600)
    return path


@contextlib.contextmanager
def user(folder, *arguments):
    """Runs a server, and yields a function that runs todo as its user and returns the output."""
    os.mkdir(folder)
    store = ["--store", f"sqlite:{folder}/items.sqlite"]
    subprocess.run([SERVER, "user", "add", "ann", *store], check=True, capture_output=True)
    token = subprocess.run([SERVER, "token", "add", "ann", *store], check=True, capture_output=True, text=True).stdout
    endpoint, file = f"unix://{folder}/todo.sock", private(f"{folder}/token", token)
    server = subprocess.Popen(
        [SERVER, "serve", "--listen", endpoint, *store, "--notify", "--notify-private", *arguments], stdout=subprocess.PIPE,
        stderr=open(f"{folder}/log", "wb"), text=True)
    try:
        expect("listening on" in server.stdout.readline(), f"the server starts: {pathlib.Path(folder, 'log').read_text()}")
        yield lambda *words, **options: todo(folder, *words, TODO_SERVER=endpoint, TODO_TOKEN_FILE=file, **options)
    finally:
        server.terminate()
        expect(server.wait(SECONDS) == 0, "the server ends")


def todo(folder, *words, **environment):
    """Runs todo, without a server unless the environment names one."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("TODO_")}
    homes = {name: f"{folder}/{name}" for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    result = subprocess.run(
        [TODO, *words], env={**outer, **homes, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=30)
    expect(result.returncode == 0, f"'todo {' '.join(words)}' succeeds: {result.stderr}")
    return result.stdout


def check_http(folder):
    with receiver(Topics) as (topics, messages), receiver(Hooks) as (hooks, requests), user(folder) as ann:
        ann("notify", "add", "ntfy", f"{topics}/a-long_random-topic", "--secret-file", private(f"{folder}/secret", TOKEN))
        secret = re.search(r"whsec_\S+", ann("notify", "add", "webhook", f"{hooks}/reminders"))[0]
        ann("add", "--remind", PAST, "--priority", "high", "--", TITLE)
        topic, title, body, priority, tags = messages.next()
        expect((topic, title, priority, tags) == ("a-long_random-topic", TITLE, "high", "date"), f"ntfy's message: {topic} {title}")
        expect("2026-01-01" in body and "late" in body, f"ntfy's text: {body}")
        ok("ntfy: the receiver reads title, text, priority, tags and token")
        check_webhook(secret, *requests.next())
        expect(messages.empty() and requests.empty(), "each target gets one message")
        ann("notify", "test")
        expect(messages.next()[1] == "Test of todo", "ntfy gets the test message")
        body, headers = requests.next()
        expect(Webhook(secret).verify(body, headers)["type"] == "todo.test", "the webhook gets the test message")
        ok("'todo notify test' reaches both")


def check_webhook(secret, body, headers):
    message = Webhook(secret).verify(body, headers)
    expect(message["type"] == "todo.reminder", message)
    expect(message["data"]["item"]["title"] == TITLE and message["data"]["reminder"]["late"], message)
    expect(headers["Content-Type"].startswith("application/json"), headers)
    other = Webhook("whsec_" + "A" * 32)
    for key, changed in ((other, body), (Webhook(secret), body.replace(b"todo.reminder", b"todo.reminded"))):
        try:
            key.verify(changed, headers)
        except WebhookVerificationError:
            continue
        sys.exit("a signature with another key or of another body is accepted")
    ok("webhook: standardwebhooks verifies the signature")


def check_mail(folder, inbox, is_encrypted, *arguments):
    """Adds an address, confirms it, and gets a reminder."""
    with user(folder, *arguments, "--smtp-from", "todo@example.test") as ann:
        ann("notify", "add", "email", "ann@example.test")
        message, *_ = inbox.next()
        code = re.search(r"todo notify confirm NUMBER (\S+)", message.get_content())[1]
        ann("notify", "confirm", "1", code)
        ann("add", "--remind", PAST, "--", TITLE)
        message, envelope, was_encrypted, was_authenticated = inbox.next()
        expect(message["Subject"] == TITLE, f"the subject: {message['Subject']}")
        expect(message.get_content().splitlines()[0] == TITLE, f"the text: {message.get_content()}")
        expect((message["From"], message["To"]) == ("todo@example.test", "ann@example.test"), "the addresses of the message")
        expect((envelope.mail_from, envelope.rcpt_tos) == ("todo@example.test", ["ann@example.test"]), "the envelope")
        expect(message["Message-ID"].endswith("@example.test>") and not message.defects, f"the headers: {message.defects}")
        expect((was_encrypted, bool(was_authenticated)) == (is_encrypted, is_encrypted), "the encryption and the password")
        expect(inbox.empty(), "the address gets one message")


def check_mail_servers(folder):
    with mail_server() as (port, inbox):
        check_mail(f"{folder}/plain", inbox, False, "--smtp", f"smtp://127.0.0.1:{port}")
    ok("email: aiosmtpd on this machine, without encryption")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")

    def authenticate(server, session, envelope, mechanism, data):
        return AuthResult(success=mechanism == "PLAIN" and (data.login, data.password) == (b"todo", PASSWORD.encode()))

    with mail_server(tls_context=context, require_starttls=True, authenticator=authenticate, auth_required=True) as (port, inbox):
        check_mail(
            f"{folder}/starttls", inbox, True, "--smtp", f"smtp://mail.example.test:{port}", "--smtp-user", "todo",
            "--smtp-password-file", private(f"{folder}/password", PASSWORD))
    ok("email: aiosmtpd with STARTTLS and a password")


@contextlib.contextmanager
def desktop(folder):
    """Runs a session bus with python-dbusmock's notification daemon, and yields the bus's address and the daemon's log."""
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    address, log = bus.stdout.readline().strip(), pathlib.Path(folder, "notifications")
    # Debian's Python has python-dbusmock.
    daemon = subprocess.Popen(
        ["/usr/bin/python3", "-m", "dbusmock", "--template", "notification_daemon", "--logfile", log],
        env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": address})
    try:
        subprocess.run(
            ["gdbus", "wait", "--session", "--timeout", str(SECONDS), "org.freedesktop.Notifications"], check=True,
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": address})
        yield address, log
    finally:
        for process in (daemon, bus):
            process.terminate()
            process.wait()


def check_desktop(folder):
    with desktop(folder) as (address, log):
        todo(folder, "add", "--remind", PAST, "--due", "2026-01-02", "--", TITLE)
        todo(folder, "remind", "--once", "--notify", DBUS_SESSION_BUS_ADDRESS=address)
        calls = [line.split(" ", 1)[1] for line in log.read_text().splitlines() if " Notify " in line]
        expect(len(calls) == 1, f"one notification is shown: {calls}")
        expect(calls[0].startswith(f'Notify "todo" 0 "" "{TITLE}" "Fri 2 Jan'), f"the notification has title and due date: {calls[0]}")
        ok("desktop: notify-send shows title and due date")


# aiosmtpd warns of a property that only aiosmtpd uses.
logging.getLogger("mail.log").setLevel(logging.ERROR)
folder = sys.argv[1]
check_http(f"{folder}/http")
check_mail_servers(folder)
check_desktop(folder)
