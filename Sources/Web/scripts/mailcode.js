// Sign-in by a mailed code.

import { send } from "./http.js";
import { hold } from "./session.js";

// Sends a code, if the address is known; returns a function that takes its digits and returns the user.
export async function ask(email) {
  // The code is bound to this random name of the requester.
  // Not `randomUUID()`, which pages over plain http do not have.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const deviceId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  const { challenge } = await send("POST", "api/auth/login/code", { email, deviceId });
  return async (code) => {
    const answer = await send("POST", "api/auth/login/code/verify", { challenge, deviceId, code });
    await hold({ Authorization: `Bearer ${answer.accessToken}` });
    return answer.user;
  };
}
