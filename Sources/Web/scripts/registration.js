// The creation of a passkey, with or without a signed-in user.

import { ceremony } from "./faults.js";
import { Fault, send } from "./http.js";
import { tell } from "./page.js";
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
