"""The page of Examples/web, which signs people in at a server of another origin."""

from browser import expect

# Notes what the page tells the person.
LISTEN = """
const status = document.getElementById('status');
window.said = [];
new MutationObserver(() => said.push(status.textContent)).observe(status, {childList: true});
"""


def example(browser, order):
    """A scan signs in, and the backend takes the token; a refused scan and a cancelled one are told to the person."""
    browser.friends |= {order.issuer, order.provider}
    browser.open("/")
    browser.driver.execute_script(LISTEN)
    scan(browser, order.face)
    browser.appears("orders")
    browser.until(lambda: browser.text("status") == f"Welcome, {order.face.split('@')[0]}.", "the person's name")
    said = browser.driver.execute_script("return said")
    expect({"The scan is about to begin.", "Show your face on the page of the scan."} & set(said), f"the page has said {said}")
    expect("signed in at" in browser.text("orders"), f"the page says “{browser.text('orders')}”")

    browser.open("/")
    scan(browser, order.refused)
    says(browser, "The face did not match")
    begin(browser, order.face)
    browser.press("cancel")
    says(browser, "cancelled")


def begin(browser, email):
    browser.write("email", email)
    browser.press("#start button")
    browser.appears("scan")
    expect(browser.text("status") == "Open the scan to go on.", f"the page says “{browser.text('status')}”")


def scan(browser, email):
    """Opens the scan in a tab of its own, as the link does, and comes back."""
    page = browser.driver.current_window_handle
    begin(browser, email)
    browser.press("open")
    tabs = browser.until(lambda: set(browser.driver.window_handles) - {page}, "the tab of the scan")
    browser.driver.switch_to.window(tabs.pop())
    browser.until(lambda: browser.driver.current_url != "about:blank", "the page of the scan")
    browser.driver.switch_to.window(page)


def says(browser, text):
    """Waits until the page says so and offers to start again."""
    browser.until(lambda: browser.shows("start") and text in browser.text("status"), f"“{text}”")


EXAMPLE = [example]
