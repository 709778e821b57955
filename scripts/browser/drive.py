"""Plays one case of the pages in a real browser.

`drive.py --list` prints the names of all cases. `drive.py NAME` plays one, with an order on standard input:
{"site": the pages' origin, "address": the same server by its address, "folder": for the profile, "face": the e-mail
address of somebody whose scan succeeds by itself, "slow_face": that of somebody whose scan goes on, "refused_face": that
of somebody whose face the provider refuses, "mailbox": that of somebody without a face, "outbox": the folder of mails,
"shots": a folder for pictures or "", "link": the page that the case is about, if it needs one, "own_client" and
"other_client": OAuth clients, of the config and of somebody else, that are sent back to http://127.0.0.1/callback,
"own_name": what the first is called, "program" and "data": the daemon's program and data folder}. It ends with 0 if
everything was as it has to be; otherwise standard error says what was not.
"""

import json
import signal
import sys
import traceback
from types import SimpleNamespace

from account import ACCOUNT
from browser import Browser, Unexpected, expect
from ceremonies import CEREMONIES
from console import CONSOLE
from defences import DEFENCES
from example import EXAMPLE
from logins import LOGINS
from looks import LOOKS
from oauth_signin import OAUTH
from pages import PAGES
from series import SERIES
from walks import WALKS

CASES = {
    case.__name__: case
    for case in ACCOUNT + CEREMONIES + CONSOLE + DEFENCES + EXAMPLE + LOGINS + LOOKS + OAUTH + PAGES + SERIES + WALKS
}
# Somewhat less than the test waits, so that the browser is closed by whoever opened it.
LIMIT = 150


def play(case, order):
    browser = Browser(order.site, f"{order.folder}/profile")
    try:
        case(browser, order)
        complaints = browser.complaints()
        expect(not complaints, "\n".join(complaints))
    except BaseException:
        report(browser)
        raise
    finally:
        browser.close()


def report(browser):
    try:
        print(f"at {browser.driver.current_url}, which shows:", file=sys.stderr)
        print(browser.driver.execute_script("return document.body.innerText"), file=sys.stderr)
        print(json.dumps(browser.driver.get_log("browser"), indent=1), file=sys.stderr)
    except Exception as reason:  # The first failure is the one that counts.
        print(f"(and the browser does not answer: {type(reason).__name__})", file=sys.stderr)


def over(*_):
    raise Unexpected(f"stopped, or not done after {LIMIT} s")


if sys.argv[1:] == ["--list"]:
    print("\n".join(CASES))
    sys.exit(0)
signal.signal(signal.SIGALRM, over)
signal.signal(signal.SIGTERM, over)
signal.alarm(LIMIT)
try:
    play(CASES[sys.argv[1]], SimpleNamespace(**json.load(sys.stdin)))
except Unexpected as reason:
    where = traceback.extract_tb(reason.__traceback__)
    line = next((f for f in reversed(where) if not f.filename.endswith(("browser.py", "drive.py"))), where[-1])
    print(f"{line.name}, line {line.lineno}: {reason}", file=sys.stderr)
    sys.exit(1)
