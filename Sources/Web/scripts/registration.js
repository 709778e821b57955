// The creation of a passkey, with or without a signed-in user.

import { ceremony } from "./faults.js";
import { Fault, send } from "./http.js";
import { element, tell } from "./page.js";
import { say } from "./texts.js";
import { create, isOffered } from "./webauthn.js";

// Requests options, lets the device create the passkey, and returns the server's record of it.
export async function register(order, headers) {
  if (!isOffered()) throw new Fault("no_passkeys");
  const answer = await send("POST", "api/generate-registration-options", order, { headers });
  const { challengeId, ...options } = answer;
  tell(say("followTheDevice"));
  const response = await ceremony(options, () => create(options));
  tell(say("checking"));
  const kept = await send("POST", "api/verify-registration", { response, challengeId }, { headers });
  if (!kept.verified) throw new Fault("not_verified");
  return kept.registrationInfo;
}

// Says, before a press of that button, whether the new passkey counts only after a day.
export function tellWait(button, isWaiting) {
  const note = element("passkey-wait");
  note.hidden = !isWaiting;
  if (isWaiting) button.setAttribute("aria-describedby", note.id);
  else button.removeAttribute("aria-describedby");
}

// Returns whether a passkey that the signed-in user adds counts only after a day.
export async function newPasskeyWaits(headers) {
  try {
    return (await send("GET", "api/auth/devices", undefined, { headers })).newPasskeysWait;
  } catch (error) {
    // The page works without the note.
    if (error instanceof Fault) return false;
    throw error;
  }
}
