"""The ClickHouse engine of chdb-core behind ClickHouse's HTTP interface, for tests: one process, one session, loopback only.

    python chdb_server.py FOLDER

FOLDER is made and holds the engine's data; the port that the server took is in FOLDER/port once it answers.
What it knows: GET and POST, the query as the parameter `query` or the body, data as the rest of the body, bodies in
gzip, the parameters `database`, `user` and `password`, every other parameter as a setting of the one query,
`default_format`; answers as text with their whole length, errors with X-ClickHouse-Exception-Code.
"""

import base64
import gzip
import http.server
import os
import re
import sys
import threading
import urllib.parse

# Parameters that steer the interface itself: an answer is always whole before its first byte goes out.
INTERFACE = {"query", "database", "user", "password", "default_format", "wait_end_of_query", "buffer_size",
             "enable_http_compression", "query_id", "session_id", "session_timeout", "http_write_exception_in_output_format"}
STATUS = {"60": 404, "81": 404, "115": 404, "516": 403}
LIMIT = 1 << 30


class Fault(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = str(code)


class Engine:
    """One query at a time."""

    def __init__(self, folder):
        # Without a configuration where it is started, the engine takes that of a server which this machine may have.
        with open("config.xml", "w") as file:
            file.write("<clickhouse><logger><level>none</level></logger></clickhouse>\n")
        from chdb import session
        self.session = session.Session(folder)
        self.lock = threading.Lock()

    def run(self, query, database, settings, output_format):
        with self.lock:
            names = []
            try:
                self.session.query("USE `%s`" % (database or "default").replace("`", ""))
                for name, value in settings:
                    if not re.fullmatch("[a-z_0-9]+", name):
                        raise Fault(115, "Code: 115. DB::Exception: Unknown setting '%s'. (UNKNOWN_SETTING)" % name)
                    self.session.query("SET %s = '%s'" % (name, value.replace("\\", "\\\\").replace("'", "\\'")))
                    names.append(name)
                return self.session.query(query, output_format).bytes() or b""
            except Fault:
                raise
            except Exception as error:
                text = str(error)
                code = re.search(r"Code: (\d+)", text)
                raise Fault(code.group(1) if code else 1002, text) from None
            finally:
                for name in names:
                    self.session.query("SET %s = DEFAULT" % name)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    engine = None

    def do_GET(self):
        path, _, words = self.path.partition("?")
        if path == "/ping" or not words:
            return self.answer(200, b"Ok.\n")
        self.query(words, b"")

    def do_POST(self):
        try:
            body = self.body()
        except (OSError, EOFError, ValueError) as error:
            self.close_connection = True
            return self.answer(400, str(error).encode())
        self.query(self.path.partition("?")[2], body)

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            data = b"".join(parts)
        else:
            length = int(self.headers.get("Content-Length", 0))
            if length > LIMIT:
                raise ValueError("the body is too long")
            data = self.rfile.read(length)
            if len(data) < length:
                raise EOFError("the body ended too early")
        return gzip.decompress(data) if self.headers.get("Content-Encoding") == "gzip" else data

    def query(self, words, body):
        parameters = urllib.parse.parse_qsl(words, keep_blank_values=True, errors="surrogateescape")
        values = dict(parameters)
        try:
            self.check(values)
            text = values.get("query", "").encode("utf-8", "surrogateescape")
            result = self.engine.run(
                text + b"\n" + body if text and body else text or body, values.get("database"),
                [pair for pair in parameters if pair[0] not in INTERFACE], values.get("default_format", "TabSeparated"))
        except Fault as fault:
            # A server takes an INSERT without a row.
            if fault.code == "108" and not body:
                return self.answer(200, b"")
            return self.answer(STATUS.get(fault.code, 500), str(fault).encode() + b"\n", fault.code)
        self.answer(200, result)

    def check(self, values):
        user, password = values.get("user", "default"), values.get("password", "")
        scheme, _, secret = self.headers.get("Authorization", "").partition(" ")
        if scheme == "Basic":
            user, _, password = base64.b64decode(secret).decode().partition(":")
        user = self.headers.get("X-ClickHouse-User", user)
        password = self.headers.get("X-ClickHouse-Key", password)
        if (user, password) != ("default", ""):
            raise Fault(516, "Code: 516. DB::Exception: %s: Authentication failed: password is incorrect, or there is "
                             "no user with such name. (AUTHENTICATION_FAILED)" % user)

    def answer(self, status, body, code=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        if code:
            self.send_header("X-ClickHouse-Exception-Code", code)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder)
    os.chdir(folder)
    Handler.engine = Engine(os.path.join(folder, "data"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with open("port.new", "w") as file:
        file.write(str(server.server_address[1]))
    os.rename("port.new", "port")
    server.serve_forever()


main()
