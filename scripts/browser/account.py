"""The account centre: by keyboard, on a phone and on a desk, in light and in dark, with and without its changes."""

from selenium.webdriver.common.keys import Keys

from browser import expect
from ceremonies import sign_up
from looks import look


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
