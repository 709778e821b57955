"""Chromium with authenticators of its own, and what a case asks of the page that it shows."""

import json
import os
import re
import shutil
import time
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.command import Command
from selenium.webdriver.support.ui import Select

from axe import violations

PATIENCE = 30

# Notes what pages ask of authenticators; they are asked all the same.
WITNESS = """
window.asked = [];
for (const name of ['create', 'get']) {
  const real = navigator.credentials[name].bind(navigator.credentials);
  navigator.credentials[name] = (options) => { window.asked.push(options); return real(options); };
}
"""
# A browser that has passkeys, and does not offer them in fields.
WITHOUT_AUTOFILL = "PublicKeyCredential.isConditionalMediationAvailable = async () => { asked.push({}); return false; };"


class Unexpected(Exception):
    """The page is not as it has to be."""


def expect(holds, complaint):
    if not holds:
        raise Unexpected(complaint)


def origin(address):
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


class Device:
    """An authenticator (WebAuthn L3 §11.3): a phone that has the browser in it, or a security key."""

    def __init__(self, driver, transport="internal", has_resident_key=True, verifies=True):
        self.driver = driver
        self.id = driver.execute(
            Command.ADD_VIRTUAL_AUTHENTICATOR,
            {
                "protocol": "ctap2",
                "transport": transport,
                "hasResidentKey": has_resident_key,
                "hasUserVerification": verifies,
                "isUserVerified": verifies,
                "isUserConsenting": True,
            },
        )["value"]

    def _do(self, command, **members):
        return self.driver.execute(command, {"authenticatorId": self.id, **members})["value"]

    @property
    def credentials(self):
        """What it keeps, private keys and counters included."""
        return self._do(Command.GET_CREDENTIALS)

    def take(self, credential, **changes):
        """Puts a copy of another device's credential into this one."""
        self._do(Command.ADD_CREDENTIAL, **{**credential, **changes})

    def touch(self, is_touched):
        """Whether somebody is there to answer; a request that has begun without goes on waiting."""
        order = {"authenticatorId": self.id, "enabled": is_touched}
        self.driver.execute_cdp_cmd("WebAuthn.setAutomaticPresenceSimulation", order)

    def recognise(self, is_owner):
        """Whether face, finger or PIN turn out right."""
        self._do(Command.SET_USER_VERIFIED, isUserVerified=is_owner)

    def unplug(self):
        self._do(Command.REMOVE_VIRTUAL_AUTHENTICATOR)


class Browser:
    """One window, with a profile of its own."""

    def __init__(self, site, profile, language="en-GB,en"):
        self.site = site
        self.friends = {origin(site)}
        self.flaws = []
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        arguments = [
            "--headless=new", f"--user-data-dir={profile}", "--no-first-run", "--no-default-browser-check",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu",
            "--disable-dev-shm-usage", "--hide-scrollbars", f"--accept-lang={language}", "--window-size=1280,900",
        ]
        # Chromium's sandbox refuses to be root's.
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.before_pages(WITNESS)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    def close(self):
        self.driver.quit()

    def before_pages(self, script):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def without_autofill(self):
        """Where a device is there that answers whatever is asked, every offer would be taken at once."""
        self.before_pages(WITHOUT_AUTOFILL)

    def device(self, **kind):
        return Device(self.driver, **kind)

    # What a person does

    def open(self, path):
        self.driver.get(self.site + path)

    def leave_for(self, path):
        """Opens a page of the site from one that may be sending the browser to its own next page."""
        def arrives():
            self.open(path)
            return origin(self.driver.current_url) == origin(self.site)
        self.until(arrives, f"{path} to be open")

    def element(self, which):
        """By its id, or by a selector."""
        how = which if any(c in which for c in "#.[ >") else f"#{which}"
        return self.until(lambda: self.driver.execute_script("return document.querySelector(arguments[0])", how),
                          f"{which} to be there")

    def write(self, which, text):
        field = self.element(which)
        field.clear()
        field.send_keys(text)

    def close_tab(self):
        """Closes the tab in front. A page that is still busy, with its camera for instance, is left first: on a busy
        machine Chromium gives up closing it."""
        self.driver.get("about:blank")
        self.driver.close()

    def press(self, which):
        # A page that renews itself may replace the element in between.
        for _ in range(5):
            try:
                return self.element(which).click()
            except StaleElementReferenceException:
                continue
        raise Unexpected(f"{which} is replaced all the time")

    def choose(self, which, value):
        Select(self.element(which)).select_by_visible_text(value)

    def key(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def walk(self, which, most=40):
        """Presses Tab until that element has the focus; every stop on the way has to show that it has it."""
        for _ in range(most):
            self.key(Keys.TAB)
            stop = self.focus
            expect(stop["ring"], f"the focus does not show on {stop}")
            if stop["id"] == which or stop["says"] == which:
                return
        raise Unexpected(f"Tab does not come to {which}")

    # What is there

    @property
    def focus(self):
        return self.driver.execute_script(
            """const it = document.activeElement, style = getComputedStyle(it);
            return {id: it.id, tag: it.tagName, says: it.getAttribute('aria-label') || it.textContent.trim().slice(0, 40),
              ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2};"""
        )

    def waits_for_autofill(self):
        """Until the page has asked for a passkey by way of its field, or has learnt that it can't."""
        self.until(lambda: self.driver.execute_script("return asked.length > 0"), "the offer in the field")

    def text(self, which):
        return self.element(which).text

    def shows(self, which):
        return self.driver.execute_script(
            "const it = document.getElementById(arguments[0]); return Boolean(it && it.checkVisibility())", which)

    def until(self, ask, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while True:
            try:
                answer = ask()
            except StaleElementReferenceException:
                answer = None
            if answer:
                return answer
            if time.monotonic() > end:
                raise Unexpected(f"waited in vain for {what}")
            time.sleep(0.05)

    def appears(self, which):
        """Waits until that part of the page shows; what the page complains of meanwhile is the reason why not."""
        def ask():
            if self.shows(which):
                return True
            expect(not self.fault, f"the page says “{self.fault}” in the place of showing {which}")
            return False
        self.until(ask, f"{which} to show")

    @property
    def fault(self):
        return self.driver.execute_script("return document.getElementById('fault')?.textContent ?? ''")

    def complains(self, *parts):
        """Waits for the page's complaint, which has to have all of these in it, and that the page is ready again."""
        said = self.until(lambda: self.fault, "a complaint")
        for part in parts:
            expect(part in said, f"the page says “{said}” and not “{part}”")
        expect(self.element("fault").get_attribute("role") == "alert", "a complaint is not read out")
        self.until(lambda: not self.driver.execute_script("return document.querySelector('[aria-busy]')"), "the button")
        self.check(f"“{said}”")
        return said

    def ask(self, method, path, body=None):
        """What this page's own origin answers to a request of the page's: status and members."""
        return self.driver.execute_async_script(
            """const [method, path, body, done] = arguments;
            fetch(path, {method, body: body === null ? undefined : JSON.stringify(body),
              headers: body === null ? {} : {'Content-Type': 'application/json'}})
              .then(async (answer) => done({status: answer.status, body: JSON.parse(await answer.text() || '{}')}),
                (error) => done({status: 0, body: String(error)}));""",
            method, path, body)

    @property
    def session(self):
        """The cookie of the session, or nothing."""
        return next((c for c in self.driver.get_cookies() if c["name"] == "yapt.sid"), None)

    # What must never be

    def paint(self, scheme=""):
        """Asks for light or for dark colours; without a scheme the browser has none to ask for."""
        features = [{"name": "prefers-color-scheme", "value": scheme}] if scheme else []
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def check(self, state):
        """Notes what axe-core finds wrong with this state of the page, in light and in dark, for the end of the case."""
        for scheme in ("light", "dark"):
            self.paint(scheme)
            self.note(f"{state}, {scheme}")
        self.paint()

    def note(self, state):
        """Notes what axe-core finds wrong as the page is now."""
        address = self.driver.current_url
        self.flaws += [f"{state}, {address}: {violation}" for violation in violations(self.driver)]

    def complaints(self):
        """Every line of the console but the browser's note of a refusal that the server meant, every stranger that was
        asked for anything, and every rule of axe-core that a page has broken."""
        found, self.flaws = self.flaws, []
        for line in self.driver.get_log("browser"):
            is_refusal = line["source"] == "network" and re.search("with a status of (4|503)", line["message"])
            if line["level"] in ("SEVERE", "WARNING") and not is_refusal:
                found.append(f"console: {line['source']}: {line['message']}")
        for line in self.driver.get_log("performance"):
            message = json.loads(line["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            address = message["params"]["request"]["url"]
            if address.startswith(("http:", "https:", "ws:")) and origin(address) not in self.friends:
                found.append(f"asked a stranger: {address}")
        return found
