// The sign-in page of an authorization request: passkeys, by the field's autofill and by a button.

import { autofill } from "./autofill.js";
import { ceremony } from "./faults.js";
import { Fault, send } from "./http.js";
import { act, element, tell } from "./page.js";
import { say } from "./texts.js";
import { forget, get, isOffered } from "./webauthn.js";

const own = {
  NotAllowedError: "cancelledSignIn",
  unknown_passkey: "unknownPasskey",
  operation_not_found: "confirmOver",
};

// Another device reads the address from a QR code, which a script draws.
const where = element("where");
if (where) where.hidden = false;

const button = element("use-passkey");
if (button && isOffered()) offerPasskeys(button);

function offerPasskeys(button) {
  const { path, page } = button.dataset;
  let isDone = false;

  const ask = async (signal) => ({ options: await send("POST", `${path}/options`, undefined, { signal }) });

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

  const offer = autofill({
    isWanted: () => !isDone && element("email") !== null,
    ask,
    take: (asked, response) => act(button, () => verify(asked, response), own),
  });

  button.addEventListener("click", () =>
    act(button, async () => {
      offer.withdraw();
      tell(say("followTheDevice"));
      const asked = await ask();
      await verify(asked, await ceremony(asked.options, () => get(asked.options)));
    }, own).then(offer.start),
  );
  element("by-passkey").hidden = false;
}
