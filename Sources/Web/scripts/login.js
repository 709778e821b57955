// The page `/login.html`.

import { autofill } from "./autofill.js";
import { ceremony } from "./faults.js";
import { Fault, send } from "./http.js";
import { ask } from "./mailcode.js";
import { act, complain, element, reveal, tell } from "./page.js";
import { nameOf, signOut } from "./session.js";
import { say } from "./texts.js";
import { forget, get, isOffered } from "./webauthn.js";

const form = element("sign-in");
const own = { NotAllowedError: "cancelledSignIn", unknown_passkey: "unknownPasskey" };

form.addEventListener("submit", (event) => {
  event.preventDefault();
  act(event.submitter ?? form.querySelector("button"), async () => {
    if (!isOffered()) throw new Fault("no_passkeys");
    offer.withdraw();
    tell(say("followTheDevice"));
    const { challengeId, options } = await challenge(orderOf(form));
    await verify(challengeId, options, await ceremony(options, () => get(options)));
  }, own).then(offer.start);
});

function orderOf(form) {
  const fields = new FormData(form);
  return {
    username: String(fields.get("username") ?? "").trim() || undefined,
    userVerification: fields.get("userVerification"),
    timeout: Number(fields.get("timeout")) || undefined,
  };
}

async function challenge(order, signal) {
  const answer = await send("POST", "api/generate-authentication-options", order, { signal });
  const { challengeId, ...options } = answer;
  return { challengeId, options };
}

async function verify(challengeId, options, response) {
  tell(say("checking"));
  try {
    const { verified, username } = await send("POST", "api/verify-authentication", { response, challengeId });
    if (!verified) throw new Fault("not_verified");
    show(username);
  } catch (error) {
    if (error instanceof Fault && error.code === "unknown_passkey") await forget(options.rpId, response.id);
    throw error;
  }
}

function show(username) {
  tell("");
  element("done-name").textContent = username;
  document.title = element("done-title").textContent;
  reveal(element("done"), element("start"), element("mail"), element("else"));
}

// Sign-in by a mailed code, for people without a passkey here.
const mailed = { invalid_email: "emailWrong", invalid_request: "codeWrong", unauthorized: "codeWrong" };
let take = null;

element("by-mail").addEventListener("click", () => {
  offer.withdraw();
  tell("");
  reveal(element("mail"), element("start"), element("else"));
  element("email").focus();
});

element("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const email = element("email").value.trim();
  if (!email.includes("@")) {
    element("email").focus();
    return complain(say("emailWrong"));
  }
  act(event.submitter ?? element("ask").querySelector("button"), async () => {
    take = await ask(email);
    element("type").hidden = false;
    element("code").value = "";
    element("code").focus();
    tell(say("codeSent"));
  }, mailed);
});

element("type").addEventListener("submit", (event) => {
  event.preventDefault();
  act(event.submitter ?? element("type").querySelector("button"), async () => {
    tell(say("checking"));
    show(nameOf(await take(element("code").value)));
  }, mailed);
});

const offer = autofill({
  isWanted: () => !element("start").hidden,
  ask: (signal) => challenge({ userVerification: "preferred" }, signal),
  take: ({ challengeId, options }, response) =>
    act(form.querySelector("button"), () => verify(challengeId, options, response), own),
});

element("sign-out").addEventListener("click", ({ currentTarget }) =>
  act(currentTarget, async () => {
    await signOut();
    location.reload();
  }),
);
