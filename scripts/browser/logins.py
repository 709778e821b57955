"""The way in by a mailed code, and the page before a scan that asks for a passkey."""

import glob
import re
from urllib.parse import urlsplit

from selenium.webdriver.common.keys import Keys

from browser import expect, origin
from ceremonies import identify, is_signed_in_as, is_signed_out, sign_in_by_button, sign_out
from looks import look


CODE = r"\n    ([0-9]{6})\n"


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
    identify(browser, email)
    browser.press("#mail button")
    browser.appears("take")


def is_able(browser):
    """Waits until the page has found that this browser can keep a passkey."""
    found = "return document.querySelector('[name=able]')?.value === '1'"
    browser.until(lambda: browser.driver.execute_script(found), "the browser to be able to keep a passkey")


def mailed_code(browser, order, email, known=0):
    """The code of the latest mail, which comes after those that are known."""
    text = browser.until(lambda: mails(order, email)[known:], f"a mail to {email}")[-1]
    code = re.search(CODE, text)
    expect(code, f"the mail has no code:\n{text}")
    return code.group(1)


def type_code(browser, code):
    browser.write("code", code)
    browser.press("#take button")


def sign_in_by_mail(browser, order, email):
    """To the offer of a passkey, which the browser can keep."""
    browser.open("/login.html")
    identify(browser, email)
    is_able(browser)
    known = len(mails(order, email))
    browser.press("#mail button")
    browser.appears("take")
    type_code(browser, mailed_code(browser, order, email, known))
    browser.appears("later")


def take_offer(browser, device):
    browser.press("new-passkey")
    browser.appears("signed-in")
    expect(len(device.credentials) == 1, "the device has no passkey")


def add_passkey(browser, order, email):
    """To an account with a face, in which the sign-in page offers none after a code. On a laptop the site adds it."""
    ask_for_code(browser, email)
    type_code(browser, mailed_code(browser, order, email))
    browser.appears("signed-in")
    browser.open("/passkeys")
    browser.appears("owner")
    browser.press("add")
    browser.until(lambda: "was added" in browser.text("status"), "the passkey")


def is_signed_in_to(browser, email):
    answer = browser.ask("GET", "/api/auth/me")
    expect(answer["status"] == 200 and answer["body"]["user"]["email"] == email, f"{answer}")


def mail_code(browser, order):
    """A code from a mail signs in, the page offers the first passkey, and that one signs in from then on."""
    browser.without_autofill()
    device = browser.device()
    browser.open("/login.html")
    browser.write("identifier", "a:b")
    browser.press("#ask button")
    browser.complains("Type your e-mail address")
    expect(browser.focus["id"] == "identifier", f"the focus is on {browser.focus}")
    identify(browser, order.mailbox)
    flaws = look(browser, order, "login-ways")
    # An address that nobody has is told the same.
    ask_for_code(browser, "nobody@example.com")
    said = browser.text("main").replace("nobody@example.com", order.mailbox)

    ask_for_code(browser, order.mailbox)
    expect(browser.text("main") == said, f"the page says “{browser.text('main')}”, and “{said}” to strangers")
    expect(browser.focus["id"] == "code", f"the focus is on {browser.focus}")
    flaws += look(browser, order, "login-code")
    code = mailed_code(browser, order, order.mailbox)
    # Its code opens an account, as this site's page for new accounts does.
    mailed_code(browser, order, "nobody@example.com")
    type_code(browser, "222222" if code == "111111" else "111111")
    browser.complains("This code is wrong")
    is_signed_out(browser)
    flaws += look(browser, order, "login-code-fault")
    sign_in_by_mail(browser, order, order.mailbox)
    is_signed_in_to(browser, order.mailbox)
    flaws += look(browser, order, "login-offer")
    take_offer(browser, device)
    expect(not flaws, "\n".join(flaws))

    sign_out(browser)
    is_signed_out(browser)
    sign_in_by_button(browser, device)
    browser.appears("signed-in")
    is_signed_in_to(browser, order.mailbox)


def start(browser, email, mode):
    """Starts a face login and opens the page before its scan; returns the number that the app shows, if any."""
    browser.open("/")
    answer = browser.ask("POST", "/auth/biometric-login/initiate", {"email": email, "mode": mode})
    expect(answer["status"] == 200, f"{answer}")
    browser.driver.get(answer["body"]["authUrl"])
    browser.until(lambda: browser.shows("with-passkey"), "the offer of a passkey")
    return answer["body"].get("number")


def is_titled(browser, title):
    browser.until(lambda: browser.driver.title == f"{title} – Vestibule", f"the page “{title}”")


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
    add_passkey(browser, order, order.face)
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
    browser.leave_for("/")
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
    browser.leave_for("/")
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


def return_to(browser, link, title):
    """Opens the link's page from the provider's, which may still be busy."""
    def arrives():
        browser.driver.get(link)
        return origin(browser.driver.current_url) == origin(browser.site)
    browser.until(arrives, f"{link} to be open")
    is_titled(browser, title)


def scan_page(browser, order):
    """The browser that began a scan sees how it goes, leads to it again, and is told its end; the code on the other device
    gives way to the progress, and the number with it."""
    browser.friends.add(order.provider)
    browser.open("/face")
    browser.write("email", order.slow_face)
    browser.press("#face input[value='cross-device']")
    browser.press("#face button")
    browser.appears("waiting")
    number, link = browser.text("number"), browser.element("scan").get_attribute("href")
    desk = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    phone = browser.driver.current_window_handle
    browser.driver.get(link)
    browser.write("number", number)
    browser.press("form button")
    is_at_scan(browser, order)
    return_to(browser, link, "Your face scan")
    browser.until(lambda: browser.element("#steps [aria-current]").text == "Show your face", "the step")
    browser.until(lambda: "left" in browser.text("left"), "the time left")
    flaws = look(browser, order, "scan-progress")
    browser.press("#again button")
    is_at_scan(browser, order)

    browser.driver.switch_to.window(desk)
    browser.until(lambda: browser.shows("there") and not browser.shows("elsewhere"), "the code to give way")
    expect(not browser.shows("scan") and not browser.shows("number"), "the page still leads to the scan")
    flaws += look(browser, order, "face-opened")

    browser.driver.switch_to.window(phone)
    return_to(browser, link, "Your face scan")
    browser.driver.switch_to.window(desk)
    browser.press("give-up")
    browser.until(lambda: "cancelled" in browser.text("status"), "the end of it")
    browser.driver.switch_to.window(phone)
    is_titled(browser, "You were not signed in")
    flaws += look(browser, order, "scan-outcome")
    browser.close_tab()
    browser.driver.switch_to.window(desk)
    expect(not flaws, "\n".join(flaws))


def account(browser, order):
    """Somebody new opens an account from the sign-in page, with a passkey; the browser remembers the way alone."""
    browser.without_autofill()
    browser.device()
    browser.open("/login.html")
    browser.press("a[href$='/sign-up']")
    browser.appears("by-new-passkey")
    flaws = look(browser, order, "login-sign-up")
    browser.press("new-passkey")
    browser.complains("Type a name first")
    browser.write("username", "ada")
    browser.press("new-passkey")
    is_signed_in_as(browser, "ada")
    kept = {c["name"]: c["value"] for c in browser.driver.get_cookies()}
    expect(kept.get("vst_way") == "passkey", f"{sorted(kept)}")
    sign_out(browser)
    browser.open("/login.html")
    identify(browser, "somebody@example.com")
    expect("You used this here last time" in browser.text("main"), "the last way is forgotten")
    expect(not flaws, "\n".join(flaws))


LOGINS = [mail_code, account, confirm, scan_page]
