#!/usr/bin/env python3
"""Runs the whole suite of jupyter_kernel_test on the installed kernel.

Usage: $PYTHON scripts/kernel_conformance.py
PYTHON must have jupyter_kernel_test; the kernel is installed by `bin/unlearnlab kernel install`. Two tests do not
apply: the kernel has no pager, and Go cells have no way to clear their output.
"""

import unittest

import jupyter_kernel_test

DISPLAY = 'import "github.com/janpfeifer/gonb/gonbui"\n%%\ngonbui.DisplayHTML("<b>shown</b>")\ngonbui.Sync()'


class KernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "unlearnlab"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = '%%\nfmt.Println("hello, world")'
    code_stderr = '%%\nfmt.Fprintln(os.Stderr, "test")'
    completion_samples = [
        {"text": "%unl", "matches": {"%unlearn"}},
        {"text": "%unlearn st", "matches": {"stat", "status"}},
        {"text": "%unlearn table un", "matches": {"unslu"}},
        {"text": "%unlearn preset ", "matches": {"quick", "mini", "paper"}},
    ]
    complete_code_samples = ["%%\nfmt.Println(1)", "x := 3", "func f() int { return 1 }", "%unlearn help", "!ls"]
    incomplete_code_samples = ["func f() {", "for {", "%%\nx := []int{", "%%\ns := `raw", "%%\nx := 1 +"]
    invalid_code_samples = ["%%\n}", "func f() }"]
    code_generate_error = "%%\nx := 1"
    code_execute_result = [{"code": "%unlearn preset", "result": "preset quick (the default; results are read at the richest preset that has them)"}]
    code_display_data = [{"code": DISPLAY, "mime": "text/html"}]
    code_history_pattern = "*preset"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "%unlearn table"


class WelcomeTests(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "unlearnlab"
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main(verbosity=2)
