// The page `/signup.html`.

import { act, complain, element, entitle, kind, refuse, reveal, tell } from "./page.js";
import { register } from "./registration.js";
import { say } from "./texts.js";

const form = element("sign-up");
const own = { username_taken: "nameTaken" };

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const order = orderOf(form);
  if (order.username === "") return refuse(element("username"), say("nameMissing"));
  if (order.supportedAlgorithmIDs?.length === 0) return complain(say("algorithmMissing"));
  const button = event.submitter ?? form.querySelector("button");
  act(button, async () => show(order.username, await register(order)), own);
});

// Returns the name, and every setting where the page has them; an empty text is none.
function orderOf(form) {
  const fields = new FormData(form);
  const text = (name) => String(fields.get(name) ?? "").trim();
  const username = text("username");
  if (!fields.has("userVerification")) return { username };
  return {
    username,
    attestationType: text("attestationType"),
    userVerification: text("userVerification"),
    residentKey: text("residentKey"),
    authenticatorAttachment: text("authenticatorAttachment"),
    timeout: Number(text("timeout")) || undefined,
    supportedAlgorithmIDs: fields.getAll("supportedAlgorithmIDs").map(Number),
    preferredAuthenticatorType: text("preferredAuthenticatorType"),
    customRpName: text("customRpName") || undefined,
    customRpID: text("customRpID") || undefined,
  };
}

function show(name, info) {
  tell("");
  element("done-name").textContent = name;
  element("done-id").textContent = info.credentialID;
  const { credentialDeviceType: deviceType, credentialBackedUp: backedUp } = info;
  element("done-kind").textContent = say(kind({ deviceType, backedUp }));
  entitle(element("done-title").textContent);
  reveal(element("done"), element("start"), element("else"));
}
