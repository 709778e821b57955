"""How people make passkeys and sign in with them."""

from selenium.webdriver.common.keys import Keys

from browser import expect


def sign_up(browser, name):
    browser.open("/signup.html")
    browser.write("username", name)
    browser.press("#sign-up button")
    browser.appears("done")


def sign_out(browser):
    browser.open("/passkeys")
    browser.appears("owner")
    browser.press("sign-out")
    browser.appears("stranger")


def sign_in_by_button(browser, device, name=""):
    """With an authenticator that nobody touches before the button is pressed, or autofill would be first."""
    device.touch(False)
    browser.open("/login.html")
    browser.waits_for_autofill()
    if name:
        identify(browser, name)
        browser.appears("by-passkey")
    device.touch(True)
    browser.press("use-passkey")


def identify(browser, name):
    """Types a name on the sign-in page; the ways to sign in under it come next."""
    browser.write("identifier", name)
    browser.press("#ask button")
    browser.element("main > .who")


def is_signed_in_as(browser, name):
    browser.appears("signed-in")
    expect(name in browser.text("person"), f"the page greets “{browser.text('person')}”")
    answer = browser.ask("GET", "/api/auth/me")
    expect(answer["status"] == 200 and answer["body"]["user"]["username"] == name, f"{answer}")


def is_signed_out(browser):
    answer = browser.ask("GET", "/api/auth/me")
    expect(answer["status"] == 401, f"{answer}")


def create(browser, order):
    """A name and one button make a passkey, and sign its owner in."""
    device = browser.device()
    sign_up(browser, "ada")
    kept = device.credentials
    expect(len(kept) == 1 and kept[0]["rpId"] == "localhost" and kept[0]["isResidentCredential"], f"{kept}")
    expect(browser.text("done-name") == "ada", "the page names somebody else")
    expect(browser.text("done-id") == kept[0]["credentialId"].rstrip("="), "the page shows another id")
    expect(browser.focus["id"] == "done-title", f"the focus is on {browser.focus}")
    cookie = browser.session
    expect(cookie and cookie["httpOnly"] and cookie["sameSite"] == "Lax" and cookie["path"] == "/", f"{cookie}")
    browser.open("/")
    browser.appears("signed-in")
    expect("ada" in browser.text("person"), "the home page greets somebody else")
    browser.open("/passkeys")
    browser.appears("owner")
    expect(len(browser.driver.find_elements("css selector", "#list > li")) == 1, "there is not one passkey")
    expect(kept[0]["credentialId"].rstrip("=") not in browser.driver.page_source, "an id is shown where nobody needs it")


def every_setting(browser, order):
    """Each setting of the form reaches the authenticator; its passkey is not discoverable, and signs in by its name."""
    browser.without_autofill()
    key = browser.device(transport="usb")
    browser.open("/signup.html")
    browser.write("username", "grace o'hara-łąkowa")
    browser.press("#sign-up summary")
    for which, value in {
        "attestationType": "none", "userVerification": "required", "residentKey": "discouraged",
        "authenticatorAttachment": "cross-platform", "preferredAuthenticatorType": "securityKey",
    }.items():
        browser.choose(which, value)
    browser.write("timeout", "45000")
    for number in ("-8", "-35"):
        browser.press(f"#sign-up input[value='{number}']")
    browser.press("#sign-up button")
    browser.appears("done")
    asked = browser.driver.execute_script(
        """const {timeout, hints, attestation, authenticatorSelection: it, pubKeyCredParams, rp} = asked[0].publicKey;
        return [timeout, hints, attestation, it.userVerification, it.residentKey, it.authenticatorAttachment,
          pubKeyCredParams.map(({alg}) => alg), rp.id];"""
    )
    meant = [45000, ["security-key"], "none", "required", "discouraged", "cross-platform", [-7, -257, -35], "localhost"]
    expect(asked == meant, f"the authenticator was asked for {asked}")
    expect(not key.credentials[0]["isResidentCredential"], "the passkey is discoverable")
    sign_out(browser)
    sign_in_by_button(browser, key)
    browser.complains("You were not signed in")
    sign_in_by_button(browser, key, "grace o'hara-łąkowa")
    is_signed_in_as(browser, "grace o'hara-łąkowa")


def button(browser, order):
    """A name is typed: its passkeys are asked for."""
    device = browser.device()
    sign_up(browser, "ada")
    sign_out(browser)
    is_signed_out(browser)
    sign_in_by_button(browser, device, "ada")
    is_signed_in_as(browser, "ada")
    expect(device.credentials[0]["signCount"] >= 2, "the authenticator was not asked")


def discoverable(browser, order):
    """Nothing is typed: the passkey itself says whose it is."""
    device = browser.device()
    sign_up(browser, "ada")
    sign_out(browser)
    sign_in_by_button(browser, device)
    is_signed_in_as(browser, "ada")


def autofill(browser, order):
    """Nothing is typed nor pressed: the field offers the passkey, and choosing it there signs in."""
    device = browser.device()
    sign_up(browser, "ada")
    sign_out(browser)
    device.touch(False)
    browser.open("/login.html")
    field = browser.element("identifier")
    expect(field.get_attribute("autocomplete") == "username webauthn", "the field offers no passkey")
    browser.waits_for_autofill()
    # Nobody is there: it waits, and has signed nobody in.
    is_signed_out(browser)
    device.touch(True)
    browser.open("/login.html")
    is_signed_in_as(browser, "ada")


def second_device(browser, order):
    """A security key is added to the account that the first device signed in to; then either signs in."""
    browser.without_autofill()
    first = browser.device()
    sign_up(browser, "ada")
    browser.open("/passkeys")
    browser.appears("owner")
    # The first device has a passkey of the account, and is not to make another.
    browser.press("add")
    browser.complains("This device already has a passkey of yours")
    expect(len(first.credentials) == 1, "it made another all the same")

    second = browser.device(transport="usb")
    first.touch(False)
    browser.press("add")
    browser.until(lambda: "was added" in browser.text("status"), "the second passkey")
    expect(len(browser.driver.find_elements("css selector", "#list > li")) == 2, "there are not two passkeys")
    owners = {c["userHandle"] for c in first.credentials + second.credentials}
    expect(len(owners) == 1, "the two are of different accounts")
    sign_out(browser)
    for here, away in ((second, first), (first, second)):
        away.touch(False)
        sign_in_by_button(browser, here)
        is_signed_in_as(browser, "ada")
        sign_out(browser)


def by_keyboard(browser, order):
    """From the first page to a renamed passkey, out and in again, without a pointer; the focus is always to be seen."""
    device = browser.device()
    browser.open("/")
    browser.walk("Skip to the content")
    browser.walk("Create")
    browser.key(Keys.ENTER)
    browser.appears("sign-up")
    expect(browser.focus["id"] == "username", f"the focus is on {browser.focus}")
    browser.key("ada", Keys.ENTER)
    browser.appears("done")
    browser.walk("My passkeys")
    browser.key(Keys.ENTER)
    browser.appears("owner")
    browser.walk(browser.element("#list button").get_attribute("aria-label"))
    browser.key(Keys.ENTER)
    browser.until(lambda: browser.focus["id"] == "name", "the field for the name")
    browser.key("My phone", Keys.ENTER)
    browser.until(lambda: "My phone" in browser.text("status"), "the new name")
    expect(browser.focus["says"] == "Rename My phone", f"the focus is on {browser.focus}")

    browser.walk("Remove My phone")
    browser.key(Keys.ENTER)
    expect(browser.focus["says"] == "Keep it", f"the focus is on {browser.focus}")
    browser.key(Keys.ESCAPE)
    browser.until(lambda: not browser.shows("removal"), "the question to close")
    expect(browser.focus["says"] == "Remove My phone", f"the focus is on {browser.focus}")
    browser.walk("sign-out")
    browser.key(Keys.ENTER)
    browser.appears("stranger")

    device.touch(False)
    browser.walk("Sign in")
    browser.key(Keys.ENTER)
    browser.appears("ask")
    browser.waits_for_autofill()
    device.touch(True)
    browser.walk("Use a passkey")
    browser.key(Keys.SPACE)
    is_signed_in_as(browser, "ada")


def face(browser, order):
    """A scan signs in, the page makes a passkey from there, and that one signs in without a scan."""
    device = browser.device()
    browser.open("/face")
    browser.write("email", order.face)
    browser.press("#face button")
    # The scan's page is the provider's.
    browser.friends.add(order.provider)
    browser.appears("done")
    # The person comes back from the scan's tab: passkeys are made on the page that is in front alone.
    here, *others = browser.driver.window_handles
    for tab in others:
        browser.driver.switch_to.window(tab)
        browser.close_tab()
    browser.driver.switch_to.window(here)
    browser.press("add")
    browser.until(lambda: "was added" in browser.text("status"), "the passkey")
    browser.press("sign-out")
    browser.appears("start")
    sign_in_by_button(browser, device)
    browser.appears("signed-in")
    answer = browser.ask("GET", "/api/auth/me")
    expect(answer["status"] == 200 and answer["body"]["user"]["email"] == order.face, f"{answer}")


CEREMONIES = [create, every_setting, button, discoverable, autofill, second_device, by_keyboard, face]
