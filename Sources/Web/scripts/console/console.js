// Keeps what is live on a page of the console: the page is asked for again, and its part is put in place of the old one.
// Without this script a page shows what was true when it was opened.

const every = 3000;
const live = document.getElementById("live");
const over = document.getElementById("over");

/** Whether somebody reads or uses the part with the keyboard, which a change would interrupt. */
function isInUse() {
  const selection = document.getSelection();
  return live.contains(document.activeElement) || (selection !== null && !selection.isCollapsed);
}

async function renew() {
  const answer = await fetch(location.href, { headers: { "X-Console-Live": "1" }, redirect: "error" });
  if (!answer.ok) {
    over.hidden = false;
    return false;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.getElementById("live");
  if (next !== null && !isInUse()) live.replaceChildren(...next.childNodes);
  return true;
}

async function follow() {
  try {
    if (document.hidden || isInUse() || (await renew())) setTimeout(follow, every);
  } catch {
    over.hidden = false;
  }
}

if (live !== null) setTimeout(follow, every);
