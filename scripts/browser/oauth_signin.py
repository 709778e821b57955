"""The sign-in page that clients send people to, from the authorization request to the tokens."""

import base64
import hashlib
import json
import secrets
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from selenium.webdriver.common.keys import Keys

from browser import Browser, expect, origin
from ceremonies import identify, is_signed_out, sign_out, sign_up
from logins import is_at_scan, is_signed_in_to, mailed_code, type_code
from looks import look

ALL = "openid profile email"


class Client:
    """An app with a page of its own, to which browsers come back."""

    def __init__(self, browser, order, client_id):
        self.site, self.id = order.site, client_id
        self.answers = answers = []

        class Page(BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urlsplit(self.path)
                if parts.path == "/callback":
                    answers.append({name: values[0] for name, values in parse_qs(parts.query).items()})
                body = b"<!doctype html><title>The app</title><link rel=icon href=data:,><p>Back in the app."
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                # In a form (Form Post Response Mode §2): what a query has otherwise.
                form = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.path += "?" + form
                self.do_GET()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        # The port of a loopback address is the app's to choose (RFC 8252 §7.3).
        self.callback = f"http://127.0.0.1:{self.server.server_port}/callback"
        browser.friends.add(origin(self.callback))

    def send(self, browser, **more):
        """Sends the browser to sign in."""
        self.verifier, self.state = secrets.token_urlsafe(32), secrets.token_urlsafe(8)
        digest = hashlib.sha256(self.verifier.encode()).digest()
        self.seen = len(self.answers)
        browser.driver.get(f"{self.site}/oauth/authorize?" + urlencode({
            "response_type": "code", "client_id": self.id, "redirect_uri": self.callback, "scope": ALL,
            "state": self.state, "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256", **more,
        }))

    def answer(self, browser):
        """What the browser brings back."""
        browser.until(lambda: len(self.answers) > self.seen, "the way back to the app")
        found = self.answers[self.seen]
        expect(found.get("state") == self.state and "iss" in found, f"{found}")
        return found

    def tokens(self, browser):
        """What the code that comes back is worth."""
        found = self.answer(browser)
        expect("code" in found, f"{found}")
        form = urlencode({
            "grant_type": "authorization_code", "client_id": self.id, "code": found["code"],
            "redirect_uri": self.callback, "code_verifier": self.verifier,
        }).encode()
        try:
            with urllib.request.urlopen(f"{self.site}/oauth/token", data=form, timeout=30) as answer:
                body = json.load(answer)
        except urllib.error.HTTPError as refusal:
            expect(False, f"{refusal.code}: {refusal.read().decode()}")
        expect({"access_token", "token_type", "expires_in", "id_token"} <= set(body), f"{sorted(body)}")
        return body

    def claims(self, browser):
        """What the id token says."""
        middle = self.tokens(browser)["id_token"].split(".")[1]
        return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))


def is_asked(browser):
    browser.until(lambda: browser.driver.title.startswith("Sign in to"), "the sign-in page")


def oauth_passkey(browser, order):
    """By a button, then in the field's autofill, where nothing is pressed; the session alone lets no such app in."""
    device, app = browser.device(), Client(browser, order, order.own_client)
    sign_up(browser, "ada")
    sign_out(browser)
    device.touch(False)
    app.send(browser)
    is_asked(browser)
    browser.waits_for_autofill()
    expect(browser.element("identifier").get_attribute("autocomplete") == "username webauthn", "the field offers no passkey")
    flaws = look(browser, order, "oauth-choice")
    is_signed_out(browser)
    device.recognise(False)
    device.touch(True)
    browser.press("use-passkey")
    browser.complains("You were not signed in")
    device.recognise(True)
    device.touch(False)
    app.send(browser)
    is_asked(browser)
    browser.waits_for_autofill()
    device.touch(True)
    browser.press("use-passkey")
    claims = app.claims(browser)
    expect("hwk" in claims["amr"] or "swk" in claims["amr"], f"{claims}")

    # Somebody is there now when the offer is made: it is taken at once.
    app.send(browser, prompt="login")
    expect(app.claims(browser)["sub"] == claims["sub"], "somebody else signed in")
    # Any program here could listen at the app's address, so that the session alone is no answer (RFC 8252 §8.6).
    app.send(browser, prompt="none")
    expect(app.answer(browser).get("error") == "interaction_required", "an app of no known address was let in unseen")
    expect(not flaws, "\n".join(flaws))


def oauth_face(browser, order):
    """A scan in a tab of its own; the page goes on by itself, and the site is signed in to as well."""
    browser.without_autofill()
    browser.friends.add(order.provider)
    app = Client(browser, order, order.own_client)
    app.send(browser, login_hint=order.face)
    is_asked(browser)
    expect(browser.text("identifier") == order.face, "the address is not filled in")
    browser.press("#face button")
    browser.appears("waiting")
    expect(not browser.driver.find_elements("id", "number"), "a scan on this device has a number")
    flaws = look(browser, order, "oauth-waiting")
    browser.press("scan")
    claims = app.claims(browser)
    expect(claims["amr"] == ["face"] and claims["acr"] == "face", f"{claims}")
    browser.open("/")
    is_signed_in_to(browser, order.face)
    expect(not flaws, "\n".join(flaws))


def oauth_refused(browser, order):
    """The provider does not know the face: the page says so, and offers the ways anew."""
    browser.without_autofill()
    browser.friends.add(order.provider)
    app = Client(browser, order, order.own_client)
    app.send(browser, login_hint=order.refused_face)
    is_asked(browser)
    browser.press("#face button")
    browser.appears("waiting")
    here = browser.driver.current_window_handle
    browser.press("scan")
    tabs = browser.until(lambda: browser.driver.window_handles[1:], "the tab of the scan")
    browser.driver.switch_to.window(tabs[0])
    is_at_scan(browser, order)
    browser.close_tab()
    browser.driver.switch_to.window(here)
    browser.element("#failure")
    flaws = look(browser, order, "oauth-failed")
    browser.press("main a.button")
    browser.element("#face button")
    expect(not app.answers, "the client was told something")
    expect(not flaws, "\n".join(flaws))


def oauth_post(browser, order):
    """The answer goes to the app in a form (OAuth 2.0 Form Post Response Mode), which a press sends without JavaScript."""
    browser.without_autofill()
    app = Client(browser, order, order.own_client)
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    app.send(browser, response_mode="form_post")
    browser.until(lambda: browser.driver.find_elements("css selector", "#cancel button"), "the page")[0].click()
    browser.until(lambda: browser.driver.find_elements("css selector", "main form input[name=error]"), "the answer")
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    flaws = look(browser, order, "oauth-answer")
    browser.press("main form button")
    found = app.answer(browser)
    expect(found["error"] == "access_denied", f"{found}")
    expect(not flaws, "\n".join(flaws))


def oauth_mail(browser, order):
    """A mailbox is a first step: the passkey that is made there is used at once, and goes back to the app."""
    browser.without_autofill()
    device, app = browser.device(), Client(browser, order, order.own_client)
    app.send(browser)
    is_asked(browser)
    identify(browser, order.mailbox)
    flaws = look(browser, order, "oauth-ways")
    browser.press("#mail button")
    browser.appears("take")
    type_code(browser, mailed_code(browser, order, order.mailbox))
    browser.until(lambda: browser.driver.title.startswith("One more step"), "the next step")
    flaws += look(browser, order, "oauth-one-more")
    browser.press("new-passkey")
    claims = app.claims(browser)
    expect(claims["acr"] == "passkey" and "otp" in claims["amr"] and "mfa" in claims["amr"], f"{claims}")
    expect(len(device.credentials) == 1, "the device has no passkey")
    expect(not flaws, "\n".join(flaws))


def oauth_phone(browser, order):
    """The code is read by a second browser, the phone, which has to be told the number."""
    browser.without_autofill()
    app = Client(browser, order, order.own_client)
    app.send(browser)
    is_asked(browser)
    identify(browser, order.face)
    browser.press("#face input[value='cross-device']")
    browser.press("#face button")
    browser.appears("waiting")
    number, code = browser.text("number"), browser.element("code")
    expect(len(number) == 2 and number.isdigit(), f"the number is “{number}”")
    drawn = "return document.getElementById('code').getContext('2d').getImageData(0, 0, 200, 200).data.some((c) => c === 0)"
    expect(browser.driver.execute_script(drawn), "there is no code to be seen")
    flaws = look(browser, order, "oauth-phone")
    address = code.get_attribute("data-address")
    phone = Browser(order.site, f"{order.folder}/phone")
    try:
        phone.friends.add(order.provider)
        phone.driver.get(address)
        said = phone.driver.find_element("css selector", "main").text
        expect(number not in said.split(), "the page of the phone shows the number")
        phone.write("number", number)
        phone.press("form button")
        is_at_scan(phone, order)
        expect(app.claims(browser)["amr"] == ["face"], "it was no face")
        complaints = phone.complaints()
        expect(not complaints, "\n".join(complaints))
    finally:
        phone.close()
    expect(not flaws, "\n".join(flaws))


def oauth_consent(browser, order):
    """Somebody else's client: what it gets stands on the page; no is told to it, and yes gets it a code."""
    browser.without_autofill()
    browser.device()
    app = Client(browser, order, order.other_client)
    sign_up(browser, "ada")
    app.send(browser, prompt="consent")
    browser.until(lambda: browser.driver.title.startswith("Allow"), "the question")
    said = browser.text("scopes")
    for words in ("know that it is you", "see your name", "see your e-mail address"):
        expect(words in said, f"the page says “{said}” and not “{words}”")
    flaws = look(browser, order, "oauth-consent")
    browser.press("#cancel button")
    expect(app.answer(browser)["error"] == "access_denied", "the client is not told")
    app.send(browser, prompt="consent")
    browser.until(lambda: browser.driver.title.startswith("Allow"), "the question")
    browser.walk("Allow")
    browser.key(Keys.ENTER)
    app.tokens(browser)
    expect(not flaws, "\n".join(flaws))


def oauth_cancel(browser, order):
    """No, by the keyboard; afterwards the page is over, for this browser as for any."""
    browser.without_autofill()
    app = Client(browser, order, order.own_client)
    app.send(browser)
    is_asked(browser)
    page = browser.driver.current_url
    browser.walk("Cancel and go back to " + order.own_name)
    browser.key(Keys.ENTER)
    expect(app.answer(browser)["error"] == "access_denied", "the client is not told")
    browser.driver.get(page)
    browser.until(lambda: browser.driver.title.startswith("This sign-in is over"), "the end of it")
    expect(not look(browser, order, "oauth-over"), "the page of the end has flaws")


def oauth_plain(browser, order):
    """Without JavaScript: an address, a page that looks again by itself, a scan, and the way back."""
    browser.friends.add(order.provider)
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    app = Client(browser, order, order.own_client)
    app.send(browser)
    is_asked(browser)
    find = browser.driver.find_element
    expect(not find("id", "by-passkey").is_displayed(), "a button that does nothing is shown")
    find("id", "identifier").send_keys(order.face)
    find("css selector", "#ask button").click()
    browser.until(lambda: browser.driver.find_elements("id", "face"), "the ways to sign in")
    expect(not find("id", "where").is_displayed(), "a code is offered that nobody draws")
    find("css selector", "#face button").click()
    link = browser.until(lambda: browser.driver.find_elements("id", "scan"), "the link")[0].get_attribute("href")
    here = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    # Another tab has its scripts: the scan itself takes a camera, and they are the provider's.
    browser.driver.get(link)
    is_at_scan(browser, order)
    browser.driver.switch_to.window(here)
    app.tokens(browser)


OAUTH = [
    oauth_passkey, oauth_face, oauth_refused, oauth_mail, oauth_phone, oauth_consent, oauth_cancel, oauth_post, oauth_plain,
]
