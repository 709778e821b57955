// The page of the ways to sign in under a name.

import { tellAbility } from "./able.js";
import { act, element } from "./page.js";
import { make, own as ownOfNew } from "./passkey-new.js";
import { own, signIn } from "./passkey-sign-in.js";
import { isOffered } from "./webauthn.js";

// Another device reads the address from a QR code, which a script draws.
const where = element("where");
if (where) where.hidden = false;

const use = element("use-passkey");
if (use && isOffered()) {
  const passkey = signIn(use.dataset);
  use.addEventListener("click", () => act(use, passkey.use, own));
  element("by-passkey").hidden = false;
}

const add = element("new-passkey");
if (add && isOffered()) {
  let isMade = false;
  // A new passkey proves nothing before it is used.
  const work = async () => {
    if (!isMade) await make(add.dataset.path);
    isMade = true;
    await signIn(add.dataset).use();
  };
  add.addEventListener("click", () => act(add, work, isMade ? own : ownOfNew));
  element("by-new-passkey").hidden = false;
}

tellAbility();
