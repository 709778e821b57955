"""A person with a browser that runs no scripts: follows links and redirects, fills in forms, keeps cookies."""

import time
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import requests


class Page(HTMLParser):
    """The forms, links and refreshes of a page."""

    def __init__(self, address, text):
        super().__init__(convert_charrefs=True)
        self.address = address
        self.text = text
        self.forms = []
        self.links = {}
        self.refresh = None
        self.code = None
        self.words = []
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        if tag == "form":
            self.forms.append({"id": attributes.get("id"), "action": attributes.get("action") or self.address,
                               "method": (attributes.get("method") or "get").lower(), "fields": {}, "buttons": []})
        elif tag == "input" and self.forms and attributes.get("name"):
            self.put(attributes)
        elif tag == "button" and self.forms and attributes.get("name"):
            self.forms[-1]["buttons"].append((attributes["name"], attributes.get("value") or ""))
        elif tag == "a" and attributes.get("href"):
            self.links[attributes.get("id") or attributes["href"]] = attributes["href"]
        elif tag == "meta" and (attributes.get("http-equiv") or "").lower() == "refresh":
            self.refresh = attributes.get("content")
        elif tag == "main":
            self.code = attributes.get("data-code")

    def handle_data(self, data):
        if data.strip():
            self.words.append(data.strip())

    def put(self, attributes):
        if attributes.get("type") in ("radio", "checkbox") and "checked" not in attributes:
            return
        self.forms[-1]["fields"][attributes["name"]] = attributes.get("value") or ""

    def form(self, name):
        for form in self.forms:
            if form["id"] == name:
                return form
        raise AssertionError(f"{self.address} has no form “{name}”:\n{' '.join(self.words)}")

    @property
    def next(self):
        """Where a refresh leads that happens at once, as behind a form's answer; nothing for a page that only waits."""
        delay, _, target = (self.refresh or "").partition(";")
        address = target.strip().partition("=")[2].strip()
        return address if address and delay.strip() == "0" else None


class Person:
    """Who signs in at the server at `site`, by a face that `email` has at the provider."""

    def __init__(self, site, email):
        self.site = site
        self.email = email
        self.browser = requests.Session()
        self.browser.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) ExampleBrowser/1.0"

    def is_ours(self, address):
        return urlsplit(address)[:2] == urlsplit(self.site)[:2]

    def visit(self, address, method="get", fields=None):
        """Goes there, and on as a browser does; returns the page, or the address of somebody else's where that leads."""
        for _ in range(20):
            if not self.is_ours(address):
                return address
            headers = {"Origin": self.site, "Sec-Fetch-Site": "same-origin"} if method == "post" else {}
            answer = self.browser.request(method, address, data=fields, headers=headers, allow_redirects=False, timeout=30)
            target = answer.headers.get("Location")
            if answer.status_code in (301, 302, 303, 307, 308) and target:
                address, method, fields = urljoin(address, target), "get", None
                continue
            page = Page(address, answer.text)
            page.status = answer.status_code
            if page.next is None:
                return page
            address, method, fields = urljoin(address, page.next), "get", None
        raise AssertionError(f"redirects without an end, the last one to {urlsplit(address).path}")

    def send(self, page, name, button=None, **fields):
        form = page.form(name)
        sent = {**form["fields"], **fields}
        if button is not None:
            assert button in form["buttons"], f"“{name}” has the buttons {form['buttons']}"
            sent[button[0]] = button[1]
        return self.visit(urljoin(page.address, form["action"]), form["method"], sent)

    def sign_in(self, page):
        """From the page that asks for a name to the end of the scan; returns what follows."""
        if not any(form["id"] == "face" for form in page.forms):
            page = self.send(page, "ask", identifier=self.email)
        page = self.send(page, "face", email=self.email)
        assert isinstance(page, Page) and "scan" in page.links, f"no link to a scan: {self.told(page)}"
        self.scan(page.links["scan"])
        deadline = time.monotonic() + 60
        while isinstance(page, Page) and "scan" in page.links:
            assert time.monotonic() < deadline, f"the scan has no end: {self.told(page)}"
            time.sleep(0.3)
            page = self.visit(page.address)
        return page

    def scan(self, link):
        """Opens the scan in a tab of its own: the press on the landing page leads to the provider, who decides."""
        address = urljoin(self.site, link)
        landing = Page(address, self.browser.get(address, timeout=30).text)
        assert landing.forms, f"the landing page has no form: {self.told(landing)}"
        answer = self.browser.post(
            address,
            data=landing.forms[0]["fields"],
            headers={"Origin": self.site, "Sec-Fetch-Site": "same-origin"},
            allow_redirects=False,
            timeout=30,
        )
        assert answer.status_code == 303, f"the landing page answers {answer.status_code}"

    def authorize(self, address):
        """From a client's authorization request to the address that the browser is sent back to."""
        page = self.visit(address)
        for _ in range(5):
            if not isinstance(page, Page):
                return page
            if any(form["id"] in ("face", "ask") for form in page.forms):
                page = self.sign_in(page)
            elif any(form["id"] == "consent" for form in page.forms):
                page = self.send(page, "consent")
            else:
                break
        raise AssertionError(f"no way back to the client: {self.told(page)}")

    def let_in(self, address, says="allow"):
        """From the link that a device shows to a person's word; returns the page that comes of it."""
        page = self.visit(address)
        if any(form["id"] == "sign-in" for form in page.forms):
            page = self.sign_in(self.send(page, "sign-in"))
        page = self.send(page, "ask")
        return self.send(page, says, button=("decision", says))

    def told(self, page):
        return " ".join(page.words) if isinstance(page, Page) else urlsplit(page)._replace(query="").geturl()
