"""Five walks of people in need, each with the number of presses and of fields that it takes, and at most may take.

A press is a click, or a form that is sent by Enter. Opening an address, reading a mail, pointing a camera, and touching an
authenticator are neither.
"""

import json
import re
import urllib.request
from contextlib import suppress

from selenium.common.exceptions import StaleElementReferenceException

from browser import Browser, expect, origin
from ceremonies import is_signed_out
from console import begin, loaded, text
from logins import CODE, is_at_scan, is_signed_in_to, mails, sign_in_by_mail, take_offer
from looks import look


class Walk:
    """Counts what a person does, in any of the browsers."""

    def __init__(self, name):
        self.name, self.presses, self.fields = name, 0, 0

    def press(self, browser, which):
        self.presses += 1
        browser.press(which)

    def type(self, browser, which, words):
        self.fields += 1
        browser.write(which, words)

    def follow(self, browser, words):
        """Presses the link or the button that says so."""
        find = """return [...document.querySelectorAll('a, button')].find((it) => it.checkVisibility()
          && (it.getAttribute('aria-label') ?? it.textContent).trim().startsWith(arguments[0]))"""
        self.presses += 1

        def press():
            # A live page may have put another one in its place.
            with suppress(StaleElementReferenceException):
                if found := browser.driver.execute_script(find, words):
                    found.click()
                    return True

        browser.until(press, f"“{words}”")

    def ends(self, presses, fields):
        """Prints the counts. More than these were a longer way than the one that was found good."""
        print(f"{self.name}: {self.presses} presses, {self.fields} fields")
        expect(self.presses <= presses and self.fields <= fields, f"{self.name} takes {self.presses} presses and "
               f"{self.fields} fields, and may take {presses} and {fields}")


def sign_in(walk, browser, order, person):
    """From the sign-in page to the offer of a passkey, with nothing but the mailbox."""
    walk.type(browser, "identifier", person)
    walk.press(browser, "#ask button")
    known = len(codes(order, person))
    walk.press(browser, "#mail button")
    browser.appears("take")
    found = browser.until(lambda: codes(order, person)[known:], f"a code to {person}")
    walk.type(browser, "code", found[0])
    walk.press(browser, "#take button")


def codes(order, person):
    """The codes that were mailed to somebody. Other mails may come in between."""
    return [code for mail in mails(order, person) for code in re.findall(CODE, mail)]


def at(browser, order, name):
    """A second browser of its own profile."""
    other = Browser(order.site, f"{order.folder}/{name}")
    other.friends |= browser.friends
    other.without_autofill()
    return other


def settle(browser):
    """Closes a second browser, of which nothing may be said either."""
    try:
        complaints = browser.complaints()
        expect(not complaints, "\n".join(complaints))
    finally:
        browser.close()


def walk_mailbox(browser, order):
    """Everything is forgotten and nothing is at hand but the mailbox: in, with a passkey for the next time."""
    walk = Walk("Forgot everything but the mailbox")
    browser.without_autofill()
    device = browser.device()
    browser.open("/login.html")
    sign_in(walk, browser, order, order.mailbox)
    walk.press(browser, "new-passkey")
    browser.appears("signed-in")
    is_signed_in_to(browser, order.mailbox)
    expect(len(device.credentials) == 1, "the next time has no passkey")
    walk.ends(presses=4, fields=2)


def walk_lost_phone(browser, order):
    """The phone is gone: from a borrowed computer its session ends, and its passkey is removed."""
    walk = Walk("Lost phone")
    browser.without_autofill()
    phone = at(browser, order, "phone")
    try:
        device = phone.device()
        sign_in_by_mail(phone, order, order.mailbox)
        take_offer(phone, device)
        browser.open("/account")
        sign_in(walk, browser, order, order.mailbox)
        # Each session but this one has a button; the phone's is the only one.
        walk.follow(browser, "End")
        browser.element("#status")
        phone.open("/")
        is_signed_out(phone)
        walk.press(browser, "#passkeys a.quiet")
        browser.element("main form button")
        flaws = look(browser, order, "account-passkey-removal")
        walk.press(browser, "main form button")
        browser.element("#status")
        expect("no passkey" in browser.text("passkeys"), "the passkey is still there")
    finally:
        settle(phone)
    expect(not flaws, "\n".join(flaws))
    walk.ends(presses=6, fields=2)


def walk_not_me(browser, order):
    """A sign-in that nobody knows: reported, and what came of it ends."""
    walk = Walk("Was this me?")
    browser.without_autofill()
    other = at(browser, order, "elsewhere")
    try:
        uncounted = Walk("")
        for place in (browser, other):
            place.open("/login.html")
            sign_in(uncounted, place, order, order.face)
            place.until(lambda: place.session, "the session")
        browser.open("/account")
        # The newest is the first.
        walk.follow(browser, "This wasn’t me")
        browser.element("main form button")
        flaws = look(browser, order, "account-not-me")
        walk.press(browser, "main form button")
        browser.element("#status")
        flaws += look(browser, order, "account-not-me-done")
        other.open("/")
        is_signed_out(other)
        is_signed_in_to(browser, order.face)
    finally:
        settle(other)
    expect(not flaws, "\n".join(flaws))
    walk.ends(presses=2, fields=0)


def walk_new_laptop(browser, order):
    """A laptop that has nothing yet, and a phone: the phone's scan signs the laptop in, and a passkey is made there."""
    walk = Walk("New laptop")
    browser.without_autofill()
    browser.friends.add(order.provider)
    device = browser.device()
    phone = at(browser, order, "phone")
    try:
        browser.open("/login.html")
        walk.type(browser, "identifier", order.face)
        walk.press(browser, "#ask button")
        walk.press(browser, "#face input[value='cross-device']")
        walk.press(browser, "#face button")
        browser.appears("waiting")
        phone.driver.get(browser.element("code").get_attribute("data-address"))
        walk.type(phone, "number", browser.text("number"))
        walk.press(phone, "form button")
        is_at_scan(phone, order)
        browser.appears("later")
        walk.press(browser, "new-passkey")
        browser.appears("signed-in")
        is_signed_in_to(browser, order.face)
        expect(len(device.credentials) == 1, "the laptop has no passkey")
    finally:
        settle(phone)
    walk.ends(presses=5, fields=2)


def fault(order, method, body=None):
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(f"{order.provider}/_mock/faults", data=data, method=method)
    urllib.request.urlopen(request, timeout=30).close()


def try_to_sign_in(browser, order):
    """Somebody's scan, which the provider has to begin."""
    browser.open("/")
    answer = browser.ask("POST", "/auth/biometric-login/initiate", {"email": order.slow_face, "mode": "same-device"})
    browser.driver.get(answer["body"]["authUrl"])
    return text(browser)


def walk_provider_down(browser, order):
    """A provider fails: the operator sees it on the first page, pauses it, and resumes it once it answers again."""
    walk = Walk("A provider goes down")
    browser.friends.add(order.provider)
    program, link = begin(order)
    try:
        fault(order, "PUT", {"target": "create", "fault": "http_500"})
        for _ in range(6):
            expect("does not answer" in try_to_sign_in(browser, order), "the provider is there")
        browser.friends.add(origin(link))
        browser.driver.get(link)
        browser.until(lambda: "degraded" in text(browser), "the word for a provider that fails")
        walk.follow(browser, "mock")
        do(walk, browser, "pause")
        walk.follow(browser, "Back")
        loaded(browser)
        here = browser.driver.current_url
        try_to_sign_in(browser, order)
        expect(browser.driver.find_elements("css selector", "main h1"), "people are told nothing")
        fault(order, "DELETE")
        browser.driver.get(here)
        walk.follow(browser, "mock")
        do(walk, browser, "resume")
        try_to_sign_in(browser, order)
        is_at_scan(browser, order)
    finally:
        program.terminate()
        program.wait(10)
    walk.ends(presses=7, fields=0)


def do(walk, browser, command):
    """Fills in nothing, since the page knows which provider it is about: the form, the question, the result."""
    loaded(browser)
    walk.press(browser, f"form[action$='/provider/{command}'] button")
    browser.until(lambda: f"vestibule provider {command} mock" in text(browser), "the question")
    loaded(browser)
    # Its words say what will be.
    walk.press(browser, "main form.action button")
    browser.until(lambda: "Done." in text(browser), "the result")
    browser.check(f"the result of {command}")


WALKS = [walk_mailbox, walk_lost_phone, walk_not_me, walk_new_laptop, walk_provider_down]
