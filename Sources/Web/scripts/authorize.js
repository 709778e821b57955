// The page that asks who signs in: passkeys, by the field's autofill and by a button.

import { autofill } from "./autofill.js";
import { act, element } from "./page.js";
import { own, signIn } from "./passkey-sign-in.js";
import { isOffered } from "./webauthn.js";

const button = element("use-passkey");
if (button && isOffered()) offerPasskeys(button);

function offerPasskeys(button) {
  const passkey = signIn(button.dataset);
  const offer = autofill({
    isWanted: () => !passkey.isDone() && element("identifier") !== null,
    ask: passkey.ask,
    take: (asked, response) => act(button, () => passkey.verify(asked, response), own),
  });
  button.addEventListener("click", () =>
    act(button, async () => {
      offer.withdraw();
      await passkey.use();
    }, own).then(offer.start),
  );
  element("by-passkey").hidden = false;
}
