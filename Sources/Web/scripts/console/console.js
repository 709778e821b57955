// Keeps what is live on a page of the console by a stream of events, and sends its forms with their token in a header.
// Without this script a page shows what was true when it was opened, and a form's token is in its field.

const again = 15000;
const root = "/" + location.pathname.split("/")[1];
let stream = null;
/** The last part that the server sent and the page does not show yet. */
let newest = null;

function tellOver(isOver) {
  document.getElementById("over").hidden = !isOver;
}

/** Whether somebody reads or uses the part with the keyboard, which a change would interrupt. */
function isInUse(live) {
  const selection = document.getSelection();
  return live.contains(document.activeElement) || (selection !== null && !selection.isCollapsed);
}

/** Puts the newest part in place once nobody uses the old one: the server has escaped all that is in it. */
function renew() {
  const live = document.getElementById("live");
  if (newest === null || live === null || isInUse(live)) return;
  const next = new DOMParser().parseFromString(newest, "text/html").body;
  newest = null;
  live.replaceChildren(...next.childNodes);
}

function leave() {
  if (stream !== null) stream.close();
  stream = null;
  newest = null;
}

/** A hidden page has no stream: a browser has few connections to one server. */
function follow() {
  leave();
  if (document.hidden || document.getElementById("live") === null) return;
  const page = location.pathname.slice(root.length);
  const own = new EventSource(`${root}/events?page=${encodeURIComponent(page)}`);
  stream = own;
  own.onopen = () => tellOver(false);
  own.onmessage = (event) => {
    newest = JSON.parse(event.data);
    renew();
  };
  own.onerror = () => {
    tellOver(true);
    // The browser connects again by itself, but not after a refusal.
    if (own.readyState === EventSource.CLOSED) setTimeout(() => own === stream && follow(), again);
  };
}

async function send(form) {
  const fields = new URLSearchParams(new FormData(form));
  const token = fields.get("token") || "";
  fields.delete("token");
  const headers = { "X-Console-Token": token };
  const answer = await fetch(form.action, { method: "POST", headers, body: fields, redirect: "error" });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  leave();
  document.title = page.title;
  document.body.replaceChildren(...page.body.childNodes);
  const heading = document.querySelector("h1");
  heading.setAttribute("tabindex", "-1");
  heading.focus();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("method") !== "post") return;
  event.preventDefault();
  send(form).catch(() => tellOver(true));
});
setInterval(renew, 1000);
document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", leave);
addEventListener("pageshow", follow);
