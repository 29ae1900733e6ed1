#!/usr/bin/env python3
"""Tests the kernel in a real browser: JupyterLab in headless Chromium, every notebook, and what only a browser shows.

Called by `make test-browser`, which sets up .lab/. Screenshots are left in .lab/browser.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAB = os.path.join(ROOT, ".lab")
OUT = os.path.join(LAB, "browser")
TOKEN = "browser-test"
PAGE_LIMIT = 1000 * int(os.environ.get("PAGE_LIMIT", "60"))  # milliseconds until a page is loaded

PROBE = [
    ("text", '%%\nfmt.Println("ready")'),
    (
        "bar",
        '%%\nbar := kx.Progress(30, "steps")\nfor range 30 {\n\ttime.Sleep(100 * time.Millisecond)\n\tbar.Step(1)\n}\nbar.Done()',
    ),
    ("table", "%unlearn table remem 4"),
    (
        "long",
        '%%\nkx.Run(func(ctx context.Context) error {\n\tselect {\n\tcase <-ctx.Done():\n\t\tfmt.Println("stopped at once")\n\tcase <-time.After(60 * time.Second):\n\t\tfmt.Println("slept on")\n\t}\n\treturn nil\n})',
    ),
    ("wrong", '%%\nx := 1\nfmt.Println("before")\ny := undefinedName\nfmt.Println(x, y)'),
    ("after", '%%\nfmt.Println("must not run")'),
    ("panic", '%%\nvar list []int\nfmt.Println(list[3])'),
    ("sleep", '%%\ntime.Sleep(6 * time.Second)\nfmt.Println("slept")'),
    ("flood", '%%\nfor i := range 100_000 {\n\tfmt.Println("line", i)\n}'),
    ("typo", '%%\nfmt.Println("right")\nfmt.Prinln("wrong")'),
    ("input", '%%\nvar name string\nfmt.Scanln(&name)'),
    ("dark", "%unlearn table unslu 1 --printed"),
]

FLOOD_PYTHON = "for i in range(100_000):\n    print('line', i)"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write_probe(path, probe=None, kernel="unlearnlab", title="Unlearning (Go)", language="go"):
    cells = [
        {"cell_type": "code", "id": name, "metadata": {}, "source": code, "outputs": [], "execution_count": None}
        for name, code in probe or PROBE
    ]
    spec = {"name": kernel, "display_name": title, "language": language}
    with open(path, "w") as f:
        json.dump({"cells": cells, "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}, f)


class Failed(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failed(what)


class Page:
    """One notebook in one browser page, driven through JupyterLab's own objects once they say that they are ready."""

    def __init__(self, browser, base, path, name):
        self.name = name
        self.page = browser.new_page(viewport={"width": 1280, "height": 1600})
        self.page.goto(
            f"{base}/lab/workspaces/{re.sub('[^a-z0-9]', '', name)}/tree/{path}?token={TOKEN}&reset", timeout=PAGE_LIMIT
        )
        self.ready()

    def ready(self):
        self.page.wait_for_function("() => window.jupyterapp && window.jupyterapp.shell", timeout=PAGE_LIMIT)
        self.page.evaluate("""async () => {
                const app = window.jupyterapp;
                await app.restored;
                for (let i = 0; i < 300; i++) {
                    const panel = app.shell.currentWidget;
                    if (panel && panel.context && panel.sessionContext) {
                        await panel.context.ready; await panel.revealed; await panel.sessionContext.ready;
                        if (panel.sessionContext.session && panel.sessionContext.session.kernel) return;
                    }
                    await new Promise(r => setTimeout(r, 100));
                }
                throw new Error('no notebook became ready');
            }""")

    def js(self, body, argument=None):
        return self.page.evaluate(
            "async (arg) => { const app = window.jupyterapp, panel = app.shell.currentWidget, nb = panel.content; "
            + body
            + " }",
            argument,
        )

    def start(self, *cells):
        self.js(
            "arg.forEach((i, n) => { if (n === 0) { nb.deselectAll(); nb.activeCellIndex = i; } else nb.select(nb.widgets[i]); });"
            "app.commands.execute('notebook:run-cell'); ",
            list(cells),
        )

    def run(self, *cells, limit=60):
        self.start(*cells)
        self.finished(cells, limit)

    def outputs(self, cell):
        return self.js("return nb.widgets[arg].model.outputs.toJSON()", cell)

    def prompt(self, cell):
        return self.js("return nb.widgets[arg].node.querySelector('.jp-InputPrompt').textContent", cell)

    def finished(self, cells, limit):
        end = time.time() + limit
        while time.time() < end:
            if all("*" not in self.prompt(c) for c in cells) and self.status() == "idle":
                time.sleep(0.2)
                return
            time.sleep(0.1)
        raise Failed(
            f"cells {cells} did not end within {limit} s: {[self.prompt(c) for c in cells]}, kernel {self.status()}"
        )

    def status(self):
        return self.js("return panel.sessionContext.session.kernel.status")

    def text(self, cell):
        return self.js("return nb.widgets[arg].node.querySelector('.jp-Cell-outputArea').innerText", cell)

    def shot(self, suffix):
        self.page.screenshot(path=os.path.join(OUT, f"{self.name}-{suffix}.png"))

    def close(self):
        self.js("await panel.sessionContext.shutdown()")
        self.page.close()


def check_notebook(browser, base, path, limit=300):
    name = os.path.splitext(os.path.basename(path))[0]
    page = Page(browser, base, path, name)
    try:
        page.js("await panel.sessionContext.session.kernel.info")
        time.sleep(1)  # the kernel's language_info is written into the notebook
        expect(not page.js("return panel.context.model.dirty"), f"{name}: it is changed as soon as it is opened")
        code = page.js("return nb.widgets.map((w, i) => w.model.type === 'code' ? i : -1).filter(i => i >= 0)")
        page.js("app.commands.execute('notebook:run-all-cells');")
        time.sleep(1)
        page.finished(code, limit)
        errors = [o for c in code for o in page.outputs(c) if o["output_type"] == "error"]
        expect(not errors, f"{name}: {errors[:1]}")
        pictures = page.js(
            """const found = [];
               for (const i of arg) {
                   nb.activeCellIndex = i; await nb.scrollToItem(i); await new Promise(r => setTimeout(r, 150));
                   for (const img of nb.widgets[i].node.querySelectorAll('.jp-Cell-outputArea img')) found.push([img.naturalWidth, img.width]);
               }
               return found""",
            code,
        )
        tables = page.js(
            "let n = 0; for (const i of arg) n += nb.widgets[i].node.querySelectorAll('.jp-Cell-outputArea table').length; return n",
            code,
        )
        expect(all(width > 0 for width, _ in pictures), f"{name}: a picture is empty: {pictures}")
        expect(
            all(abs(width - 2 * shown) <= 2 or shown < width / 2 for width, shown in pictures),
            f"{name}: pictures are not at twice their size: {pictures}",
        )
        for i, cell in enumerate(code):
            page.js(
                "nb.activeCellIndex = arg; await nb.scrollToItem(arg, 'start'); await new Promise(r => setTimeout(r, 200));",
                cell,
            )
            page.shot(f"{i:02d}")
        return f"{len(code)} cells, {len(pictures)} pictures, {tables} tables"
    finally:
        page.close()


def check_text_and_bar(page):
    page.run(0)
    expect(page.text(0).strip() == "ready", page.text(0))
    page.start(1)
    seen = []
    end = time.time() + 15
    while time.time() < end and (len(seen) < 1 or page.status() == "busy"):
        value = page.js(
            "const p = nb.widgets[arg].node.querySelectorAll('progress'); return p.length === 1 ? p[0].value : -p.length",
            1,
        )
        if value > 0 and value not in seen:
            seen.append(value)
        time.sleep(0.15)
    page.finished([1], 15)
    page.shot("bar")
    expect(len(seen) >= 5 and seen == sorted(seen), f"the bar did not move in place: {seen}")
    expect("30" in page.text(1), f"no summary: {page.text(1)}")
    return f"bar seen at {len(seen)} values"


def check_verb(page):
    page.run(2)
    expect(
        page.js("return nb.widgets[arg].node.querySelectorAll('.jp-Cell-outputArea table').length", 2) == 1,
        "no table in place",
    )
    page.shot("verb")
    return "table in place"


def check_stop(page):
    page.start(3)
    time.sleep(2)
    begin = time.time()
    page.js("app.commands.execute('notebook:interrupt-kernel');")
    page.finished([3], 10)
    expect("stopped at once" in page.text(3), page.text(3))
    return f"stopped after {time.time() - begin:.2f} s"


def check_errors(page):
    page.start(4, 5)
    page.finished([4, 5], 30)
    page.shot("error")
    error = [o for o in page.outputs(4) if o["output_type"] == "error"]
    expect(len(error) == 1, f"{len(error)} errors")
    boxes = page.text(4)
    expect(
        "undefinedName" in boxes and re.search(r"[Ll]ine\W*4|:4\b|\[\s*4\]", boxes),
        f"the box does not name line 4: {boxes}",
    )
    expect("exit status" not in boxes, f"a second, redundant box: {boxes}")
    expect(page.outputs(5) == [] and "must not run" not in page.text(5), "the queued cell ran")
    page.run(6)
    expect(
        "out of range" in page.text(6) and re.search(r"[Ll]ine\W*3", page.text(6)),
        f"the panic does not name line 3: {page.text(6)}",
    )
    expect(page.text(6).count("out of range") == 1, f"the panic is told twice: {page.text(6)}")
    page.run(9)
    page.shot("typo")
    expect("undefined: fmt.Prinln" in page.text(9) and "line 2" not in page.text(9), f"a typo: {page.text(9)}")
    page.run(10)
    expect("a cell has none" in page.text(10), f"input: {page.text(10)}")
    return "box names line 4, the queued cell was aborted, the panic names line 3 once, a typo and input are named"


def check_completion(page):
    times = []
    for prefix, want in (("%unl", "%unlearn"), ("%unlearn ta", "table"), ("%unlearn table un", "unslu")):
        begin = time.time()
        reply = page.js(
            "const k = panel.sessionContext.session.kernel; return (await k.requestComplete({code: arg, cursor_pos: arg.length})).content",
            prefix,
        )
        times.append(time.time() - begin)
        expect(any(want in m for m in reply["matches"]), f"Tab after {prefix!r}: {reply['matches']}")
    page.js(
        "app.commands.execute('notebook:insert-cell-below'); await new Promise(r => setTimeout(r, 300)); app.commands.execute('notebook:enter-edit-mode');"
    )
    page.page.keyboard.type("%unlearn ta")
    page.page.keyboard.press("Tab")
    page.page.wait_for_timeout(700)
    page.shot("tab")
    typed = page.js("return nb.activeCell.model.sharedModel.getSource()")
    expect("%unlearn table" in typed or page.page.locator(".jp-Completer:visible").count() > 0, f"Tab gave {typed!r}")
    return f"answers within {max(times):.2f} s"


def check_go_completion(browser, base):
    """A notebook that is opened while the language server is warm: from opening it to the open completer on kx."""
    begin = time.time()
    page = Page(browser, base, "probe2.ipynb", "completion")
    opened = time.time()
    try:
        page.js(
            "app.commands.execute('notebook:insert-cell-below'); await new Promise(r => setTimeout(r, 100));"
            " app.commands.execute('notebook:enter-edit-mode');"
        )
        page.page.keyboard.type("%%\nkx.")
        said, took = "", None
        while time.time() < opened + 60:
            page.page.keyboard.press("Tab")
            try:
                page.page.wait_for_selector(".jp-Completer:visible", timeout=1500)
                text = page.page.locator(".jp-Completer:visible").inner_text()
                if "Figure" in text:
                    took = time.time() - opened
                    break
                said = text.strip().replace("\n", " | ")
            except Exception:
                pass
            page.page.keyboard.press("Escape")
            page.js("app.commands.execute('notebook:enter-edit-mode');")
        page.shot("kx")
        expect(took is not None, f"no completion of kx. within a minute; Tab says {said!r}")
        words = page.js(
            "const k = panel.sessionContext.session.kernel; return (await k.requestComplete({code: arg, cursor_pos: arg.length})).content.matches",
            "%%\nkx.",
        )
        expect(len(words) == len(set(words)), f"matches twice: {words}")
        help = page.js(
            "const k = panel.sessionContext.session.kernel; return (await k.requestInspect({code: arg, cursor_pos: arg.length, detail_level: 0})).content.data",
            "%%\nstat.Wilcoxon",
        )
        expect("signed-rank" in json.dumps(help), f"Shift+Tab on stat.Wilcoxon: {help}")
        limit = float(os.environ.get("COMPLETION_LIMIT", "3"))
        expect(took < limit, f"the completer was open after {took:.1f} s")
        return f"open {took:.1f} s after the notebook ({opened - begin:.1f} s to open that), {len(words)} matches, each once; before it: {said!r}"
    finally:
        page.close()


def flood(browser, base, notebook, cell):
    """Runs a cell that prints 100,000 lines: the messages that the browser got, and until it answers again."""
    page = Page(browser, base, notebook, "flood-" + notebook.split(".")[0])
    try:
        page.run(0)
        page.js(
            "window.messages = 0; panel.sessionContext.session.kernel.iopubMessage.connect((_, m) => {"
            " if (m.header.msg_type !== 'status') window.messages++; });"
        )
        begin = time.time()
        page.start(cell)
        page.finished([cell], 300)
        page.js("await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        took = time.time() - begin
        page.shot("flood")
        begin = time.time()
        page.js("await panel.sessionContext.session.kernel.restart();")
        return page.js("return window.messages"), took, time.time() - begin, page.text(cell)
    finally:
        page.close()


def check_flood(browser, base):
    messages, took, restart, text = flood(browser, base, "probe2.ipynb", 8)
    expect(messages <= 50, f"{messages} messages for 100,000 lines")
    expect("more lines" in text and "line 99999" in text, f"no word on what is cut: {text[-300:]}")
    said = f"100,000 lines: {messages} messages, {took:.1f} s until the browser answers, restart {restart:.1f} s"
    try:
        beside = flood(browser, base, "python.ipynb", 1)
    except Exception as problem:  # another kernel's page is not part of the test
        return f"{said}; ipykernel: {problem}"
    return f"{said}; ipykernel {beside[0]} messages, {beside[1]:.1f} s, restart {beside[2]:.1f} s"


def contrast(colours):
    """WCAG's contrast of two colours as a browser tells them."""

    def light(colour):
        parts = [float(x) / 255 for x in re.findall(r"[\d.]+", colour)[:3]]
        linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    a, b = sorted((light(c) for c in colours), reverse=True)
    return (a + 0.05) / (b + 0.05)


def check_dark(page):
    page.js("nb.activeCellIndex = 11; await nb.scrollToItem(11, 'start'); await new Promise(r => setTimeout(r, 300));")
    page.run(11)
    worst = {}
    for name in ("JupyterLab Dark", "JupyterLab Light"):
        page.js("await app.commands.execute('apputils:change-theme', {theme: arg}); await new Promise(r => setTimeout(r, 1500));", name)
        page.js("nb.activeCellIndex = 11; await nb.scrollToItem(11, 'start'); await new Promise(r => setTimeout(r, 300));")
        page.shot(name.split()[1].lower())
        pairs = page.js(
            """const found = [];
               const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
                   if (c !== 'rgba(0, 0, 0, 0)' && c !== 'transparent') return c; } return 'rgb(255, 255, 255)'; };
               for (const e of nb.widgets[arg].node.querySelectorAll('.jp-Cell-outputArea td, .jp-Cell-outputArea th, .jp-Cell-outputArea p'))
                   found.push([getComputedStyle(e).color, ground(e)]);
               return found""",
            11,
        )
        expect(pairs, "no table")
        worst[name] = min(contrast(p) for p in pairs)
    expect(min(worst.values()) >= 4.5, f"text that cannot be read: {worst}")
    return ", ".join(f"{n}: contrast at least {c:.1f}" for n, c in worst.items())


def check_reload(page):
    page.start(7)
    time.sleep(1)
    page.page.reload()
    begin = time.time()
    page.ready()
    known = time.time() - begin
    page.finished([], 20)
    return f"ready {known:.1f} s after a reload in a running cell"


def check_restart(page):
    begin = time.time()
    page.js("await panel.sessionContext.session.kernel.restart();")
    page.run(0)
    expect("ready" in page.text(0), page.text(0))
    return f"first cell {time.time() - begin:.1f} s after a restart"


def check_two(browser, base, paths):
    first, second = Page(browser, base, paths[0], "two-a"), Page(browser, base, paths[1], "two-b")
    try:
        first.start(7)
        begin = time.time()
        second.run(0)
        expect("ready" in second.text(0), second.text(0))
        took = time.time() - begin
        expect(took < 5, f"the second notebook waited {took:.1f} s for the first")
        first.finished([7], 20)
        return f"the second answered in {took:.1f} s while the first was busy"
    finally:
        first.close()
        second.close()


def find_chromium():
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def launch(play, chromium):
    return play.chromium.launch(
        executable_path=chromium,
        args=[
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    )


def main():
    chromium = find_chromium()
    if not chromium:
        print("test-browser: SKIPPED, no Chromium on PATH (CHROMIUM=… names one)")
        return 0
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(os.path.join(OUT, "work"))
    notebooks = sorted(n for n in os.listdir(os.path.join(ROOT, "notebooks")) if n.endswith(".ipynb"))
    for name in notebooks:
        shutil.copy(os.path.join(ROOT, "notebooks", name), os.path.join(OUT, "work", name))
    for name in ("probe.ipynb", "probe2.ipynb"):
        write_probe(os.path.join(OUT, "work", name))
    write_probe(
        os.path.join(OUT, "work", "python.ipynb"), [("text", "1"), ("flood", FLOOD_PYTHON)], "python3", "Python 3", "python"
    )
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    log = open(os.path.join(OUT, "server.log"), "w")
    server = subprocess.Popen(
        [
            os.path.join(ROOT, "scripts", "lab"),
            "--no-browser",
            f"--port={port}",
            f"--IdentityProvider.token={TOKEN}",
            "--allow-root",
            "--ServerApp.port_retries=0",
            "--expose-app-in-browser",
        ],
        stdout=log,
        stderr=log,
        start_new_session=True,
        env={**os.environ, "LAB_NOTEBOOKS": os.path.join(OUT, "work")},
    )
    failed = 0
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{base}/api?token={TOKEN}", timeout=2).read()
                break
            except OSError:
                if server.poll() is not None:
                    raise SystemExit(f"test-browser: JupyterLab ended: see {OUT}/server.log")
                time.sleep(1)
        with sync_playwright() as play:
            browser = launch(play, chromium)
            probe = None
            steps = [(n, lambda n=n: check_notebook(browser, base, n)) for n in notebooks]
            steps += [
                (f.__name__[6:], lambda f=f: f(probe))
                for f in (
                    check_text_and_bar,
                    check_verb,
                    check_stop,
                    check_errors,
                    check_dark,
                    check_completion,
                    check_reload,
                    check_restart,
                )
            ]
            steps += [
                ("two notebooks", lambda: check_two(browser, base, ["probe.ipynb", "probe2.ipynb"])),
                ("completion of Go", lambda: check_go_completion(browser, base)),
                ("a flood of lines", lambda: check_flood(browser, base)),
            ]
            for name, step in steps:
                if probe is None and name == "text_and_bar":
                    probe = Page(browser, base, "probe.ipynb", "probe")
                if name == "two notebooks":
                    probe.close()
                try:
                    print(f"ok    {name}: {step()}", flush=True)
                except Exception as problem:  # each step is reported, and the others still run
                    failed += 1
                    print(f"FAIL  {name}: {problem}", flush=True)
            browser.close()
    finally:
        try:
            os.killpg(server.pid, 15)
            server.wait(20)
        except ProcessLookupError:
            pass
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, 9)
        log.close()
    print(f"{len(steps) - failed} passed, {failed} failed; screenshots in {os.path.relpath(OUT, ROOT)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
