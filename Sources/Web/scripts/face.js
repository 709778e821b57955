// The page `/face`.

import { sentence } from "./faults.js";
import { Fault } from "./http.js";
import { begin, follow, giveUp, isOffered, keep, kept, settle } from "./facelogin.js";
import { act, complain, element, entitle, refuse, reveal, tell } from "./page.js";
import { progress, tick } from "./progress.js";
import { draw } from "./qr.js";
import { newPasskeyWaits, register, tellWait } from "./registration.js";
import { hold, nameOf, signOut } from "./session.js";
import { say } from "./texts.js";

const form = element("face");
const own = { operation_not_found: "faceOver", invalid_email: "emailWrong" };
let login = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!isOffered()) return complain(say("needsHTTPS"));
  const fields = new FormData(form);
  const email = String(fields.get("email")).trim();
  if (!email.includes("@")) return refuse(element("email"), say("emailWrong"));
  const mode = fields.get("mode");
  // Opened while the click counts: later, browsers take a new tab for an advertisement.
  const tab = mode === "same-device" ? open("", "_blank") : null;
  if (tab) tab.opener = null;
  act(event.submitter ?? form.querySelector("button"), () => start(email, mode, tab), own);
});

async function start(email, mode, tab) {
  tell(say("starting"));
  try {
    login = await begin(email, mode);
  } catch (error) {
    tab?.close();
    throw error;
  }
  keep(login);
  tab?.location.replace(login.url);
  watch();
}

async function watch() {
  show(login);
  const mine = login;
  const timer = setInterval(() => tick(mine), 1000);
  tick(mine);
  try {
    const outcome = await follow(mine, progress);
    if (login !== mine) return;
    if (outcome.status === "completed") await welcome(mine, outcome);
    else fail(outcome.failure);
  } catch (error) {
    if (login === mine) fail({ message: sentence(error, own), retryable: true });
  } finally {
    clearInterval(timer);
    if (login === mine) login = null;
  }
}

function show({ url, number, mode }) {
  tell("");
  const isElsewhere = mode === "cross-device";
  element("scan").href = url;
  element("elsewhere").hidden = !isElsewhere;
  element("there").hidden = true;
  element("scan").closest("p").hidden = false;
  element("here").hidden = isElsewhere;
  element("number").textContent = number ?? "";
  if (isElsewhere) draw(element("code"), url);
  reveal(element("waiting"), element("start"), element("failed"));
}

// The tokens stay in this page's memory until the cookie presents the session.
let bearer = {};

async function welcome(mine, { user, tokens }) {
  bearer = tokens ? { Authorization: `Bearer ${tokens.accessToken}` } : {};
  await settle(mine);
  try {
    await hold(bearer);
    bearer = {};
  } catch (error) {
    // The page continues with its tokens.
    if (!(error instanceof Fault)) throw error;
  }
  tell("");
  element("done-name").textContent = user ? nameOf(user) : "";
  entitle(element("done-title").textContent);
  element("add").hidden = false;
  reveal(element("done"), element("waiting"));
  tellWait(element("add"), await newPasskeyWaits(bearer));
}

// Offers a passkey, which makes the next sign-in work without a scan.
element("add").addEventListener("click", ({ currentTarget }) =>
  act(currentTarget, async () => {
    // Without a name, for the signed-in user.
    await register({}, bearer);
    tell(say("added"));
    currentTarget.hidden = true;
    element("sign-out").focus();
  }, { invalid_request: "signInFirst" }),
);

element("sign-out").addEventListener("click", ({ currentTarget }) =>
  act(currentTarget, async () => {
    await signOut(bearer);
    location.reload();
  }),
);

function fail({ message, retryable }) {
  keep(null);
  tell("");
  element("failure").textContent = message;
  element("again").hidden = retryable === false;
  reveal(element("failed"), element("waiting"));
}

element("again").addEventListener("click", () => {
  reveal(element("start"), element("failed"));
  element("email").focus();
});

element("give-up").addEventListener("click", ({ currentTarget }) =>
  act(currentTarget, async () => {
    const mine = login;
    login = null;
    keep(null);
    reveal(element("start"), element("waiting"));
    await giveUp(mine).catch((error) => {
      if (!(error instanceof Fault)) throw error;
    });
    tell(say("faceCancelled"));
  }),
);

// Phones discard a waiting page while the scan has the screen: it resumes at the same point.
login = kept();
if (login) watch();
