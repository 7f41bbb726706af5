"""A proxy before a ClickHouse server that fails by a script, for tests; loopback only.

    python faulty_proxy.py PORT FILE FAULT…

PORT is the server's; the port that the proxy took is in FILE once it answers. Each INSERT gets the next FAULT, round and round:

    pass     nothing
    twice    the server gets the request twice
    lost     the server takes the request, and its answer never comes: the connection is reset
    unsent   the connection is reset before the server sees the request
    half     the server gets half of the body, then both connections are reset
    refused  the server takes the request, and the answer is an error
    old      nothing, but the server calls itself 1.1.54385 (the first fault alone decides)

How often each was done is in FILE.counts, one `FAULT NUMBER` a line.
"""

import http.client
import http.server
import os
import socket
import struct
import sys
import threading
import urllib.parse


class Script:
    def __init__(self, faults, path):
        self.faults, self.path = faults, path
        self.lock = threading.Lock()
        self.next = 0
        self.counts = dict.fromkeys(faults, 0)

    def take(self):
        with self.lock:
            fault = self.faults[self.next % len(self.faults)]
            self.next += 1
            self.counts[fault] += 1
            with open(self.path + ".new", "w") as file:
                file.writelines(f"{name} {count}\n" for name, count in self.counts.items())
            os.rename(self.path + ".new", self.path)
            return fault


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    port = None
    script = None

    def do_POST(self):
        body = self.body()
        query = dict(urllib.parse.parse_qsl(self.path.partition("?")[2])).get("query", "")
        if self.script.faults[0] == "old" and body.startswith(b"SELECT version()"):
            return self.answer(200, b"1.1.54385\n")
        fault = self.script.take() if query.startswith("INSERT") else "pass"
        if fault == "unsent":
            return self.reset()
        if fault == "half":
            self.send_half(body)
            return self.reset()
        status, result = self.forward(body)
        if fault == "twice":
            status, result = self.forward(body)
        if fault == "lost":
            return self.reset()
        if fault == "refused":
            return self.answer(500, b"Code: 209, e.displayText() = DB::NetException: Timeout exceeded, e.what() = DB::NetException\n")
        self.answer(status, result)

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(parts)

    def fields(self):
        return {name: value for name, value in self.headers.items()
                if name.lower() not in ("host", "connection", "content-length", "transfer-encoding", "accept-encoding")}

    def forward(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request("POST", self.path, body, self.fields())
            answer = connection.getresponse()
            return answer.status, answer.read()
        except OSError as error:
            return 502, str(error).encode()
        finally:
            connection.close()

    def send_half(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.putrequest("POST", self.path)
            for name, value in self.fields().items():
                connection.putheader(name, value)
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            connection.send(body[:len(body) // 2])
            linger(connection.sock)
        except OSError:
            pass
        finally:
            connection.close()

    def reset(self):
        self.close_connection = True
        self.wfile.flush()
        linger(self.connection)
        self.connection.close()

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def linger(connection):
    """The peer of the closed connection sees a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass

    def shutdown_request(self, request):
        # A socket that was reset is closed already.
        try:
            super().shutdown_request(request)
        except OSError:
            pass


def main():
    port, path, *faults = sys.argv[1:]
    Handler.port = int(port)
    Handler.script = Script(faults, path + ".counts")
    server = Server(("127.0.0.1", 0), Handler)
    with open(path + ".new", "w") as file:
        file.write(str(server.server_address[1]))
    os.rename(path + ".new", path)
    server.serve_forever()


main()
