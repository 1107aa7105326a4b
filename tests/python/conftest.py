# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Lets tools/run_tests.py count the tests one by one, as it does those of GoogleTest."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "system"))
from xml_report import write_report  # noqa: E402

tests, failed, skipped = [], set(), set()


def pytest_runtest_logreport(report):
    if report.when == "setup":
        tests.append(report.nodeid)
    if report.failed:
        failed.add(report.nodeid)
    if report.skipped:
        skipped.add(report.nodeid)


def pytest_sessionfinish():
    write_report(os.environ.get("PATCHFIELD_REPORT", "pytest"), tests, failed, skipped)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    """Nothing that a test writes lands in the repository; MuJoCo's log would."""
    monkeypatch.chdir(tmp_path)
