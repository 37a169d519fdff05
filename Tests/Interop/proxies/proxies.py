"""Runs nginx, HAProxy and Caddy with the configurations of the operator's guide in front of a server, and two clients behind each.

    proxies.py [PROXY ...]     default: all

The clients are runs of curl with different addresses, of which one presents wrong tokens. The other's calls and watches must go on,
and the server must count by client.
"""

import json
import os
import pathlib
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
GUIDE = ROOT / "Sources" / "todo-server" / "README.md"
SERVER = os.environ.pop("TODO_SERVER_PROGRAM")
ANN, EVE = "127.0.0.2", "127.0.0.3"
SECONDS = 10
SERVICE = "todo.v1.ToDoService"
started = []


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def until(condition, what):
    """Waits for a condition, and returns its value."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {SECONDS} s")


def start(arguments, **options):
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, **options)
    started.append(process)
    return process


def stop(process):
    process.terminate()
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def block(language):
    """The configuration of a proxy in the guide."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    expect(len(found) == 1, f"{GUIDE.name} has {len(found)} blocks of {language}")
    return found[0]


def replaced(text, replacements):
    """The configuration with the ports and files of the test in place of the guide's."""
    for old, new in replacements.items():
        expect(old in text, f"the configuration has no {old!r}")
        text = text.replace(old, new)
    return text


class ServerProgram:
    """A server with a user, whose settings are those of the guide."""

    def __init__(self, folder):
        store = f"sqlite:{folder}/items.sqlite"
        subprocess.run([SERVER, "user", "add", "ann", "--store", store], check=True, stdout=subprocess.DEVNULL)
        self.token = subprocess.run(
            [SERVER, "token", "add", "ann", "--store", store], check=True, capture_output=True, text=True).stdout.strip()
        settings = json.loads(next(each for each in re.findall(r"^```json\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
                                   if "trustedProxy" in each))
        self.log_path = pathlib.Path(folder, "server.log")
        with open(self.log_path, "wb") as log:
            self.process = start(
                [SERVER, "serve", "--listen", "tcp://127.0.0.1:0", "--http-listen", "127.0.0.1:0", "--grpc-listen",
                 "127.0.0.1:0", "--store", store, "--geocoder", "none",
                 *(f"--trusted-proxy={each}" for each in settings["trustedProxy"])],
                stdout=subprocess.PIPE, stderr=log, text=True)
        lines = [self.process.stdout.readline() for _ in range(3)]
        self.ports = {}
        for line in lines:
            name, port = re.fullmatch(r"listening on (.*)://127\.0\.0\.1:(\d+)\n", line).groups()
            self.ports[name] = port

    def address(self, name):
        return f"127.0.0.1:{self.ports[name]}"

    def log(self):
        return self.log_path.read_text()


class Client:
    """Runs of curl from one address."""

    def __init__(self, address, port, folder, token):
        self.folder, self.token = folder, token
        self.arguments = [
            "curl", "--silent", "--show-error", "--no-buffer", "--interface", address, "--cacert", f"{folder}/cert.pem",
            "--resolve", f"todo.example.org:{port}:127.0.0.1", "--max-time", "60"]
        self.url = f"https://todo.example.org:{port}/{SERVICE}"

    def _headers(self, kind):
        return ["--header", f"content-type: {kind}", "--header", f"authorization: Bearer {self.token}"]

    def http(self, method, **message):
        """Calls a method over HTTP/1.1, and returns the status and the response."""
        run = subprocess.run(
            [*self.arguments, "--http1.1", *self._headers("application/json"), "--data", json.dumps(message),
             "--write-out", "\n%{http_code}", f"{self.url}/{method}"], capture_output=True, text=True, timeout=60)
        expect(run.returncode == 0, run.stderr)
        body, status = run.stdout.rsplit("\n", 1)
        return int(status), json.loads(body) if body else None

    def grpc(self, method, message=b""):
        """Calls a method over gRPC, and returns its status."""
        for _ in range(5):
            run = subprocess.run(
                [*self.arguments, "--http2", *self._headers("application/grpc"), "--header", "te: trailers",
                 "--data-binary", "@-", "--dump-header", "-", "--output", "/dev/null", f"{self.url}/{method}"],
                input=b"\0" + struct.pack(">I", len(message)) + message, capture_output=True, timeout=60)
            # curl 7.88 loses a response that comes before it has sent its request, if the stream is then reset.
            if run.returncode != 92:
                break
        status = re.search(rb"^grpc-status: (\d+)", run.stdout, re.MULTILINE | re.IGNORECASE)
        expect(status, f"curl ended with {run.returncode}: {run.stdout} {run.stderr}")
        return int(status.group(1))

    def watch(self, kind, message, version):
        """Starts a watch, and returns the file of its responses, and its process."""
        body = pathlib.Path(self.folder, f"{version}.request")
        body.write_bytes(b"\0" + struct.pack(">I", len(message)) + message)
        path = pathlib.Path(self.folder, f"{version}.watch")
        with open(path, "wb") as output:
            process = start(
                [*self.arguments, f"--{version}", *self._headers(kind), "--header", "te: trailers", "--data-binary",
                 f"@{body}", f"{self.url}/WatchItems"], stdout=output)
        return path, process


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-subj", "/CN=todo.example.org", "-addext", "subjectAltName=DNS:todo.example.org", "-keyout",
         f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True, capture_output=True)
    both = pathlib.Path(f"{folder}/cert.pem").read_text() + pathlib.Path(f"{folder}/key.pem").read_text()
    pathlib.Path(f"{folder}/both.pem").write_text(both)


def nginx(folder, server, port):
    configuration = replaced(block("nginx"), {
        "listen 443": f"listen 127.0.0.1:{port}", "/etc/ssl/todo/": f"{folder}/", "127.0.0.1:8640": server.address("grpc+tcp"),
        "127.0.0.1:8641": server.address("http+tcp")})
    temporary = "\n".join(
        f"{each}_temp_path {folder}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    pathlib.Path(folder, "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}\n{configuration}}}\n")
    return ["nginx", "-p", folder, "-e", "stderr", "-c", f"{folder}/nginx.conf"]


def haproxy(folder, server, port):
    configuration = replaced(block("haproxy"), {
        "bind :443": f"bind 127.0.0.1:{port}", "bind :8637": f"bind 127.0.0.1:{server.ttrpc_port}",
        "/etc/ssl/todo/": f"{folder}/", "127.0.0.1:8640": server.address("grpc+tcp"),
        "127.0.0.1:8641": server.address("http+tcp"), "127.0.0.1:8636": server.address("tcp")})
    # One thread, because each has connections of its own to the server, and the clients shall share one.
    pathlib.Path(folder, "haproxy.cfg").write_text(f"global\n  nbthread 1\n\n{configuration}")
    return ["haproxy", "-db", "-f", f"{folder}/haproxy.cfg"]


def caddy(folder, server, port):
    configuration = replaced(block("caddyfile"), {
        "todo.example.org {": f"todo.example.org:{port} {{\n  bind 127.0.0.1", "/etc/ssl/todo/": f"{folder}/",
        "127.0.0.1:8640": server.address("grpc+tcp"), "127.0.0.1:8641": server.address("http+tcp")})
    pathlib.Path(folder, "Caddyfile").write_text(
        f"{{\n  admin off\n  auto_https disable_redirects\n  storage file_system {folder}/caddy\n}}\n{configuration}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]


PROXIES = {"nginx": nginx, "haproxy": haproxy, "caddy": caddy}


def proxied_header(address):
    """A header of the PROXY protocol."""
    return (b"\r\n\r\n\0\r\nQUIT\n" + bytes([0x21, 0x11, 0, 12]) + socket.inet_aton(address) * 2
            + struct.pack(">HH", 4711, 80))


def check(name, folder):
    certificate(folder)
    server = ServerProgram(folder)
    port, server.ttrpc_port = free_port(), free_port()
    environment = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    with open(f"{folder}/proxy.log", "wb") as log:
        start(PROXIES[name](folder, server, port), stdout=log, stderr=log, cwd=folder, env=environment)
    until(lambda: accepts(port), f"{name} listens")
    ann = Client(ANN, port, folder, server.token)
    eve = Client(EVE, port, folder, "todo_" + "0" * 16 + "_" + "1" * 64)
    wrong = Client(ANN, port, folder, eve.token)

    expect(ann.http("AddItem", item={"id": "0198c0de-7000-7abc-8def-0123456789ab", "title": "First"})[0] == 200, "AddItem")
    expect(ann.grpc("GetServerInfo") == 0, "GetServerInfo over gRPC")
    # A watch with a snapshot: field 1, an empty message.
    watches = [
        ann.watch("application/connect+json", b'{"withSnapshot":{}}', "http1.1"),
        ann.watch("application/grpc", watch_request(), "http2")]
    for path, _ in watches:
        until(lambda: b"First" in path.read_bytes(), "the watch begins")

    # 10 attempts are free, and each further one doubles the time in which others are refused: 2 s after 12.
    statuses = []
    until(lambda: statuses.append(eve.http("ListItems")[0]) or statuses.count(401) == 12, "Eve's attempts are refused")
    expect(set(statuses) == {401, 429}, f"Eve's calls over HTTP: {statuses}")
    codes = [eve.grpc("GetServerInfo") for _ in range(3)]
    expect(8 in codes and set(codes) <= {8, 16}, f"Eve's calls over gRPC do not count with those over HTTP: {codes}")
    # Another address has failed less often.
    expect(wrong.http("ListItems")[0] == 401, "a wrong token of Ann counts with Eve's")
    expect(wrong.grpc("GetServerInfo") == 16, "a wrong token of Ann over gRPC counts with Eve's")

    expect(ann.http("AddItem", item={"id": "0198c0de-7000-7abc-8def-0123456789ac", "title": "Second"})[0] == 200, "AddItem")
    expect(ann.grpc("GetServerInfo") == 0, "GetServerInfo over gRPC, after Eve's calls")
    for path, process in watches:
        until(lambda: b"Second" in path.read_bytes(), "the watch goes on")
        expect(process.poll() is None, "the watch has ended")
        stop(process)
    # The log says below whether the server believes it.
    eve.arguments += ["--header", "x-forwarded-for: 198.51.100.1"]
    expect(eve.http("ListItems")[0] in (401, 429) and eve.grpc("GetServerInfo") in (8, 16), "Eve's calls from elsewhere")
    if name == "haproxy":
        check_ttrpc(server, folder)
    stop(server.process)
    log = server.log()
    for address in (ANN, EVE):
        expect(f"address={address}" in log, f"the log names no {address}: {log}")
    expect("198.51.100.1" not in log and "address=127.0.0.1 " not in log, f"the log names another address: {log}")


def watch_request():
    """The message WatchItemsRequest(with_snapshot={})."""
    field = re.search(
        r"message WatchItemsRequest \{.*?with_snapshot = (\d+);", (ROOT / "Protos/todo/v1/changes.proto").read_text(), re.S)
    expect(field, "changes.proto has no with_snapshot")
    return bytes([int(field.group(1)) << 3 | 2, 0])


def check_ttrpc(server, folder):
    """HAProxy names the client of a ttrpc connection by the PROXY protocol, and the log has its address."""
    context = ssl.create_default_context(cafile=f"{folder}/cert.pem")
    with socket.create_connection(("127.0.0.1", server.ttrpc_port), SECONDS, source_address=("127.0.0.4", 0)) as plain:
        with context.wrap_socket(plain, server_hostname="todo.example.org") as client:
            pair = field(1, b"authorization") + field(2, b"Bearer todo_" + b"0" * 16 + b"_" + b"1" * 64)
            request = field(1, SERVICE.encode()) + field(2, b"ListItems") + field(5, pair)
            client.sendall(struct.pack(">IIBB", len(request), 1, 1, 0) + request)
            expect(b"UNAUTHENTICATED" in client.recv(4096), "the call over ttrpc is not rejected")
    # What the server itself is sent by somebody who is no proxy.
    with socket.create_connection(("127.0.0.1", int(server.ports["tcp"])), SECONDS, source_address=("127.0.0.5", 0)) as other:
        other.sendall(proxied_header("198.51.100.1") + struct.pack(">IIBB", len(request), 1, 1, 0) + request)
        other.settimeout(SECONDS)
        expect(b"UNAUTHENTICATED" not in other.recv(4096), "a header of somebody else is read")
    server.process.terminate()
    server.process.wait(SECONDS)
    expect("address=127.0.0.4" in server.log(), f"the log names no 127.0.0.4: {server.log()}")


def field(number, value):
    """A field of protobuf with a length."""
    count = len(value)
    return bytes([number << 3 | 2, *([count] if count < 128 else [count & 127 | 128, count >> 7])]) + value


def main():
    names = sys.argv[1:] or list(PROXIES)
    for name in names:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(name, folder)
            except BaseException:
                for log in ("proxy.log", "server.log"):
                    path = pathlib.Path(folder, log)
                    if path.exists():
                        print(path.read_text()[-3000:], file=sys.stderr)
                raise
            finally:
                while started:
                    stop(started.pop())
        print(f"ok {name}: {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
