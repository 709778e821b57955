// The page that offers a passkey after another way.

import { act, element } from "./page.js";
import { make, own } from "./passkey-new.js";
import { isOffered } from "./webauthn.js";

const add = element("new-passkey");
const { path, page } = add.dataset;
if (isOffered()) {
  add.addEventListener("click", () =>
    act(add, async () => {
      await make(path);
      location.assign(page);
    }, own),
  );
  element("by-new-passkey").hidden = false;
}
