"""The pages that no other case comes by: those of mails, devices, ends and errors, and the mocks' own."""

import email
import email.policy
import json
import os
import re
import subprocess
import urllib.request
from contextlib import contextmanager
from urllib.parse import urlencode

from browser import Unexpected, expect, origin
from ceremonies import is_signed_out, sign_up
from logins import ask_for_code, mailed_code, mails
from looks import look


def show_mail(browser, order, text, name):
    """Shows the HTML form of a mail, as a mail program does: from a file, without scripts."""
    message = email.message_from_string(text, policy=email.policy.default)
    html = message.get_body(("html",))
    expect(html is not None, f"{name} has no HTML form")
    path = os.path.join(order.folder, f"{name}.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(html.get_content())
    browser.driver.get("file://" + path)
    return look(browser, order, name)


def link(text, path):
    """The address that a mail leads to."""
    plain = email.message_from_string(text, policy=email.policy.default).get_body(("plain",)).get_content()
    found = re.search(rf"https?://\S+{path}\S+", plain)
    expect(found, f"the mail has no link to {path}:\n{plain}")
    return found.group(0)


def mail_pages(browser, order):
    """A code's mail and its page; an address's mail, the question behind its link, and what a press there does."""
    browser.without_autofill()
    ask_for_code(browser, order.face)
    mailed_code(browser, order, order.face)
    mail = mails(order, order.face)[-1]
    flaws = show_mail(browser, order, mail, "mail-of-code")
    browser.driver.get(link(mail, "/mail/code/"))
    browser.element("main h1")
    flaws += look(browser, order, "mail-code")

    browser.open("/")
    new = "grace@example.com"
    answer = browser.ask("POST", "/auth/register", {"email": new, "name": "Grace", "password": "a long password of hers"})
    expect(answer["status"] in (200, 201, 202), f"{answer}")
    mail = browser.until(lambda: mails(order, new), "the mail that proves the address")[-1]
    flaws += show_mail(browser, order, mail, "mail-of-address")
    browser.driver.get(link(mail, "/mail/address/"))
    browser.element("main form button")
    flaws += look(browser, order, "mail-address")
    browser.press("main form button")
    browser.until(lambda: not browser.driver.find_elements("css selector", "main form"), "the end of it")
    flaws += look(browser, order, "mail-address-proven")
    browser.open("/mail/code/nonsense")
    browser.element("main h1")
    flaws += look(browser, order, "mail-code-unknown")
    expect(not flaws, "\n".join(flaws))


def post(address, form):
    with urllib.request.urlopen(address, data=urlencode(form).encode(), timeout=30) as answer:
        return json.load(answer)


def device_pages(browser, order):
    """A television's code: wrong, typed, looked at, refused and allowed."""
    browser.without_autofill()
    browser.device()

    def begin():
        form = {"client_id": order.own_client, "scope": "openid profile"}
        return post(order.site + "/oauth/device_authorization", form)["verification_uri_complete"]

    browser.driver.get(begin())
    browser.element("#sign-in button")
    flaws = look(browser, order, "device-sign-in")
    sign_up(browser, "ada")
    browser.open("/device")
    browser.element("user-code")
    flaws += look(browser, order, "device-code")
    browser.write("user-code", "BCDF-GHJK")
    browser.press("#ask button")
    browser.complains("No device waits with this code")
    flaws += look(browser, order, "device-code-fault")
    for decision in ("deny", "allow"):
        browser.driver.get(begin())
        browser.press("#ask button")
        browser.element(f"#{decision} button")
        if decision == "deny":
            flaws += look(browser, order, "device-question")
        browser.press(f"#{decision} button")
        browser.until(lambda: not browser.driver.find_elements("css selector", "main form"), "the end of it")
        flaws += look(browser, order, f"device-{decision}")
    expect(not flaws, "\n".join(flaws))


def end_pages(browser, order):
    """Errors, ends and ways out: of an address, of a request, of a landing page, of a session."""
    browser.without_autofill()
    browser.device()
    flaws = []
    for name, path in {
        "landing-unknown": "/go/nonsense", "oauth-refused": "/oauth/authorize?client_id=nobody",
        "oauth-unknown": "/oauth/sign-in/nonsense", "logout-unknown": "/oauth/logout?id_token_hint=nonsense",
        "bank-unknown": "/api/enrollment/callback/nobody?state=nonsense&code=c",
        "upstream-unknown": "/oauth/upstream/callback?state=nonsense&code=c",
    }.items():
        browser.open(path)
        browser.element("main h1")
        flaws += look(browser, order, f"end-{name}")
    browser.open("/")
    answer = browser.ask("POST", "/auth/biometric-login/initiate", {"email": order.slow_face, "mode": "cross-device"})
    browser.driver.get(answer["body"]["authUrl"])
    browser.press("form[action$='not-me'] button")
    browser.until(lambda: not browser.driver.find_elements("id", "number"), "the end of it")
    flaws += look(browser, order, "end-not-me")

    sign_up(browser, "ada")
    browser.open("/oauth/logout")
    browser.press("main form button")
    browser.until(lambda: not browser.driver.find_elements("css selector", "main form"), "the end of it")
    flaws += look(browser, order, "end-signed-out")
    browser.open("/")
    is_signed_out(browser)
    # A way out that leads on into an app, by a press where the browser does not by itself.
    browser.open("/oauth/authorize?" + urlencode({
        "client_id": "myvoo", "response_type": "code", "state": "s", "redirect_uri": "myapp.scheme.demo://code_callback"}))
    browser.press("#cancel button")
    browser.element("#onward")
    flaws += look(browser, order, "end-onward")
    expect(not flaws, "\n".join(flaws))


@contextmanager
def mock(order, name, *words):
    """One of the mocks beside the daemon's program, and its address."""
    program = [f"{os.path.dirname(order.program)}/{name}", "--port", "0", *words]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                yield found.group(0)
                break
        else:
            raise Unexpected(f"{name} names no address")
    finally:
        process.terminate()
        process.wait(10)


def mock_pages(browser, order):
    """The scan's page and its results, and the pages of the bank and of the upstream, wrong entries included."""
    flaws = []
    browser.friends.add(order.provider)
    browser.open("/")
    answer = browser.ask("POST", "/auth/biometric-login/initiate", {"email": order.slow_face, "mode": "same-device"})
    browser.driver.get(answer["body"]["authUrl"])
    browser.until(lambda: origin(browser.driver.current_url) == order.provider, "the scan's page")
    browser.element("main h1")
    flaws += look(browser, order, "mock-scan")
    back = "http://127.0.0.1:1/callback"
    query = urlencode({
        "response_type": "code", "redirect_uri": back, "state": "s", "code_challenge": "A" * 43,
        "code_challenge_method": "S256", "scope": "profile",
    })
    for name, client in (("bank-mock", "vestibule"), ("upstream-mock", "mock-client")):
        with mock(order, name, "--redirect-uri", back) as address:
            browser.friends.add(address)
            browser.driver.get(f"{address}/authorize?{query}&client_id={client}")
            browser.element("main form button")
            flaws += look(browser, order, name)
            browser.driver.get(f"{address}/authorize?client_id=nobody")
            browser.until(lambda: browser.driver.find_elements("tag name", "main"), "its refusal")
            flaws += look(browser, order, f"{name}-refused")
    expect(not flaws, "\n".join(flaws))


def access_token(browser, order):
    """That of somebody who has signed in to an app by a scan."""
    browser.friends.add(order.provider)
    browser.open("/")
    begun = browser.ask("POST", "/auth/biometric-login/initiate", {"email": order.face, "mode": "same-device"})["body"]
    browser.driver.get(begun["authUrl"])
    browser.until(lambda: origin(browser.driver.current_url) == order.provider, "the scan's page")
    browser.leave_for("/")
    poll = f"/auth/biometric-login/poll/{begun['operationId']}"
    return browser.until(lambda: browser.ask("GET", poll)["body"].get("accessToken"), "the token")


def approval_page(browser, order):
    """What a person is asked to approve stands on the page before the scan, in the reader's own form."""
    browser.without_autofill()
    payment = {
        "message": "Pay the invoice 4711", "amount": {"value": "1250.00", "currency": "EUR"}, "payee": "Example Ltd",
    }
    headers = {"Authorization": f"Bearer {access_token(browser, order)}", "Content-Type": "application/json"}
    request = urllib.request.Request(
        f"{order.address}/api/auth/approvals/initiate", data=json.dumps(payment).encode(), headers=headers
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        begun = json.load(answer)
    browser.driver.get(begun["authUrl"])
    said = browser.text("body > main")
    for words in ("€1,250.00", "Example Ltd", "Pay the invoice 4711"):
        expect(words in said, f"the page says “{said}” and not “{words}”")
    flaws = look(browser, order, "approval")
    expect(not flaws, "\n".join(flaws))


def bank_question(browser, order):
    """A browser that is not known to be the wallet's owner is asked whose wallet the bank's cards go to."""
    browser.driver.get(order.link)
    browser.element("#add button")
    said = browser.text("body > main")
    expect("Example Bank" in said and "4242" in said, said)
    flaws = look(browser, order, "bank-question")
    expect(not flaws, "\n".join(flaws))


PAGES = [mail_pages, device_pages, end_pages, mock_pages, approval_page, bank_question]
