// Creating a passkey on the sign-in page.

import { ceremony } from "./faults.js";
import { send } from "./http.js";
import { tell } from "./page.js";
import { say } from "./texts.js";
import { create } from "./webauthn.js";

// The page's sentences for some errors.
export const own = { username_taken: "nameTaken", operation_not_found: "confirmOver" };

// `path`: the address for passkeys; `order`: the name of a new account, if one is opened.
export async function make(path, order) {
  tell(say("followTheDevice"));
  const options = await send("POST", `${path}/new/options`, order);
  const response = await ceremony(options, () => create(options));
  tell(say("checking"));
  await send("POST", `${path}/new`, response);
}
