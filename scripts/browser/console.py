"""The operators' console: entered by its link, looked at on each page, used by keyboard, and closed to others."""

import re
import subprocess

from browser import Unexpected, expect, origin
from looks import look

PAGES = [
    "/", "/logins", "/people", "/clients", "/providers", "/items/provider/mock", "/mail", "/keys", "/audit", "/nodes",
    "/settings", "/commands", "/commands/accounts/set",
]


def begin(order):
    """Starts a console; returns it and its link."""
    words = [order.program, "console", "--no-open", "--data", order.data]
    console = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    for line in console.stdout:
        found = re.search(r"http://127\.0\.0\.1:\d+/enter/\S+", line)
        if found:
            return console, found.group(0)
    raise Unexpected("the console prints no link")


def loaded(browser):
    browser.until(lambda: browser.driver.execute_script("return document.readyState") == "complete", "the page to load")


def text(browser):
    return browser.driver.execute_script("return document.body.innerText")


def console(browser, order):
    """Enters once, looks at every page, and disables and enables an account by keyboard."""
    browser.open("/")
    login = {"email": order.slow_face, "mode": "cross-device"}
    expect(browser.ask("POST", "/auth/biometric-login/initiate", login)["status"] == 200, "no login begins")
    program, link = begin(order)
    try:
        browser.friends.add(origin(link))
        browser.driver.get(link)
        browser.until(lambda: "Now" in text(browser), "the first page")
        # Each console has a path of its own, to which its cookie is bound.
        browser.site = browser.driver.current_url.rstrip("/")
        flaws = []
        for path in PAGES:
            browser.open(path)
            loaded(browser)
            expect("{{" not in browser.driver.page_source and "gave no usable" not in text(browser), f"{path} is broken")
            flaws += look(browser, order, "console" + path.replace("/", "-").rstrip("-"))
        flaws += persons(browser, order)
        flaws += disable(browser, order)
        expect(not flaws, "\n".join(flaws))
        browser.driver.get(link)
        expect(text(browser).strip() == "Not found", "the link works twice")
    finally:
        program.terminate()
        program.wait(10)


def persons(browser, order):
    """One person, and one login of theirs with its timeline."""
    flaws = []
    browser.open("/people")
    loaded(browser)
    browser.press("main a[href*='/people/']")
    browser.until(lambda: "/people/" in browser.driver.current_url, "the person")
    loaded(browser)
    flaws += look(browser, order, "console-person")
    browser.open("/logins")
    loaded(browser)
    browser.press("main a[href*='/logins/']")
    browser.until(lambda: "/logins/" in browser.driver.current_url, "the login")
    loaded(browser)
    flaws += look(browser, order, "console-login")
    return flaws


def disable(browser, order):
    """By keyboard: the form, the question with its command line, and the answer."""
    browser.open(f"/commands/accounts/disable?p_account={order.slow_face}")
    loaded(browser)
    browser.walk("Look at it", most=60)
    browser.key("\ue007")
    browser.until(lambda: "vestibule accounts disable" in text(browser), "the question")
    flaws = look(browser, order, "console-question")
    browser.walk("Yes, do it", most=60)
    browser.key("\ue007")
    browser.until(lambda: "Done." in text(browser), "the result")
    return flaws + look(browser, order, "console-result")


CONSOLE = [console]
