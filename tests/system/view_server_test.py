#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""`patchfield view` as a process: what it serves, whom it refuses, and that no client can harm the simulation.

    tests/system/view_server_test.py build/release/apps/cli/patchfield [unittest arguments …]
"""

import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from raw_websocket import BINARY, CLOSE, PING, TEXT, WebSocket, connect, frame, get, request
from xml_report import run_tests

PROGRAM = None
MAGIC = b"\x89PFR\r\n\x1a\n"


class Server:
    """A running `patchfield view`."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([PROGRAM, "view", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        match = re.search(r"http://[^ ]*:(\d+)/", line)
        if not match:
            raise RuntimeError(f"{line}{self.process.communicate()[1]}")
        self.port = int(match.group(1))

    def rss(self):
        """Memory in use [MB]."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        try:
            code = self.process.wait(20)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.process.stderr.close()
        return code


def status(client):
    return json.loads(client.receive_until(TEXT))


def wait_for(client, condition):
    """The next status that satisfies it."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        told = status(client)
        if condition(told):
            return told
    raise AssertionError(f"last status: {told}")


def command(client, **what):
    client.send(frame(json.dumps(what).encode()))


class Live(unittest.TestCase):
    """One simulation for all tests of the class; each ends by seeing it run on."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("scene:sphere_on_plane", "--time-step", "2e-3", "--port", "0")
        cls.port = cls.server.port

    @classmethod
    def tearDownClass(cls):
        assert cls.server.end() == 0

    def tearDown(self):
        self.assertIsNone(self.server.process.poll())
        client = WebSocket(self.port)
        command(client, type="resume")
        begin = wait_for(client, lambda s: not s["paused"])["time"]
        self.assertGreater(wait_for(client, lambda s: s["time"] > begin + 0.1)["real_time_factor"], 0)
        client.close()

    def test_stream_is_a_recording(self):
        client = WebSocket(self.port)
        self.assertTrue(client.receive_until(BINARY).startswith(MAGIC))
        times = []
        for _ in range(5):
            chunk = client.receive_until(BINARY)
            self.assertEqual(chunk[:4], b"FRAM")
            self.assertEqual(struct.unpack("<I", chunk[4:8])[0], len(chunk) - 12)
            times.append(chunk)
        self.assertEqual(len(set(times)), 5)
        client.close()

    def test_commands_work(self):
        client = WebSocket(self.port)
        command(client, type="pause")
        stopped = wait_for(client, lambda s: s["paused"])["time"]
        command(client, type="step")
        self.assertAlmostEqual(wait_for(client, lambda s: s["time"] > stopped)["time"], stopped + 2e-3, places=9)
        command(client, type="reset")
        self.assertEqual(wait_for(client, lambda s: s["time"] < stopped)["time"], 0)
        client.close()

    def test_texts_that_are_no_commands_are_ignored(self):
        client = WebSocket(self.port)
        for text in ("", "{", "null", "[]", "7", '{"type": 7}', '{"type": "explode"}', '{"type": "pull"}',
                     '{"type":"pull","body":1e99,"point":[0,0,0],"target":[0,0,1]}', '{"type":"pull","body":-1,"point":[0,0,0],"target":[0,0,1]}',
                     '{"type":"pull","body":999999,"point":[0,0,0],"target":[0,0,1]}', '{"type":"pull","body":0,"point":[0,0,0],"target":[0,0,1]}',
                     '{"type":"pull","body":1,"point":[0,0],"target":[0,0,1]}', '{"type":"pull","body":1,"point":[0,0,"x"],"target":[0,0,1]}',
                     '{"type":"pull","body":1,"point":[0,0,1e300],"target":[0,0,1e999]}', "[" * 2000, "\\u0000" * 100):
            client.send(frame(text.encode()))
        status(client)  # still served
        client.close()

    def test_a_hand_that_vanishes_lets_go(self):
        client = WebSocket(self.port)
        command(client, type="pull", body=1, point=[0, 0, 0], target=[0, 0, 0.3])
        time.sleep(0.2)
        client.close()  # tearDown sees the simulation go on

    def refused(self, *frames):
        """Sends these bytes after a good handshake and expects the end of the connection."""
        client = WebSocket(self.port)
        try:
            for data in frames:
                client.send(data)
            end = time.monotonic() + 15
            while time.monotonic() < end:
                if client.receive()[0] == CLOSE:
                    return
            self.fail("still connected")
        except (ConnectionError, BrokenPipeError, socket.timeout):
            pass
        finally:
            client.close()

    def test_malformed_frames_end_their_connection(self):
        self.refused(frame(b"{}", mask=False))
        self.refused(frame(b"{}", reserved=7))
        self.refused(frame(b"{}", opcode=5))
        self.refused(frame(b"{}", opcode=15))
        self.refused(frame(b"x" * 200, opcode=PING))  # control frames are short
        self.refused(frame(b"{}", opcode=PING, final=False))
        self.refused(frame(b"{}", opcode=0))  # goes on with nothing
        self.refused(frame(b"a", final=False), frame(b"b"))  # a new message inside another
        self.refused(frame(b"\xff\xfe\xfd"))  # no UTF-8
        self.refused(frame(b"{}", opcode=BINARY))
        self.refused(frame(b"\x00", opcode=CLOSE))
        generator = random.Random(1)
        for _ in range(30):
            client = WebSocket(self.port)
            try:
                client.send(generator.randbytes(generator.randrange(1, 3000)))
            except OSError:
                pass
            client.close()

    def test_a_huge_message_is_refused_at_its_claim(self):
        before = self.server.rss()
        self.refused(frame(b"x" * 100_000, claim=1 << 30))
        self.refused(frame(b"x" * 10, claim=(1 << 63) - 1))
        self.refused(*[frame(b"x" * 1000, opcode=TEXT if i == 0 else 0, final=False) for i in range(1000)])
        self.assertLess(self.server.rss(), before + 30)

    def test_a_gigabyte_is_never_kept(self):
        before = self.server.rss()
        client = WebSocket(self.port)
        sent = 0
        try:
            client.send(frame(b"", claim=1 << 30))
            block = b"x" * (1 << 20)
            for _ in range(1024):
                client.send(block)
                sent += len(block)
        except OSError:
            pass
        client.close()
        self.assertLess(sent, 1 << 29)  # cut off long before its end
        self.assertLess(self.server.rss(), before + 30)

    def test_a_client_that_does_not_read_slows_nobody(self):
        before = self.server.rss()
        sleepers = [WebSocket(self.port, receive_buffer=4096) for _ in range(5)]
        client = WebSocket(self.port)
        first = status(client)
        start = time.monotonic()
        later = wait_for(client, lambda s: s["time"] > first["time"] + 1.5)
        self.assertLess(time.monotonic() - start, 15)
        self.assertGreaterEqual(later["clients"], 6)
        self.assertLess(self.server.rss(), before + 30)
        for s in [*sleepers, client]:
            s.close()

    def test_a_hundred_connections_are_bounded(self):
        crowd = []
        served = 0
        for _ in range(100):
            try:
                crowd.append(WebSocket(self.port))
                served += 1
            except OSError:  # refused beyond the limit
                pass
        self.assertGreaterEqual(served, 30)
        self.assertLessEqual(served, 64)
        watcher = crowd[0]
        begin = status(watcher)["time"]
        wait_for(watcher, lambda s: s["time"] > begin + 0.2)
        idle = []
        for _ in range(40):  # connections that never say a word
            try:
                idle.append(connect(self.port))
            except OSError:
                pass
        for c in [*crowd, *idle]:
            c.close()
        time.sleep(0.5)  # then there is room again, as tearDown sees

    def test_only_the_own_page_may_connect(self):
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{self.port + 1}", f"https://127.0.0.1:{self.port}", "file://"):
            with self.assertRaisesRegex(ConnectionError, "403"):
                WebSocket(self.port, origin=origin)
        WebSocket(self.port, origin=f"http://127.0.0.1:{self.port}").close()
        WebSocket(self.port, origin=f"http://localhost:{self.port}", host=f"localhost:{self.port}").close()
        with self.assertRaisesRegex(ConnectionError, "421"):  # a name of somebody else that points here
            WebSocket(self.port, origin=f"http://evil.example:{self.port}", host=f"evil.example:{self.port}")

    def test_page_and_nothing_else(self):
        page = get(self.port, "/")
        head, body = page.split(b"\r\n\r\n", 1)
        self.assertTrue(head.startswith(b"HTTP/1.1 200"))
        self.assertIn(b'content="live"', body)
        for header in (b"Content-Security-Policy: default-src 'self'", b"X-Content-Type-Options: nosniff", b"Cache-Control: no-store"):
            self.assertIn(header, head)
        for target in ("/../etc/passwd", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..\\..\\etc\\passwd", "//etc/passwd",
                       "/recording.pfr", "/live", "/index.html/..", "/?x=/../", "/\x01"):
            answer = get(self.port, target)
            self.assertRegex(answer.split(b"\r\n")[0], rb"HTTP/1.1 4\d\d", target)
            self.assertNotIn(b"root:", answer)
        self.assertTrue(get(self.port, "/", method="POST").startswith(b"HTTP/1.1 405"))
        self.assertTrue(get(self.port, "/", host="evil.example").startswith(b"HTTP/1.1 421"))
        answer = get(self.port, "/", method="HEAD")
        self.assertTrue(answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"\r\n\r\n"))

    def test_requests_that_are_none(self):
        for text in ("hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x00\x01\x02\r\n\r\n", "GET / HTTP/1.1\r\n" + "a: b\r\n" * 5000 + "\r\n",
                     "GET /" + "a" * 20000 + " HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\nabc"):
            self.assertNotIn(b"200 OK", request(self.port, text))


class Start(unittest.TestCase):
    """Options and their errors."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def refused(self, *arguments):
        done = subprocess.run([PROGRAM, "view", *map(str, arguments)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        return done.stderr

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.assertIn(f"port {port} is taken", self.refused("scene:stack", "--port", port))

    def test_ports_and_hosts_that_are_none(self):
        for port in ("-1", "65536", "http", ""):
            self.assertIn("--port", self.refused("scene:stack", "--port", port))
        self.assertIn("--host", self.refused("scene:stack", "--host", "no.such.host.invalid"))
        self.assertIn("cannot listen", self.refused("scene:stack", "--host", "192.0.2.1", "--port", "0"))

    def test_files_that_are_none(self):
        (self.folder / "bad.pfr").write_text("hello")
        (self.folder / "empty.pfr").write_text("")
        (self.folder / "page.html").write_text("<!doctype html>")
        self.assertIn("no recording", self.refused(self.folder / "bad.pfr"))
        self.assertIn("empty", self.refused(self.folder / "empty.pfr"))
        self.assertIn("no recording", self.refused(self.folder / "page.html"))
        self.assertIn("nowhere.pfr", self.refused(self.folder / "nowhere.pfr"))
        self.assertIn("nowhere.xml", self.refused(self.folder / "nowhere.xml"))
        self.assertIn("keyframe", self.refused("scene:stack", "--keyframe", "3"))

    def test_a_recording_is_served_byte_by_byte(self):
        path = self.folder / "ball.pfr"
        subprocess.run([PROGRAM, "run", "scene:sphere_on_plane", "--duration", "0.2", "--record", path, "--quiet"], check=True)
        server = Server(path, "--port", "0")
        head, body = get(server.port, "/recording.pfr").split(b"\r\n\r\n", 1)
        self.assertEqual(body, path.read_bytes())
        self.assertIn(b'content="file"', get(server.port, "/"))
        with self.assertRaisesRegex(ConnectionError, "404"):
            WebSocket(server.port)
        self.assertEqual(server.end(signal.SIGTERM), 0)

    def test_it_waits_for_the_first_browser(self):
        server = Server("scene:sphere_on_plane", "--port", "0")
        time.sleep(0.5)
        client = WebSocket(server.port)
        self.assertLess(status(client)["time"], 0.45)
        client.close()
        self.assertEqual(server.end(), 0)

    def test_paused_from_the_start(self):
        server = Server("scene:sphere_on_plane", "--port", "0", "--paused")
        client = WebSocket(server.port)
        client.receive_until(BINARY)
        self.assertEqual(client.receive_until(BINARY)[:4], b"FRAM")
        command(client, type="step")
        self.assertAlmostEqual(wait_for(client, lambda s: s["time"] > 0)["time"], 2e-3, places=9)
        client.close()
        self.assertEqual(server.end(), 0)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    sys.exit(run_tests("view_server_test"))
