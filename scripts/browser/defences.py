"""What goes wrong, by accident or by design, and what the page says of it."""

from browser import expect
from ceremonies import is_signed_in_as, is_signed_out, sign_in_by_button, sign_out, sign_up


def removal(browser, order):
    """A removed passkey signs in no more, also from a device that was not told; the other one still does."""
    browser.without_autofill()
    first = browser.device()
    sign_up(browser, "ada")
    copy = first.credentials[0]
    browser.open("/passkeys")
    browser.appears("owner")
    browser.press("#list .quiet")
    browser.press("#removal .quiet")
    browser.complains("only passkey")
    second = browser.device(transport="usb")
    first.touch(False)
    browser.press("add")
    browser.until(lambda: "was added" in browser.text("status"), "the second passkey")
    # Asked, and kept.
    browser.press("#list .quiet")
    browser.press("#removal .plain")
    expect(len(browser.driver.find_elements("css selector", "#list > li")) == 2, "it was removed all the same")
    # The other one is not this session's to take away.
    browser.press("#list > li:nth-child(2) .quiet")
    browser.press("#removal .quiet")
    browser.complains("Sign in with that passkey")
    browser.press("#list .quiet")
    browser.press("#removal .quiet")
    browser.until(lambda: "was removed" in browser.text("status"), "the removal")
    expect(browser.focus["id"] == "add", f"the focus is on {browser.focus}")
    expect(len(browser.driver.find_elements("css selector", "#list > li")) == 1, "it is still listed")
    sign_out(browser)

    # The Signal API may have told the device; this one did not listen.
    if not any(c["credentialId"] == copy["credentialId"] for c in first.credentials):
        first.take(copy)
    second.touch(False)
    sign_in_by_button(browser, first)
    browser.complains("doesn’t know this passkey")
    is_signed_out(browser)
    first.unplug()
    sign_in_by_button(browser, second)
    is_signed_in_as(browser, "ada")


def cancel(browser, order):
    """Browsers call a cancellation, a refused finger and a missing passkey the same (WebAuthn L3 §14.5.1): the page says
    what to do, and goes on working."""
    device = browser.device()
    device.recognise(False)
    browser.open("/signup.html")
    browser.write("username", "ada")
    browser.press("#sign-up button")
    browser.complains("No passkey was created", "Try again")
    is_signed_out(browser)
    device.recognise(True)
    device.touch(False)
    browser.press("#sign-up summary")
    browser.write("timeout", "1500")
    browser.press("#sign-up button")
    browser.complains("This took too long")
    device.touch(True)
    browser.press("#sign-up button")
    browser.appears("done")
    sign_out(browser)

    device.recognise(False)
    sign_in_by_button(browser, device)
    browser.complains("You were not signed in", "Try again")
    is_signed_out(browser)
    device.recognise(True)
    browser.press("use-passkey")
    is_signed_in_as(browser, "ada")


def taken(browser, order):
    """A name that somebody has is not a stranger's, and a device makes no second passkey for its account."""
    device = browser.device()
    sign_up(browser, "ada")
    browser.open("/signup.html")
    browser.write("username", "ada")
    browser.press("#sign-up button")
    browser.complains("This device already has a passkey for this name")
    sign_out(browser)
    browser.open("/signup.html")
    browser.write("username", " ADA ")
    browser.press("#sign-up button")
    browser.complains("This name is already in use", "sign in first")
    browser.write("username", "")
    browser.press("#sign-up button")
    browser.complains("Type a name first")
    field = browser.element("username")
    expect(field.get_attribute("aria-invalid") == "true", "the field is not marked")
    expect(browser.focus["id"] == "username", f"the focus is on {browser.focus}")
    browser.write("username", "ada/lovelace")
    expect(field.get_attribute("aria-invalid") is None, "the field stays marked")
    browser.press("#sign-up button")
    browser.complains("at most 64 letters")
    expect(len(device.credentials) == 1, "the device made a passkey all the same")
    is_signed_out(browser)


def wrong_relying_party(browser, order):
    """Passkeys are the domain's: another address of the same server gets none, nor does another domain's sign in here."""
    browser.without_autofill()
    device = browser.device()
    sign_up(browser, "ada")
    sign_out(browser)
    browser.friends.add(order.address)
    home, browser.site = browser.site, order.address
    sign_in_by_button(browser, device)
    browser.complains("Passkeys of “localhost” can’t be used at “127.0.0.1”", "Open this page at localhost")
    browser.open("/signup.html")
    browser.write("username", "eve")
    browser.press("#sign-up button")
    browser.complains("Passkeys of “localhost” can’t be used at “127.0.0.1”")
    browser.site = home
    browser.open("/signup.html")
    browser.write("username", "eve")
    browser.press("#sign-up summary")
    browser.write("customRpID", "example.com")
    browser.press("#sign-up button")
    browser.complains("makes no passkeys for this domain")

    # Another domain's passkey, for the same account, in another device.
    own = device.credentials[0]
    device.unplug()
    other = browser.device()
    other.take(own, rpId="example.com")
    for name in ("", "ada"):
        sign_in_by_button(browser, other, name)
        browser.complains("this device has no passkey for it")
    is_signed_out(browser)


def cloned_counter(browser, order):
    """A copy of an authenticator, whose counter is behind, is refused; the original goes on."""
    browser.without_autofill()
    device = browser.device()
    sign_up(browser, "ada")
    copy = device.credentials[0]
    for _ in range(2):
        sign_out(browser)
        sign_in_by_button(browser, device)
        is_signed_in_as(browser, "ada")
    sign_out(browser)
    expect(device.credentials[0]["signCount"] > copy["signCount"] + 1, "the authenticator does not count")
    original = device.credentials[0]
    device.unplug()

    clone = browser.device()
    clone.take(copy)
    sign_in_by_button(browser, clone)
    browser.complains("did not accept the request", "there may be a copy of the authenticator")
    is_signed_out(browser)
    clone.unplug()
    device = browser.device()
    device.take(original)
    sign_in_by_button(browser, device)
    is_signed_in_as(browser, "ada")


def unverified_user(browser, order):
    """A device that asks for no face, finger or PIN makes no passkey here; its signature, got by a page that asked for
    less than the server did, opens nothing."""
    browser.without_autofill()
    bare = browser.device(verifies=False)
    browser.open("/signup.html")
    browser.write("username", "ada")
    browser.press("#sign-up button")
    browser.complains("No passkey was created")
    bare.unplug()
    device = browser.device()
    sign_up(browser, "ada")
    sign_out(browser)
    credential = device.credentials[0]
    device.unplug()
    bare = browser.device(verifies=False)
    bare.take(credential)
    sign_in_by_button(browser, bare)
    browser.complains("You were not signed in")

    answer = browser.driver.execute_async_script(
        """const [id, done] = arguments;
        const post = (path, body) => fetch(path, {method: 'POST', body: JSON.stringify(body),
          headers: {'Content-Type': 'application/json'}});
        (async () => {
          // Without a name: a named sign-in's refusals are all the same.
          const wanted = {userVerification: 'discouraged'};
          const {challengeId, ...options} = await (await post('/api/generate-authentication-options', wanted)).json();
          const meant = options.userVerification;
          // The browser has such a device choose among no passkeys but those that are listed.
          const less = {userVerification: 'discouraged', allowCredentials: [{type: 'public-key', id}]};
          const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({...options, ...less});
          const response = (await navigator.credentials.get({publicKey})).toJSON();
          const answer = await post('/api/verify-authentication', {challengeId, response});
          done({meant, status: answer.status, body: await answer.json()});
        })().catch((error) => done({error: String(error)}));""",
        credential["credentialId"].rstrip("="),
    )
    expect(answer.get("meant") == "required", f"{answer}")
    expect(answer["status"] == 400 and answer["body"]["code"] == "passkey_refused", f"{answer}")
    # WebAuthn L3 §7.2, step 17.
    expect("did not check who is there" in answer["body"]["message"], f"{answer}")
    is_signed_out(browser)


def plain_http(browser, order):
    """Over plain http browsers keep from pages what a face login takes: the page says so, and starts nothing."""
    browser.before_pages("Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined });")
    browser.open("/face")
    browser.write("email", order.face)
    browser.press("#face button")
    browser.complains("Open this page over https")
    expect(len(browser.driver.window_handles) == 1, "a tab was opened for the scan")
    expect(browser.shows("start"), "the page went on all the same")


def leftovers(browser, order):
    """Who signs out leaves nothing behind: no cookie, nothing stored, and no page from the history or from a copy of the
    cookie that shows what was there."""
    browser.device()
    sign_up(browser, "ada")
    cookie = browser.session
    browser.open("/passkeys")
    browser.appears("owner")
    browser.press("sign-out")
    browser.appears("stranger")
    expect(browser.session is None, f"{browser.session}")
    kept = browser.driver.execute_async_script(
        """const done = arguments[0];
        (async () => done([localStorage.length, sessionStorage.length, (await caches.keys()).length,
          (await indexedDB.databases()).length, document.cookie]))();"""
    )
    expect(kept == [0, 0, 0, 0, ""], f"{kept}")
    browser.open("/")
    browser.driver.back()
    browser.appears("stranger")
    expect(not browser.shows("owner"), "the history shows who was signed in")
    stale = {name: cookie[name] for name in ("name", "value", "path", "httpOnly", "sameSite")}
    browser.driver.add_cookie(stale)
    is_signed_out(browser)
    # Nor is a cookie that somebody planted before the sign-in the session's afterwards.
    browser.open("/login.html")
    browser.appears("signed-in")
    expect(browser.session["value"] != cookie["value"], "the cookie is the one of before")


DEFENCES = [removal, cancel, taken, wrong_relying_party, cloned_counter, unverified_user, plain_http, leftovers]
