"""Starts the server as the runner of Connect's conformance tests does."""

import struct
import subprocess


class Server:
    """A running server: its host, port and certificate."""

    def __init__(self, program, messages, parts=lambda bytes: [bytes], **request):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        message = messages.ServerCompatRequest(**request).SerializeToString()
        for part in parts(struct.pack(">I", len(message)) + message):
            self.process.stdin.write(part)
            self.process.stdin.flush()
        # The runner closes it right after the request.
        self.process.stdin.close()
        length, = struct.unpack(">I", self.process.stdout.read(4))
        response = messages.ServerCompatResponse.FromString(self.process.stdout.read(length))
        self.host, self.port, self.certificate = response.host, response.port, response.pem_cert

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()


def failure(program, standard_input):
    """The exit status and standard error of a server that gets another request."""
    done = subprocess.run([program], input=standard_input, capture_output=True, timeout=20)
    assert done.stdout == b""
    return done.returncode, done.stderr.decode()
