# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Lets unittest scripts be counted test by test: tools/run_tests.py reads GoogleTest's reports, so write one."""

import os
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path


class CountingResult(unittest.TextTestResult):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.names = []

    def startTest(self, test):
        super().startTest(test)
        self.names.append(test.id())


def write_report(name, tests, failed, skipped):
    """Names of the tests that ran, failed and were skipped → the folder of GTEST_OUTPUT=xml:FOLDER/, if that is set."""
    kind, _, folder = os.environ.get("GTEST_OUTPUT", "").partition(":")
    if kind != "xml" or not folder.endswith("/"):
        return
    suites = ET.Element("testsuites", name=name, tests=str(len(tests)), failures=str(len(failed)), disabled="0")
    suite = ET.SubElement(suites, "testsuite", name=name)
    for test in tests:
        case = ET.SubElement(suite, "testcase", name=test)
        if test in skipped:
            ET.SubElement(case, "skipped")
    Path(folder).mkdir(parents=True, exist_ok=True)
    ET.ElementTree(suites).write(Path(folder) / f"{name}.xml")


def run_tests(name):
    """Runs the tests of the main script; returns its exit code."""
    runner = unittest.TextTestRunner(resultclass=CountingResult, verbosity=1)
    program = unittest.main(testRunner=runner, exit=False)
    for test, why in program.result.skipped:
        print(f"skipped {test.id()}: {why}")
    result = program.result
    # A test with several failed parts counts once.
    failed = {getattr(test, "test_case", test).id() for test, _ in [*result.failures, *result.errors]}
    write_report(name, result.names, failed, {test.id() for test, _ in result.skipped})
    return 0 if program.result.wasSuccessful() else 1
