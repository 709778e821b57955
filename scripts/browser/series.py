"""One login, moment by moment, as the desktop, the phone and the operator's console show it.

The pictures are those of the guide; scripts/browser/pictures.sh puts them side by side.
"""

import base64
import os
from contextlib import contextmanager

from browser import expect, origin
from ceremonies import identify
from console import begin, loaded, text
from logins import is_at_scan, is_signed_in_to
from walks import at, settle

# Width and height of what each of them shows.
VIEWS = {"desk": (720, 844), "phone": (390, 844), "console": (900, 844)}


class Series:
    """The moments of a login, each with three views."""

    def __init__(self, order, views):
        self.order, self.views, self.count = order, views, 0

    def take(self):
        self.count += 1
        for name, (browser, tab) in self.views.items():
            if tab:
                browser.driver.switch_to.window(tab)
            width, height = VIEWS[name]
            browser.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": name == "phone"},
            )
            browser.paint("light")
            browser.note(f"{name}, moment {self.count}")
            if not self.order.shots:
                continue
            os.makedirs(self.order.shots, exist_ok=True)
            answer = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {})
            with open(f"{self.order.shots}/series-{self.count}-{name}.png", "wb") as file:
                file.write(base64.b64decode(answer["data"]))

    @contextmanager
    def seen_from(self, name):
        """The browser of that view, in front."""
        browser, tab = self.views[name]
        if tab:
            browser.driver.switch_to.window(tab)
        yield browser


def one_login(browser, order):
    """A person at a desk signs in with the phone's camera, while an operator looks on."""
    browser.without_autofill()
    browser.device()
    browser.friends.add(order.provider)
    program, link = begin(order)
    browser.friends.add(origin(link))
    phone = at(browser, order, "phone")
    try:
        phone.open("/")
        desk = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        console = browser.driver.current_window_handle
        browser.driver.get(link)
        browser.until(lambda: "Now" in text(browser), "the first page")
        root = browser.driver.current_url.rstrip("/")
        series = Series(order, {"desk": (browser, desk), "phone": (phone, ""), "console": (browser, console)})
        with series.seen_from("desk"):
            browser.open("/login.html")
            identify(browser, order.slow_face)
            browser.press("#face input[value='cross-device']")
            browser.press("#face button")
            browser.appears("waiting")
            address, number = browser.element("code").get_attribute("data-address"), browser.text("number")
        phone.driver.get(address)
        phone.element("number")
        shows(series, root, "created")
        series.take()

        phone.write("number", number)
        phone.press("form button")
        is_at_scan(phone, order)
        with series.seen_from("desk"):
            browser.until(lambda: browser.shows("there"), "the code to give way")
        shows(series, root, "pending")
        series.take()

        phone.press("button[value='accept']")
        with series.seen_from("desk"):
            browser.appears("later")
        phone.element(".notice.good")
        shows(series, root, "closed")
        series.take()
        with series.seen_from("desk"):
            browser.press("later")
            browser.appears("signed-in")
            is_signed_in_to(browser, order.slow_face)
    finally:
        try:
            settle(phone)
        finally:
            program.terminate()
            program.wait(10)


def shows(series, root, state):
    """Waits until the console has a page of the login in that state."""
    with series.seen_from("console") as browser:
        def ask():
            browser.driver.get(root + "/logins")
            loaded(browser)
            rows = browser.driver.find_elements("css selector", "td[data-label=row] a")
            if not rows:
                return False
            browser.driver.get(rows[0].get_attribute("href"))
            loaded(browser)
            return state in text(browser)
        browser.until(ask, f"the login to be {state}")


SERIES = [one_login]
