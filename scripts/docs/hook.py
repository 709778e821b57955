"""What MkDocs is told of this repository: which files are pages, their order, and what a link means on the site.

The same Markdown is read in the repository, where a link may lead to any file. On the site a link to a page leads to that
page. A link to any other file becomes its path in code, because no public address of the repository is known. A link to
nothing fails the build.
"""

import posixpath
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE, AtomicString
from mkdocs.exceptions import PluginError
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

log = get_plugin_logger("docs")
root = Path(__file__).resolve().parents[2]

# Pages of the site that are not below docs/, by their path in the repository.
OUTSIDE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "Mocks/README.md": "mocks.md",
    "Benchmarks/README.md": "benchmark-programs.md",
    "Examples/README.md": "examples.md",
}
# Files below docs/ that a page shows.
SHOWN = {"docs/openapi.yaml": "api.md", "docs/operations.mermaid": "operations.md"}

API = """# HTTP API

<swagger-ui src="openapi.yaml"/>
"""

OPERATIONS = """# The states of a login

Every edge is a state, the next state and the event between them, in Mermaid's notation. A test compares them with the code.

```text
%s```
"""

SWIFT = """# Swift packages

`VestibuleClient` is for apps: it starts a login, follows it and keeps the tokens. `VestibuleTokens` is for servers: it
verifies access tokens. Both are in this package.

%s
"""

# The tabs of folders, and of pages. A folder's pages come in the order in which its index names them, those that it does not
# name after them, and then the pages from elsewhere.
FOLDERS = {"Guides": "guide", "Reference": "reference", "Internals": "internals", "Decisions": "adr"}
TABS = {
    "Start": "index.md",
    "Guides": ["examples.md"],
    "HTTP API": "api.md",
    "Reference": ["remedies.md", "mocks.md"],
    "Swift": "swift.md",
    "Security": ["threat-model.md", "oauth-security.md", "security.md"],
    "Internals": ["architecture.md", "operations.md"],
    "Decisions": [],
    "Quality": ["benchmarks.md", "benchmark-programs.md", "memory.md", "faults.md", "fuzzing.md", "mutations.md"],
    "Changelog": "changelog.md",
}
# What a page is called there, where its heading says something else.
NAMES = {"mocks.md": "Mocks", "benchmark-programs.md": "Benchmark programs"}
# Pages that need the room of the columns beside them.
WIDE = {"index.md": ["navigation"], "api.md": ["navigation", "toc"], "swift.md": ["navigation", "toc"],
        "changelog.md": ["navigation"]}  # fmt: skip


class Site:
    """The pages of one build, and the page that is being read."""

    def __init__(self):
        self.pages = {}  # path in the repository → path among the documents
        self.current = None

    def source(self):
        """The path in the repository of the page that is being read."""
        uri = self.current.file.src_uri
        return next((path for path, page in self.pages.items() if page == uri), f"docs/{uri}")

    def page(self, path):
        """The page that shows a path of the repository, or nothing."""
        for candidate in (path, posixpath.join(path, "README.md")):
            if candidate in self.pages:
                return self.pages[candidate]
        if path.startswith("docs/") and (root / path).is_dir():
            inside = sorted(each for each in self.pages if posixpath.dirname(each) == path)
            return self.pages[inside[0]] if inside else None
        return None


site = Site()


class Links(Treeprocessor):
    """Makes a link of the repository one of the site, before MkDocs looks whether its target is there."""

    def run(self, tree):
        for parent in list(tree.iter()):
            for place, element in enumerate(list(parent)):
                key = {"a": "href", "img": "src"}.get(element.tag)
                if key and (href := element.get(key)):
                    replacement = self.link(element, key, href)
                    if replacement is not None:
                        replacement.tail = element.tail
                        parent[place] = replacement

    def link(self, element, key, href):
        """Sets the link's target on the site, or returns what stands in the link's place."""
        parts = urlsplit(href)
        if parts.scheme or parts.netloc or not parts.path or AMP_SUBSTITUTE in href or site.current is None:
            return None
        source = site.source()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), unquote(parts.path)))
        if not (root / path).exists():
            log.warning(f"{source} links to '{href}', which is not in the repository.")
            return None
        page = site.page(path)
        if page is None and path.startswith("docs/") and (root / path).is_file():
            page = path.removeprefix("docs/")
        if page is None:
            return self.plain(element, path)
        target = get_relative_url(page, site.current.file.src_uri)
        element.set(key, f"{target}#{parts.fragment}" if parts.fragment else target)
        return None

    def plain(self, element, path):
        """The link's text, and the path in code unless the text is that."""
        text = "".join(element.itertext())
        plain = ElementTree.Element("span")
        code = ElementTree.Element("code")
        code.text = AtomicString(path)
        if text.strip("`") not in (path, posixpath.basename(path)):
            plain.text = AtomicString(f"{text} (")
            code.tail = ")"
        plain.append(code)
        return plain


class LinksExtension(Extension):
    def extendMarkdown(self, md):  # noqa: N802, Markdown's name
        # After inline text has become links (20), before MkDocs resolves them (0).
        md.treeprocessors.register(Links(md), "repository-links", 10)


def on_config(config):
    config.markdown_extensions.append(LinksExtension())
    return config


def on_files(files, config):
    site.pages = {f"docs/{file.src_uri}": file.src_uri for file in files.documentation_pages()}

    def add(uri, content):
        files.append(File.generated(config, uri, content=content))

    for path, uri in OUTSIDE.items():
        if not (root / path).exists():
            continue
        add(uri, (root / path).read_text(encoding="utf-8"))
        site.pages[path] = uri
    add("api.md", API)
    add("operations.md", OPERATIONS % (root / "docs/operations.mermaid").read_text(encoding="utf-8"))
    modules = swift_modules()
    if modules:
        add("swift.md", SWIFT % "\n".join(modules))
    site.pages.update(SHOWN)
    config.nav = navigation(files)
    return files


def swift_modules():
    """A line for each module whose documentation scripts/docs.sh has made. DocC's pages are none of MkDocs's."""
    made = root / ".build/docs-swift/site/documentation"
    names = (root / ".build/docs-swift/modules.txt").read_text().split() if made.is_dir() else []
    return [f'- <a href="../sdk/documentation/{name.lower()}/">{name}</a>' for name in names]


def navigation(files):
    """Every page once, in tabs. A page that no tab names and that is in no folder of one comes under More."""
    uris = [file.src_uri for file in files.documentation_pages()]
    tabs, placed = [], set()
    for name, pages in TABS.items():
        if isinstance(pages, list):
            inside = [uri for uri in uris if posixpath.dirname(uri) == FOLDERS.get(name)]
            pages = [uri for uri in [*in_order(inside, files), *pages] if uri in uris]
        placed.update([pages] if isinstance(pages, str) else pages)
        if pages and (isinstance(pages, list) or pages in uris):
            tabs.append({name: pages if isinstance(pages, str) else [entry(uri) for uri in pages]})
    more = sorted(set(uris) - placed)
    return [*tabs, {"More": more}] if more else tabs


def entry(uri):
    return {NAMES[uri]: uri} if uri in NAMES else uri


def in_order(uris, files):
    """A folder's pages as its README links to them, or as the repository's does at last where it has none."""
    index = next((uri for uri in uris if posixpath.basename(uri) == "README.md"), "index.md")
    folder = "" if index == "index.md" else "docs/" + posixpath.dirname(index)
    links = re.findall(r"\]\(([^)#]+)", files.get_file_from_path(index).content_string)
    named = [posixpath.normpath(posixpath.join(folder, link)) for link in links]

    places = {link: place for place, link in enumerate(named)}

    def place(uri):
        return (uri != index, places.get(f"docs/{uri}", len(named)), uri)

    return sorted(uris, key=place)


def on_page_markdown(markdown, page, config, files):
    site.current = page
    if "```mermaid" in markdown:
        raise PluginError(f"{site.source()}: the theme would load a drawing's script from elsewhere; use an image.")
    page.meta.setdefault("hide", WIDE.get(page.file.src_uri, []))
    # A comment in front of the heading would keep MkDocs from finding the title.
    return re.sub(r"\A(\s*<!--.*?-->)+\s*", "", markdown, flags=re.DOTALL)


def on_post_build(config):
    """Gives the frame of Swagger UI the policy that theme/main.html has, and removes what only a sign-in from it would need."""
    built = Path(config.site_dir)
    shutil.rmtree(built / "assets/swagger-ui")
    policy = re.search(r"<meta http-equiv=.*>", (root / "scripts/docs/theme/main.html").read_text(encoding="utf-8")).group()
    for frame in built.glob("api/swagger-*.html"):
        text = frame.read_text(encoding="utf-8")
        frame.write_text(text.replace("<head>", f"<head>\n  {policy}", 1), encoding="utf-8")
