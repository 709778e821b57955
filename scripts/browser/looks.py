"""How the pages look: nothing is cut off, everything can be read, on a phone and on a desk, in light and in dark."""

import base64
import os

from browser import expect
from ceremonies import sign_out, sign_up

SIZES = {"390": (390, 844, 2), "1280": (1280, 900, 1)}
LONG = "Wolfeschlegelsteinhausenbergerdorff-" + "Adalbert" * 3

# Elements with text of their own, whose colours don't differ enough (WCAG 2.2 §1.4.3), or that reach out of the window.
FLAWS = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const rgba = (colour) => {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255];
};
const over = ([r, g, b, a], under) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a));
const ground = (node) => {
  if (!node) return [255, 255, 255];
  const own = rgba(getComputedStyle(node).backgroundColor);
  return own[3] === 1 ? own.slice(0, 3) : over(own, ground(node.parentElement));
};
const light = (colour) => colour.map((c) => c / 255)
  .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const flaws = [];
const width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > width) flaws.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} > ${width}`);
for (const node of document.body.querySelectorAll('*')) {
  if (!node.checkVisibility() || node.closest('.skip, noscript, option')) continue;
  const box = node.getBoundingClientRect();
  const name = `${node.tagName.toLowerCase()}${node.id ? '#' + node.id : ''} “${String(node.textContent || node.value || '').trim().slice(0, 30)}”`;
  if (box.width && (box.right > width + 0.5 || box.left < -0.5)) flaws.push(`${name} reaches from ${box.left} to ${box.right} of ${width}`);
  if (node.matches('button, a.button, nav a, summary, select, input:not([type=radio], [type=checkbox])') && box.height < 40) flaws.push(`${name} is ${box.height} high`);
  const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()) || node.matches('input, select');
  if (!hasText) continue;
  const style = getComputedStyle(node);
  const under = ground(node);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  const found = ratio(over(rgba(style.color), under), under);
  if (found < (isLarge ? 3 : 4.5)) flaws.push(`${name} has a contrast of ${found.toFixed(2)}`);
  if (node.scrollWidth > node.clientWidth + 1 && style.display !== 'inline' && !node.matches('input, select')) flaws.push(`${name} is cut off`);
}
return flaws;
"""


def resize(browser, size):
    width, height, scale = SIZES[size]
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 800},
    )


# Where axe-core looks too: at each size and in each scheme once. Where pictures are taken it looks everywhere.
CHECKED = {("390", "light"), ("1280", "dark")}


def look(browser, order, name):
    """In both sizes and both schemes."""
    flaws = []
    for size in SIZES:
        resize(browser, size)
        for scheme in ("light", "dark"):
            browser.paint(scheme)
            found = browser.driver.execute_script(FLAWS)
            flaws += [f"{name}, {size} px, {scheme}: {flaw}" for flaw in found]
            shoot(browser, order, f"{name}-{size}-{scheme}")
            if order.shots or (size, scheme) in CHECKED:
                browser.note(f"{name}, {size} px, {scheme}")
    return flaws


def shoot(browser, order, name):
    if not order.shots:
        return
    os.makedirs(order.shots, exist_ok=True)
    answer = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
    with open(f"{order.shots}/{name}.png", "wb") as file:
        file.write(base64.b64decode(answer["data"]))


def looks(browser, order):
    """Every page, with and without somebody signed in, with settings open, complaints, questions and long names."""
    flaws = []
    device = browser.device()
    browser.open("/")
    browser.until(lambda: browser.driver.find_elements("css selector", "#users .none"), "an empty list")
    flaws += look(browser, order, "home-empty")
    browser.open("/passkeys")
    browser.appears("stranger")
    flaws += look(browser, order, "passkeys-stranger")
    browser.open("/signup.html")
    flaws += look(browser, order, "signup")
    browser.press("#sign-up summary")
    resize(browser, "390")
    browser.write("customRpID", "example.com")
    browser.write("username", "ada")
    browser.press("#sign-up button")
    browser.complains("makes no passkeys for this domain")
    is_seen = "const {top, bottom} = fault.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight"
    expect(browser.driver.execute_script(is_seen), "a phone does not show the complaint")
    flaws += look(browser, order, "signup-settings")
    sign_up(browser, LONG)
    flaws += look(browser, order, "signup-done")
    browser.open("/")
    browser.appears("signed-in")
    flaws += look(browser, order, "home")
    flaws += owner(browser, order, device)
    sign_out(browser)
    device.touch(False)
    browser.open("/login.html")
    browser.waits_for_autofill()
    flaws += look(browser, order, "login")
    device.recognise(False)
    device.touch(True)
    browser.press("use-passkey")
    browser.complains("You were not signed in")
    flaws += look(browser, order, "login-fault")
    expect(not flaws, "\n".join(flaws))


def owner(browser, order, device):
    flaws = []
    browser.open("/passkeys")
    browser.appears("owner")
    second = browser.device(transport="usb")
    device.touch(False)
    browser.press("add")
    browser.until(lambda: "was added" in browser.text("status"), "the second passkey")
    browser.press("#list button")
    flaws += look(browser, order, "passkeys-rename")
    browser.write("name", "Ada’s telephone with a name of sixty-four letters, which is most")
    browser.press("#list form button")
    browser.until(lambda: "is now called" in browser.text("status"), "the new name")
    flaws += look(browser, order, "passkeys")
    browser.press("#list .quiet")
    flaws += look(browser, order, "passkeys-removal")
    browser.press("#removal .plain")
    second.unplug()
    device.touch(True)
    return flaws


def face_looks(browser, order):
    """The page of a face login before, with the code and the number for a phone, and after; and the page that the phone
    opens."""
    flaws = []
    browser.open("/face")
    flaws += look(browser, order, "face")
    browser.write("email", order.slow_face)
    browser.press("#face input[value='cross-device']")
    browser.press("#face button")
    browser.appears("waiting")
    expect(len(browser.text("number")) == 2, f"the number is “{browser.text('number')}”")
    flaws += look(browser, order, "face-waiting")
    link = browser.element("scan").get_attribute("href")
    here = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.driver.get(link)
    browser.element("input#number")
    flaws += look(browser, order, "confirm")
    browser.close_tab()
    browser.driver.switch_to.window(here)
    browser.press("give-up")
    browser.until(lambda: "cancelled" in browser.text("status"), "the end of it")
    expect(browser.shows("start"), "the page does not go back to its start")
    expect(not flaws, "\n".join(flaws))


def languages(browser, order):
    """No language's words are too long for a small phone, and none of them is missing."""
    flaws = []
    browser.device()
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 568, "deviceScaleFactor": 2, "mobile": True}
    )
    for language in ("en", "fr", "es", "sv", "de"):
        browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})
        for path in ("/", "/signup.html", "/login.html", "/passkeys", "/face", "/no/such/page"):
            browser.open(path)
            spoken = browser.driver.execute_script("return document.documentElement.lang")
            expect(spoken == language, f"{path} is in {spoken} and not in {language}")
            browser.until(
                lambda: browser.driver.execute_script("return document.readyState") == "complete", "the page to load"
            )
            if path == "/passkeys":
                browser.appears("stranger")
            found = browser.driver.execute_script(FLAWS)
            expect("{{" not in browser.driver.page_source, f"{path} in {language} has a word missing")
            flaws += [f"{path} in {language}: {flaw}" for flaw in found]
            browser.note(f"{path} in {language}")
    expect(not flaws, "\n".join(flaws))


def small_looks(browser, order):
    """The page of an error, and the testers' page of the mock, on which presses are recorded and kept."""
    flaws = []
    browser.open("/no/such/page")
    expect(browser.text("main h1") == "There is no such page", f"the page of an error says “{browser.text('main h1')}”")
    icons = browser.driver.execute_script("return [...document.querySelectorAll('link[rel*=icon]')].map((icon) => icon.href)")
    for icon in icons:
        status = browser.driver.execute_async_script(
            "const image = new Image(); image.onload = () => arguments[1](true); image.onerror = () => arguments[1](false); "
            "image.src = arguments[0];", icon)
        expect(status, f"{icon} is no picture that the page may load")
    expect(len(icons) == 3, f"the page names {len(icons)} icons")
    flaws += look(browser, order, "error")
    browser.friends.add(order.provider)
    browser.driver.get(order.provider + "/_mock")
    flaws += look(browser, order, "mock-empty")
    browser.press("recording-start")
    browser.element("recording-stop")
    browser.press("set-fault")
    browser.element("clear")
    flaws += look(browser, order, "mock-recording")
    browser.press("clear")
    browser.press("recording-stop")
    recorded = browser.element(".recording pre").text
    expect("fault: { target: token, fault: http_500 }" in recorded and "clearFaults: true" in recorded, recorded)
    flaws += look(browser, order, "mock-recorded")
    browser.press("recording-discard")
    browser.element("recording-start")
    expect(not flaws, "\n".join(flaws))


LOOKS = [looks, face_looks, small_looks, languages]
