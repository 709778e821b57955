"""The account centre: by keyboard, on a phone and on a desk, in light and in dark, with and without its changes."""

import os

from selenium.webdriver.common.keys import Keys

from browser import expect
from ceremonies import sign_up
from looks import look

# The rules of WCAG that a page can be held to by its markup alone, where axe-core is not installed.
MARKUP = """
const flaws = [];
const main = document.querySelectorAll('main');
if (main.length !== 1) flaws.push(`${main.length} main landmarks`);
if (document.querySelectorAll('h1').length !== 1) flaws.push('not exactly one h1');
let level = 0;
for (const heading of document.querySelectorAll('h1,h2,h3,h4')) {
  const own = Number(heading.tagName[1]);
  if (own > level + 1) flaws.push(`a heading of level ${own} after ${level}: ${heading.textContent}`);
  level = own;
}
const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) flaws.push(`the id ${id} twice`);
for (const field of document.querySelectorAll('input:not([type=hidden])')) {
  if (!document.querySelector(`label[for="${field.id}"]`)) flaws.push(`no label for ${field.id}`);
}
for (const section of document.querySelectorAll('section[aria-labelledby]')) {
  if (!document.getElementById(section.getAttribute('aria-labelledby'))) flaws.push(`${section.id} has no heading`);
}
const names = [...document.querySelectorAll('.list button, .list a.button')].map((node) =>
  node.getAttribute('aria-label') ?? node.textContent);
for (const name of names) if (!name.trim()) flaws.push('a button without a name');
return flaws;
"""


def axe(browser, order, name):
    """axe-core where the order names its file, and the page's markup everywhere."""
    flaws = [f"{name}: {flaw}" for flaw in browser.driver.execute_script(MARKUP)]
    file = getattr(order, "axe", "") or os.environ.get("VESTIBULE_AXE", "")
    if not file:
        return flaws
    with open(file, encoding="utf-8") as script:
        # Not by the page: its policy allows no script but the server's own.
        browser.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script.read()})
    found = browser.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document).then((r) => done(r.violations.map((v) => v.id + ': ' + v.help)));")
    return flaws + [f"{name}: {violation}" for violation in found]


def account_centre(browser, order):
    """A person sees the account, renames a passkey by keyboard alone, is kept from removing the last one, and leaves."""
    flaws = []
    browser.device()
    sign_up(browser, "ada of the account")
    browser.open("/account")
    browser.element("sessions")
    flaws += axe(browser, order, "account") + look(browser, order, "account")
    expect(browser.driver.execute_script("return document.scripts.length") == 0, "the page has a script")
    browser.walk("Rename: A passkey", most=60)
    browser.key(Keys.ENTER)
    browser.element("field-name")
    flaws += axe(browser, order, "account-passkey") + look(browser, order, "account-passkey")
    browser.write("field-name", "Ada’s laptop")
    browser.key(Keys.ENTER)
    browser.until(lambda: "new name" in browser.text("status"), "the new name")
    expect(browser.focus["id"] == "status", "the result does not get the focus")
    flaws += look(browser, order, "account-renamed")
    for page in ("password", "email", "face", "data", "close"):
        browser.open(f"/account/{page}")
        flaws += axe(browser, order, f"account-{page}") + look(browser, order, f"account-{page}")
    browser.open("/account")
    browser.press('#passkeys a.quiet')
    expect("last way" in browser.text("main"), "the last way in can be removed")
    expect(not browser.driver.find_elements("css selector", "main form"), "there is a button all the same")
    browser.press(".back a")
    browser.press('#account form[action$="sign-out"] button')
    expect("signed out" in browser.text("main"), "nothing says that the session has ended")
    expect(not flaws, "\n".join(flaws))


def account_again(browser, order):
    """A person without a session is sent to sign in, and comes back to the account."""
    device = browser.device()
    sign_up(browser, "ada who comes back")
    browser.open("/account")
    browser.press('#account form[action$="sign-out"] button')
    device.touch(True)
    browser.open("/account/password")
    browser.until(lambda: browser.driver.current_url.startswith(browser.site + "/oauth/sign-in/"), "the sign-in page")


ACCOUNT = [account_centre, account_again]
