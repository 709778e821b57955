"""The way in by a mailed code, and the page before a scan that asks for a passkey."""

import glob
import re
from urllib.parse import urlsplit

from selenium.webdriver.common.keys import Keys

from browser import expect, origin
from ceremonies import is_signed_out, sign_in_by_button, sign_out
from looks import look


def mails(order, to):
    """What was sent to that address, the oldest first, as a person reads it."""
    found = []
    for name in sorted(glob.glob(f"{order.outbox}/*.eml")):
        with open(name, encoding="utf-8", newline="") as file:
            text = file.read().replace("\r\n", "\n")
        if f"\nTo: {to}\n" in text:
            found.append(text)
    return found


def ask_for_code(browser, email):
    browser.open("/login.html")
    browser.press("by-mail")
    browser.appears("mail")
    expect(browser.focus["id"] == "email", f"the focus is on {browser.focus}")
    browser.write("email", email)
    browser.press("#ask button")
    browser.appears("type")


def mailed_code(browser, order, email):
    text = browser.until(lambda: mails(order, email), f"a mail to {email}")[-1]
    code = re.search(r"\n    ([0-9]{6})\n", text)
    expect(code, f"the mail has no code:\n{text}")
    return code.group(1)


def type_code(browser, code):
    browser.write("code", code)
    browser.press("#type button")


def add_passkey(browser, device):
    browser.open("/passkeys")
    browser.appears("owner")
    expect("no passkey yet" in browser.text("list"), "there is a passkey already")
    browser.press("add")
    browser.until(lambda: "was added" in browser.text("status"), "the passkey")
    expect(len(device.credentials) == 1, "the device has no passkey")


def is_signed_in_to(browser, email):
    answer = browser.ask("GET", "/api/auth/me")
    expect(answer["status"] == 200 and answer["body"]["user"]["email"] == email, f"{answer}")


def mail_code(browser, order):
    """A code from a mail signs in, the session makes the first passkey, and that one signs in from then on."""
    browser.without_autofill()
    device = browser.device()
    browser.open("/login.html")
    browser.press("by-mail")
    browser.appears("mail")
    flaws = look(browser, order, "login-mail")
    browser.press("#ask button")
    browser.complains("Type your e-mail address")
    expect(browser.focus["id"] == "email", f"the focus is on {browser.focus}")
    # An address that nobody has is told the same.
    ask_for_code(browser, "nobody@example.com")
    said = browser.text("status")

    ask_for_code(browser, order.face)
    expect(browser.text("status") == said, f"the page says “{browser.text('status')}”, and “{said}” to strangers")
    expect(browser.focus["id"] == "code", f"the focus is on {browser.focus}")
    flaws += look(browser, order, "login-code")
    code = mailed_code(browser, order, order.face)
    expect(not mails(order, "nobody@example.com"), "a mail was sent to nobody")
    type_code(browser, "222222" if code == "111111" else "111111")
    browser.complains("This code is wrong")
    is_signed_out(browser)
    flaws += look(browser, order, "login-code-fault")
    type_code(browser, f"{code[:3]} {code[3:]}")
    browser.appears("done")
    expect(not browser.shows("mail") and browser.focus["id"] == "done-title", f"the focus is on {browser.focus}")
    is_signed_in_to(browser, order.face)
    expect(not flaws, "\n".join(flaws))

    add_passkey(browser, device)
    sign_out(browser)
    is_signed_out(browser)
    sign_in_by_button(browser, device)
    browser.appears("done")
    is_signed_in_to(browser, order.face)


def start(browser, email, mode):
    """Starts a face login and opens the page before its scan; returns the number that the app shows, if any."""
    browser.open("/login.html")
    answer = browser.ask("POST", "/auth/biometric-login/initiate", {"email": email, "mode": mode})
    expect(answer["status"] == 200, f"{answer}")
    browser.driver.get(answer["body"]["authUrl"])
    browser.until(lambda: browser.shows("with-passkey"), "the offer of a passkey")
    return answer["body"].get("number")


def is_titled(browser, title):
    browser.until(lambda: browser.driver.title == title, f"the page “{title}”")


def go_on(browser, number, which):
    if number:
        browser.write("number", number)
    browser.press(which)


def go_back(browser):
    """From a refusal, with which no scan has begun, to the page that asks."""
    expect("/go/" in urlsplit(browser.driver.current_url).path, f"at {browser.driver.current_url}")
    browser.press("form button")
    browser.until(lambda: browser.shows("with-passkey"), "the page that asks")


def is_at_scan(browser, order):
    browser.until(lambda: origin(browser.driver.current_url) == order.provider, "the provider's page")


def confirm(browser, order):
    """Where the account has a passkey the press alone begins no scan: its passkey does, which signs nobody in."""
    browser.without_autofill()
    # The scan's page is the provider's.
    browser.friends.add(order.provider)
    device = browser.device()
    ask_for_code(browser, order.face)
    type_code(browser, mailed_code(browser, order, order.face))
    browser.appears("done")
    add_passkey(browser, device)
    sign_out(browser)

    flaws = same_device(browser, order, device)
    flaws += cross_device(browser, order)
    flaws += decoy(browser, order)
    # Who has no passkey goes on by the press.
    go_on(browser, start(browser, order.slow_face, "same-device"), "button.plain")
    is_at_scan(browser, order)
    expect(not flaws, "\n".join(flaws))


def same_device(browser, order, device):
    expect(start(browser, order.face, "same-device") is None, "the page asks for a number")
    flaws = look(browser, order, "confirm-passkey")
    browser.press("button.plain")
    is_titled(browser, "A passkey is needed here")
    flaws += look(browser, order, "confirm-passkey-needed")
    go_back(browser)
    device.recognise(False)
    browser.press("with-passkey")
    browser.complains("The request was cancelled", "Try again")
    flaws += look(browser, order, "confirm-passkey-fault")
    device.recognise(True)
    browser.press("with-passkey")
    is_at_scan(browser, order)
    browser.leave_for("/login.html")
    is_signed_out(browser)
    return flaws


def cross_device(browser, order):
    number = start(browser, order.face, "cross-device")
    expect(number and len(number) == 2, f"the number is “{number}”")
    flaws = look(browser, order, "confirm-passkey-number")
    browser.press("with-passkey")
    expect(browser.focus["id"] == "number", f"the focus is on {browser.focus}")
    expect(not browser.driver.execute_script("return asked.length"), "a passkey is asked for before the number")
    go_on(browser, number, "button.plain")
    is_titled(browser, "A passkey is needed here")
    go_back(browser)
    browser.write("number", number)
    # The passkey's button is the form's own.
    browser.key(Keys.ENTER)
    is_at_scan(browser, order)
    browser.leave_for("/login.html")
    is_signed_out(browser)
    return flaws


def decoy(browser, order):
    """An address that nobody has asks for a passkey as well, and takes none."""
    start(browser, "nobody@example.com", "same-device")
    browser.press("button.plain")
    is_titled(browser, "A passkey is needed here")
    go_back(browser)
    browser.press("with-passkey")
    is_titled(browser, "The passkey was not accepted")
    flaws = look(browser, order, "confirm-passkey-refused")
    go_back(browser)
    return flaws


LOGINS = [mail_code, confirm]
