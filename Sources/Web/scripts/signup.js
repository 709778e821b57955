// The page `/signup.html`.

import { Fault } from "./http.js";
import { act, complain, element, entitle, kind, refuse, reveal, tell } from "./page.js";
import { newPasskeyWaits, register, tellWait } from "./registration.js";
import { who } from "./session.js";
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

// A signed-in person who types their own name adds a passkey to their account.
async function watchName() {
  const person = await who();
  if (!person || !(await newPasskeyWaits())) return;
  const names = [person.username, person.email].filter(Boolean).map((name) => name.toLowerCase());
  const field = element("username");
  const look = () => tellWait(form.querySelector("button"), names.includes(field.value.trim().toLowerCase()));
  field.addEventListener("input", look);
  look();
}

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

watchName().catch((error) => {
  // The page works without the note.
  if (!(error instanceof Fault)) throw error;
});
