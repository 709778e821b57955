"""Runs the `sh` blocks of pages as a reader who pastes them, and holds their output to what the page shows.

`doc-tests.py BINARIES PAGE...`: each page gets a folder that looks like the repository, and scripts/demo.sh in it. Its blocks
run there in order, in one bash with `set -euo pipefail`. The rules:

- A block does not run if the line above it is `<!-- not run: WHY -->`.
- Ports are the only thing that is changed: 8080 and 8090 are the demo's, and any other 80xx or 81xx is a free one.
- A `text` block right below a block shows lines of its output, in order. `…` stands for any text in a line.
- A `json` block right below a block shows members of one JSON document of its output. `…` stands for any text in a string.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
AT_ONCE = 3
# Of one page, its demo aside.
LIMIT = 120
FENCE = re.compile(r"^ *```([a-z-]*)$")
NOT_RUN = re.compile(r"^ *<!-- not run: (.+) -->$")
PORT = re.compile(r"(?<=[:= ])8[01]\d\d\b")
OTHER_SHELLS = ("bash", "console", "shell", "shell-session", "zsh")
# Parts the output of the blocks.
MARK = "\x1e"


# What runs at the moment, to be ended with this program.
STARTED = []


class Fault(Exception):
    """A page that is not as it has to be."""


class Block:
    def __init__(self, line, text, reason):
        self.line, self.text, self.reason = line, text, reason
        self.shown = None


def blocks(page):
    """The `sh` blocks of a page, each with what the page shows of its output."""
    found, fence, before, reason = [], None, None, None
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        mark = FENCE.match(line)
        if fence is not None:
            if not mark:
                fence[2].append(line)
                continue
            kind, start, text = fence
            if kind == "sh":
                before = Block(start, text, reason)
                found.append(before)
            elif kind in ("text", "json") and before:
                before.shown = (start, kind, "\n".join(text))
                before = None
            fence = reason = None
        elif mark:
            if mark[1] in OTHER_SHELLS:
                raise Fault(f"{page}:{number}: commands belong into a block of the kind sh")
            if reason and mark[1] != "sh":
                raise Fault(f"{page}:{number}: no sh block is below the reason why it is not run")
            fence = (mark[1], number, [])
        elif line.strip():
            if reason:
                raise Fault(f"{page}:{number}: no sh block is below the reason why it is not run")
            before, comment = None, NOT_RUN.match(line)
            reason = comment and comment[1]
    if fence or reason:
        raise Fault(f"{page}: the last block does not end")
    return found


class Ports:
    """The port of this run for each one that a page names."""

    def __init__(self):
        self.chosen = {}

    def __getitem__(self, named):
        if named not in self.chosen:
            self.chosen[named] = self.free()
        return self.chosen[named]

    def free(self):
        # Below the ports that the system picks for programs that name none.
        while True:
            port = random.randint(20_000, 30_000)
            with socket.socket() as probe:
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError:
                    continue
            if port not in self.chosen.values():
                return port

    def put_into(self, text):
        return PORT.sub(lambda named: str(self[named[0]]), text)


def script(todo, ports):
    """The blocks as one script whose lines have the numbers that they have in the page."""
    lines = [""] * (max((block.line + len(block.text) for block in todo), default=0) + 1)
    for index, block in enumerate(todo):
        lines[block.line - 1] = f"printf '{MARK}block %d\\n' {index}"
        lines[block.line : block.line + len(block.text)] = block.text
    setup = [
        "set -Eeuo pipefail",
        "page_commands=0",
        f"trap 'printf \"{MARK}failed %d\\n\" \"$LINENO\"' ERR",
        f"trap 'printf \"{MARK}commands %d\\n\" \"$page_commands\"' EXIT",
        "trap ': $((page_commands += 1))' DEBUG",
    ]
    lines[0] = "; ".join([*setup, ":", lines[0]]).removesuffix("; ")
    return ports.put_into("\n".join(lines) + "\n")


@contextlib.contextmanager
def started(order, output, **options):
    """Runs a program, in a session of its own, with all that it starts; ends all of it afterwards."""
    with open(output, "wb") as file:
        program = subprocess.Popen(order, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                   start_new_session=True, **options)
    STARTED.append(program)
    try:
        yield program
    finally:
        stop(program)
        STARTED.remove(program)


def wait_for_demo(program, log):
    """Waits until scripts/demo.sh stays up."""
    end = time.monotonic() + LIMIT
    while "Everything is up" not in (text := log.read_text(encoding="utf-8", errors="replace")):
        if program.poll() is not None or time.monotonic() > end:
            raise Fault(f"make demo does not come up:\n{text}")
        time.sleep(0.1)


def stop(program):
    """Ends a program and all that it started."""
    for order in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(program.pid, order)
        except ProcessLookupError:
            return
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            continue


def likeness(folder, binaries):
    """Makes a folder look like the repository after a build."""
    for entry in ROOT.iterdir():
        if entry.name not in (".build", ".git"):
            (folder / entry.name).symlink_to(entry)
    (folder / ".build").mkdir()
    (folder / ".build/debug").symlink_to(binaries)


def play(page, binaries):
    """Runs a page; returns the number of its commands."""
    todo = [block for block in blocks(page) if block.reason is None]
    if not todo:
        return 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="docs-"))
    ports = Ports()
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8", "TZ": "UTC"}
    try:
        likeness(folder, binaries)
        name = folder / page.name.replace(".md", ".sh")
        name.write_text(script(todo, ports), encoding="utf-8")
        told = {"STORY_BIN": binaries, "DEMO_PORT": str(ports["8080"]), "DEMO_MOCK_PORT": str(ports["8090"])}
        log, output = folder / "demo.log", folder / "output"
        with started(["bash", str(folder / "scripts/demo.sh")], log, env={**environment, **told}) as demo:
            wait_for_demo(demo, log)
            with started(["bash", str(name)], output, env=environment, cwd=folder) as run:
                try:
                    code = run.wait(LIMIT)
                except subprocess.TimeoutExpired:
                    code = None
        return judge(page, todo, ports, code, output.read_text(encoding="utf-8", errors="replace"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def judge(page, todo, ports, code, text):
    """Holds the output of a page's blocks to what the page shows; returns the number of commands."""
    parts = re.split(f"{MARK}([a-z]+) ([0-9]+)\n", text)
    outputs, commands, failed = {}, 0, None
    for kind, number, output in zip(parts[1::3], parts[2::3], parts[3::3]):
        if kind == "block":
            outputs[last := int(number)] = output
        elif kind == "failed":
            failed = failed or int(number)
            outputs[last] += output
        else:
            # The number has the marks' commands in it, and those of the first line and of the end.
            commands = int(number) - len(outputs) - 2
    if code != 0:
        line = failed or (todo[last].line if outputs else 1)
        why = f"not done after {LIMIT} s" if code is None else f"ended with {code}"
        raise Fault(f"{page}:{line}: {why}\n{outputs[last] if outputs else text}")
    for index, block in enumerate(todo):
        if block.shown:
            start, kind, shown = block.shown
            missing = (lines_missing if kind == "text" else members_missing)(ports.put_into(shown), outputs[index])
            if missing:
                raise Fault(f"{page}:{start}: “{missing}” is not in the output of the block above:\n{outputs[index]}")
    return commands


def pattern(shown):
    return re.compile(".*".join(re.escape(part) for part in shown.split("…")), re.DOTALL)


def lines_missing(shown, output):
    """The first shown line that the output has not, after the ones before."""
    rest = iter([line.strip() for line in output.split("\n")])
    for line in shown.split("\n"):
        wanted = pattern(line.strip())
        if line.strip() and not any(wanted.fullmatch(printed) for printed in rest):
            return line.strip()
    return None


def members_missing(shown, output):
    """What is shown, unless it is in a JSON document of the output."""
    return None if any(holds(json.loads(shown), value) for value in documents(output)) else shown


def documents(output):
    decoder, place = json.JSONDecoder(), 0
    while start := re.compile(r"[\[{]").search(output, place):
        try:
            value, place = decoder.raw_decode(output, start.start())
            yield value
        except ValueError:
            place = start.end()


def holds(shown, value):
    if isinstance(shown, dict):
        return isinstance(value, dict) and all(key in value and holds(shown[key], value[key]) for key in shown)
    if isinstance(shown, list):
        return isinstance(value, list) and len(value) >= len(shown) and all(map(holds, shown, value))
    if isinstance(shown, str):
        return isinstance(value, str) and bool(pattern(shown).fullmatch(value))
    return shown == value


def main():
    binaries, pages = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    faults, commands, ran, left = [], 0, 0, []
    name = lambda page: page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        runs = [(page, pool.submit(play, page, binaries)) for page in pages]
        for page, run in runs:
            try:
                commands += (count := run.result())
                found = blocks(page)
                unrun = [f"{name(page)}:{block.line}: {block.reason}" for block in found if block.reason]
                print(f"{name(page)}: {count} commands in {len(found) - len(unrun)} blocks", flush=True)
                ran, left = ran + len(found) - len(unrun), left + unrun
            except Fault as fault:
                faults.append(str(fault))
    for line in left:
        print(f"not run: {line}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"doc tests: {commands} commands in {ran} blocks of {len(pages)} pages ran; {len(left)} blocks did not")


def over(*_):
    for program in list(STARTED):
        stop(program)
    os._exit(1)


signal.signal(signal.SIGTERM, over)
signal.signal(signal.SIGINT, over)
main()
