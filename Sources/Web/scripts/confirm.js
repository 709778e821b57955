// The page `/go/…` of a login that asks for a passkey.

import { ceremony } from "./faults.js";
import { send } from "./http.js";
import { act, element, make, tell } from "./page.js";
import { say } from "./texts.js";
import { get, isOffered } from "./webauthn.js";

const button = element("with-passkey");
const { path } = button.dataset;
const own = { NotAllowedError: "cancelledConfirm", operation_not_found: "confirmOver" };

// Without scripts there is only the press, and without passkeys: the key Enter would press the first button, shown or not.
if (isOffered()) {
  button.formAction = path;
  button.hidden = false;
} else {
  button.remove();
}

button.addEventListener("click", (event) => {
  event.preventDefault();
  // The number comes first, if the page asks for one.
  if (!button.form.reportValidity()) return;
  act(button, async () => {
    tell(say("followTheDevice"));
    const options = await send("POST", `${path}/options`);
    submit(await ceremony(options, () => get(options)));
  }, own);
});

// Continues as the button does: the answer leads to the scan.
function submit(answer) {
  const field = make("input", { type: "hidden", name: "passkey", value: JSON.stringify(answer) });
  button.form.append(field);
  button.form.requestSubmit(button);
  // A page that returns from the history must not send it again.
  field.remove();
}
