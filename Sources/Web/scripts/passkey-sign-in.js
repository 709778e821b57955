// Signing in with a passkey on the sign-in page.

import { ceremony } from "./faults.js";
import { Fault, send } from "./http.js";
import { tell } from "./page.js";
import { say } from "./texts.js";
import { forget, get } from "./webauthn.js";

// The page's sentences for some errors.
export const own = {
  NotAllowedError: "cancelledSignIn",
  unknown_passkey: "unknownPasskey",
  unauthorized: "passkeyNotAccepted",
  operation_not_found: "confirmOver",
};

// `path`: the address for passkeys; `page`: where the sign-in continues; `name`: the typed name, if any.
export function signIn({ path, page, name }) {
  let isDone = false;

  const ask = async (signal) => ({
    options: await send("POST", `${path}/options`, name ? { username: name } : undefined, { signal }),
  });

  async function verify({ options }, response) {
    tell(say("checking"));
    try {
      await send("POST", path, response);
    } catch (error) {
      if (error instanceof Fault && error.code === "unknown_passkey") await forget(options.rpId, response.id);
      throw error;
    }
    isDone = true;
    // Follows the redirect: back to the app, or to the next question.
    location.assign(page);
  }

  async function use() {
    tell(say("followTheDevice"));
    const asked = await ask();
    await verify(asked, await ceremony(asked.options, () => get(asked.options)));
  }

  return { ask, verify, use, isDone: () => isDone };
}
