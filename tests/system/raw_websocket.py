# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A WebSocket client of a few lines that can also misbehave: every byte of a frame is the caller's choice."""

import os
import socket
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def connect(port, timeout=20):
    return socket.create_connection(("127.0.0.1", port), timeout=timeout)


def request(port, text):
    """The whole answer to these bytes, until the server closes."""
    with connect(port) as s:
        s.sendall(text.encode() if isinstance(text, str) else text)
        answer = b""
        try:
            while chunk := s.recv(65536):
                answer += chunk
        except (ConnectionResetError, socket.timeout):
            pass
        return answer


def get(port, target, *, method="GET", host=None, headers=""):
    host = host or f"127.0.0.1:{port}"
    return request(port, f"{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n")


def frame(payload, opcode=TEXT, *, final=True, mask=True, reserved=0, claim=None):
    """The bytes of a frame. `claim`: the length that its header tells, if not the real one."""
    length = len(payload) if claim is None else claim
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
    masked = 0x80 if mask else 0
    if length < 126:
        head += bytes([masked | length])
    elif length < 65536:
        head += bytes([masked | 126]) + struct.pack(">H", length)
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", length)
    if not mask:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


class WebSocket:
    """Connects and shakes hands; ConnectionError with the server's first line if refused."""

    def __init__(self, port, *, origin=None, host=None, target="/live", receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", port))
        origin = f"Origin: {origin}\r\n" if origin else ""
        self.socket.sendall(
            f"GET {target} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{origin}\r\n".encode()
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise ConnectionError("closed without an answer")
            self.buffer += chunk
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.first_line = head.split(b"\r\n")[0].decode()
        if "101" not in self.first_line:
            self.socket.close()
            raise ConnectionError(self.first_line)

    def _take(self, n):
        while len(self.buffer) < n:
            chunk = self.socket.recv(1 << 16)
            if not chunk:
                raise ConnectionError("closed")
            self.buffer += chunk
        taken, self.buffer = self.buffer[:n], self.buffer[n:]
        return taken

    def receive(self):
        """(opcode, payload) of the next frame; answers pings."""
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._take(8))
        payload = self._take(length)
        if first & 0xF == PING:
            self.send(frame(payload, PONG))
            return self.receive()
        return first & 0xF, payload

    def receive_until(self, opcode):
        while True:
            got, payload = self.receive()
            if got == opcode:
                return payload
            if got == CLOSE:
                raise ConnectionError("closed")

    def send(self, data):
        self.socket.sendall(data)

    def close(self):
        self.socket.close()
