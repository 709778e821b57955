"""Fails when the built site has a link to nothing, or a page that requests anything from elsewhere.

check.py FOLDER

MkDocs has looked at the links of the Markdown; this looks at the HTML as it is, with what the theme and DocC add. Every page
must have the policy by which the browser itself refuses a request to elsewhere: scripts are held by that alone. A link that
leads elsewhere when somebody follows it is fine.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

root = Path(sys.argv[1])
POLICY = "default-src 'self' 'unsafe-inline' data: blob:"
# Attributes that a browser loads by itself.
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src"),
          ("embed", "src"), ("object", "data"), ("input", "src"), ("track", "src"), ("image", "href"), ("use", "href"),
          ("video", "poster")}  # fmt: skip
LOADING_LINKS = {"stylesheet", "icon", "mask-icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "prefetch", "manifest"}


class Page(HTMLParser):
    """What a page loads, where it leads, its anchors and its policy."""

    def __init__(self, path):
        super().__init__()
        self.loads, self.links, self.anchors, self.styles, self.policy = [], [], set(), [], None
        self.in_style = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        self.in_style = tag == "style"
        if tag == "meta" and values.get("http-equiv", "").lower() == "content-security-policy" and not self.loads:
            self.policy = values.get("content")
        if tag == "link" and set(values.get("rel", "").split()) & LOADING_LINKS:
            self.loads.append(values.get("href", ""))
        elif tag in ("a", "link") and "href" in values:
            self.links.append(values["href"])
        self.loads += [values[name] for element, name in LOADED if element == tag and name in values]
        self.loads += [part.split()[0] for part in values.get("srcset", "").split(",") if part.strip()]
        self.styles.append(values.get("style", ""))

    def handle_data(self, data):
        if self.in_style:
            self.styles.append(data)


def is_elsewhere(url):
    parts = urlsplit(url)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "ws", "wss", "ftp")


def loads_of(style):
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return re.findall(r"""(?:url\(|@import)\s*["']?([^"')\s]+)""", style)


def target(page, url):
    """The file that a link leads to."""
    path = unquote(urlsplit(url).path)
    found = root / path.lstrip("/") if path.startswith("/") else page.parent / path if path else page
    return found / "index.html" if found.is_dir() else found


pages = {path.resolve(): Page(path) for path in sorted(root.rglob("*.html"))}
faults = []
for path, page in pages.items():
    name = path.relative_to(root.resolve())
    if page.policy != POLICY:
        faults.append(f"{name}: no policy, or one after what it loads")
    for url in [*page.loads, *(url for style in page.styles for url in loads_of(style))]:
        if is_elsewhere(url):
            faults.append(f"{name} loads {url}")
        elif not url.startswith(("data:", "#")) and not target(path, url).is_file():
            faults.append(f"{name} loads {url}, which is not there")
    for url in page.links:
        if is_elsewhere(url) or urlsplit(url).scheme:
            continue
        found, fragment = target(path, url).resolve(), unquote(urlsplit(url).fragment)
        if not found.is_file():
            faults.append(f"{name} links to {url}, which is not there")
        elif fragment and found in pages and fragment not in pages[found].anchors:
            faults.append(f"{name} links to {url}, which has no such anchor")
for path in root.rglob("*.css"):
    for url in loads_of(path.read_text(encoding="utf-8")):
        if is_elsewhere(url):
            faults.append(f"{path.relative_to(root)} loads {url}")

if not pages:
    faults.append(f"{root} has no page")
for fault in faults:
    print(fault, file=sys.stderr)
if faults:
    sys.exit(1)
print(f"site: {len(pages)} pages, no broken link, no request to elsewhere")
