"""The account centre: by keyboard, on a phone and on a desk, in light and in dark, with and without its changes."""

import glob
import json
import re

from selenium.webdriver.common.keys import Keys

from browser import expect
from ceremonies import sign_up
from logins import mails, sign_in_by_mail
from looks import look
from oauth_signin import Client
from pages import show_mail


def account_centre(browser, order):
    """A person sees the account, renames a passkey by keyboard alone, is kept from removing the last one, and leaves."""
    flaws = []
    browser.device()
    sign_up(browser, "ada of the account")
    browser.open("/account")
    browser.element("sessions")
    flaws += look(browser, order, "account")
    expect(browser.driver.execute_script("return document.scripts.length") == 0, "the page has a script")
    browser.walk("Rename: A passkey", most=60)
    browser.key(Keys.ENTER)
    browser.element("field-name")
    flaws += look(browser, order, "account-passkey")
    browser.write("field-name", "Ada’s laptop")
    browser.key(Keys.ENTER)
    browser.until(lambda: "new name" in browser.text("status"), "the new name")
    expect(browser.focus["id"] == "status", "the result does not get the focus")
    flaws += look(browser, order, "account-renamed")
    for page in ("password", "email", "face", "data", "close"):
        browser.open(f"/account/{page}")
        flaws += look(browser, order, f"account-{page}")
    browser.open("/passkeys?from=account")
    browser.appears("owner")
    flaws += look(browser, order, "passkeys-from-account")
    browser.open("/account")
    browser.press("#passkeys a.quiet")
    expect("last way" in browser.text("main"), "the last way in can be removed")
    expect(not browser.driver.find_elements("css selector", "main form"), "there is a button all the same")
    leave(browser)
    expect(not flaws, "\n".join(flaws))


def account_again(browser, order):
    """A person without a session is sent to sign in, and comes back to the page that was opened."""
    browser.without_autofill()
    device = browser.device()
    sign_up(browser, "ada who comes back")
    leave(browser)
    browser.open("/account/password")
    is_asked(browser)
    browser.press("use-passkey")
    browser.until(lambda: browser.driver.current_url.startswith(browser.site + "/account/password"), "the way back")
    browser.element("main form")
    expect(browser.session, "nobody is signed in")
    expect(len(device.credentials) == 1, "the device has another passkey")


def is_asked(browser):
    browser.until(lambda: browser.driver.current_url.startswith(browser.site + "/oauth/sign-in/"), "the sign-in page")


def leave(browser):
    browser.open("/account")
    browser.press('#account form[action$="sign-out"] button')
    browser.until(lambda: "signed out" in browser.text("main"), "the end of the session")


def is_done(browser, words):
    browser.until(lambda: browser.driver.find_elements("id", "status") and words in browser.text("status"), f"“{words}”")


def account_changes(browser, order):
    """A person with a mailbox alone sets a password, changes the address, takes the data along, and sets a face up."""
    browser.without_autofill()
    browser.device()
    sign_in_by_mail(browser, order, order.mailbox)
    flaws = password(browser, order)
    flaws += address(browser, order, "grace@example.com")
    data = download(browser, order)
    expect("grace@example.com" in data and order.mailbox not in data, "the data has the address of before")
    browser.open("/account/face")
    browser.press("main form button")
    browser.element("#waiting")
    flaws += look(browser, order, "account-face-scan")
    expect(not flaws, "\n".join(flaws))


def password(browser, order):
    browser.open("/account/password")
    browser.write("field-new", "short")
    browser.press("#password button")
    browser.until(lambda: browser.fault, "the complaint about a short password")
    flaws = look(browser, order, "account-password-fault")
    known = len(mails(order, order.mailbox))
    browser.write("field-new", "a long password of theirs")
    browser.press("#password button")
    is_done(browser, "password")
    notice = browser.until(lambda: mails(order, order.mailbox)[known:], "the notice of a password")[0]
    here = browser.driver.current_url
    flaws += show_mail(browser, order, notice, "mail-of-notice")
    browser.driver.get(here)
    return flaws


def address(browser, order, new):
    browser.open("/account/email")
    browser.write("field-email", new)
    browser.press("#email button")
    browser.element("field-code")
    flaws = look(browser, order, "account-email-code")
    browser.write("field-code", "000000")
    browser.press("main form:has(#field-code) button")
    browser.until(lambda: browser.fault, "the complaint about the code")
    flaws += look(browser, order, "account-email-fault")
    mail = browser.until(lambda: mails(order, new), f"a mail to {new}")[-1]
    browser.write("field-code", re.search(r"\n    ([A-Z]{4}-[A-Z]{4})\n", mail).group(1))
    browser.press("main form:has(#field-code) button")
    is_done(browser, "address")
    flaws += look(browser, order, "account-email-done")
    return flaws


def download(browser, order):
    """The file that the page gives."""
    browser.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": order.folder}
    )
    browser.open("/account/data")
    browser.press("#data button")
    found = browser.until(lambda: glob.glob(f"{order.folder}/account-*.json"), "the file of the account's data")
    with open(found[0], encoding="utf-8") as file:
        text = file.read()
    expect(isinstance(json.loads(text), dict), "the file is no JSON object")
    return text


def account_ends(browser, order):
    """An app's consent is withdrawn, after which the app asks again; then the account is closed, and opens no more."""
    browser.without_autofill()
    device = browser.device()
    app = Client(browser, order, order.other_client)
    sign_up(browser, "ada who leaves")
    allow(browser, app)
    browser.open("/account")
    expect("Their App" in browser.text("apps"), "the account does not tell of the app")
    flaws = look(browser, order, "account-apps")
    browser.press("#apps form button")
    is_done(browser, "no longer")
    expect("Their App" not in browser.text("apps"), "the app is still there")
    app.send(browser)
    browser.until(lambda: browser.driver.title.startswith("Allow"), "the question anew")

    browser.open("/account/close")
    browser.write("field-name", "somebody else")
    browser.press("#close button")
    browser.until(lambda: browser.fault, "the complaint about the name")
    flaws += look(browser, order, "account-close-fault")
    browser.write("field-name", "ada who leaves")
    browser.press("#close button")
    browser.until(lambda: "closed" in browser.text("main"), "the end of the account")
    flaws += look(browser, order, "account-closed")
    browser.open("/login.html")
    browser.press("use-passkey")
    browser.complains("doesn’t know this passkey")
    expect(not flaws, "\n".join(flaws))


def allow(browser, app):
    app.send(browser, prompt="consent")
    browser.until(lambda: browser.driver.title.startswith("Allow"), "the question")
    browser.press("#consent button")
    app.tokens(browser)


ACCOUNT = [account_centre, account_again, account_changes, account_ends]
