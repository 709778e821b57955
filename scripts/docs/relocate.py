"""Lets DocC's pages be served below any path: they name their scripts and their root from the server's root.

relocate.py FOLDER
"""

import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
policy = """<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'unsafe-inline' data: blob:">"""
for page in root.rglob("*.html"):
    up = "../" * len(page.parent.relative_to(root).parts) or "./"
    text = page.read_text(encoding="utf-8")
    base = 'var baseUrl = "/"'
    if text.count(base) != 1 or text.count("<head>") != 1:
        sys.exit(f"{page}: not the page that this script knows (another docc?)")
    text = text.replace(base, f'var baseUrl = new URL("{up}", location.href).pathname')
    text = re.sub(r'\b(src|href)="/(?!/)', rf'\1="{up}', text)
    page.write_text(text.replace("<head>", f"<head>{policy}"), encoding="utf-8")
