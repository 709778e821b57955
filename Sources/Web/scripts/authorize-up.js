// The page that opens an account.

import { tellAbility } from "./able.js";
import { act, element, refuse } from "./page.js";
import { make, own } from "./passkey-new.js";
import { say } from "./texts.js";
import { isOffered } from "./webauthn.js";

const form = element("by-new-passkey");
const add = element("new-passkey");
if (form && isOffered()) {
  const { path, page } = add.dataset;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = element("username");
    const username = field.value.trim();
    if (username === "") return refuse(field, say("nameMissing"));
    act(add, async () => {
      await make(path, { username });
      location.assign(page);
    }, own);
  });
  form.hidden = false;
}

tellAbility();
