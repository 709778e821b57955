// Tells the server, in the forms of the sign-in page, that this device can keep a passkey.

import { canKeep } from "./webauthn.js";

export async function tellAbility() {
  if (!(await canKeep())) return;
  for (const field of document.querySelectorAll("input[name='able']")) field.value = "1";
}
