"""An HTTP server of bad manners on a loopback socket, for the tests of the client's transport.

The first line on standard output is the port. The path of a request says how it is answered; `/seen` answers with all
requests before it as JSON. It ends when its standard input is closed.
"""

import json
import os
import socket
import sys
import threading

SEEN = []
LOCK = threading.Lock()
HELD = []


def read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connection.recv(65536)
        if not chunk:
            return None
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    method, path, _ = lines[0].split(" ", 2)
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    if fields.get("expect", "").lower() == "100-continue":
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    length = int(fields.get("content-length", "0"))
    while len(body) < length:
        chunk = connection.recv(65536)
        if not chunk:
            return None
        body += chunk
    return {"method": method, "path": path, "fields": fields, "body": body.decode("utf-8", "replace")}


def response(status, fields=(), body=b"{}"):
    head = [f"HTTP/1.1 {status} Because", f"Content-Length: {len(body)}", "Content-Type: application/json"]
    head += [f"{name}: {value}" for name, value in fields]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def answer(request):
    """The bytes of an answer; None: say nothing, for ever; a tuple: say it and close."""
    path = request["path"]
    date = ("Date", "Mon, 30 Nov 2026 12:00:00 GMT")
    if path == "/202":
        return response(202, body=b'{"accepted": 1, "rejected": []}')
    if path == "/seen":
        return response(200, body=json.dumps(SEEN).encode())
    if path == "/429-seconds":
        return response(429, [("Retry-After", "17"), date])
    if path == "/429-date":
        return response(429, [("Retry-After", "Mon, 30 Nov 2026 12:00:20 GMT"), date])
    if path.startswith("/redirect-"):
        return response(int(path[len("/redirect-"):]), [("Location", "/landed")])
    if path == "/basic":
        return response(401, [("WWW-Authenticate", 'Basic realm="metrics"')])
    if path == "/digest":
        return response(401, [("WWW-Authenticate", 'Digest realm="metrics", nonce="1", algorithm=MD5, qop="auth"')])
    if path == "/cookie":
        return response(202, [("Set-Cookie", "id=1; Path=/")])
    if path == "/hang" or path == "/hang-unless-ready" and not any(one["path"] == "/ready" for one in SEEN):
        return None
    if path == "/hang-in-body":
        return b"HTTP/1.1 202 Because\r\nContent-Length: 100\r\n\r\n{", None
    if path == "/close":
        return b"", True
    if path == "/truncate":
        return b"HTTP/1.1 202 Because\r\nContent-Length: 100\r\n\r\n{", True
    if path == "/truncate-head":
        return b"HTTP/1.1 202 Bec", True
    if path == "/garbage":
        return b"\x00\x01\x02 what is this\r\n\r\n", True
    return response(int(path[1:]) if path[1:].isdigit() else 202)


def serve(connection):
    try:
        while True:
            request = read_request(connection)
            if request is None:
                break
            said = answer(request)
            with LOCK:
                SEEN.append(request)
            closes = False
            if isinstance(said, tuple):
                said, closes = said
                if closes is None:
                    connection.sendall(said)
                    said = None
            if said is None:
                with LOCK:
                    HELD.append(connection)
                return
            connection.sendall(said)
            if closes:
                break
        connection.close()
    except OSError:
        connection.close()


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
