"""axe-core, Deque's rules for accessible pages, over the state that a browser shows."""

import pathlib
import sysconfig

# The package is pinned in scripts/browser.txt. Only its data is used: nothing of it runs but axe-core, in the page.
SCRIPT = pathlib.Path(sysconfig.get_path("purelib"), "axe_playwright_python", "axe.min.js")

# WCAG 2.0 to 2.2, levels A and AA, and what axe-core calls best practice. The size of targets (WCAG 2.2 §2.5.8) is off
# unless it is asked for. Nothing is loaded for it: style sheets are of the page's own origin, and there is no media.
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: {'target-size': {enabled: true}}, resultTypes: ['violations'], preload: false,
}).then(({violations}) => done(violations.flatMap(({id, help, nodes}) =>
    nodes.map(({target}) => `${id} (${help}) at ${target.join(' ')}`))),
  (error) => done([String(error)]));
"""


def violations(driver):
    """Each element that breaks a rule: the rule's id, what it asks, and the element's selector."""
    if not driver.execute_script("return Boolean(window.axe)"):
        # By the debugger: the page's policy allows no script but the server's own.
        source = SCRIPT.read_text(encoding="utf-8")
        driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source + "; undefined"})
    return driver.execute_async_script(RUN)
