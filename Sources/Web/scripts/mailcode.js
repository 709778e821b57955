// Signing in by a code that comes by mail.

import { send } from "./http.js";
import { hold } from "./session.js";

// Has a code sent, if somebody has the address; returns what takes its digits, and then tells who signed in.
export async function ask(email) {
  // The code is good for whoever asked for it: a name for this one time.
  // Not `randomUUID()`, which pages that came over plain http don't have.
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
