// Passkeys in a field's autofill (WebAuthn L3 §5.1.4, conditional mediation).

import { canAutofill, get } from "./webauthn.js";

// A challenge is valid for ten minutes.
const renewal = 8 * 60_000;

// The browser's offer, while it is wanted: `ask` returns options, and `take` gets them with the chosen passkey.
// Only one request may wait in a page: a button withdraws it first, and starts it again when done.
export function autofill({ isWanted, ask, take }) {
  let offer = null;

  function withdraw() {
    offer?.abort();
    offer = null;
  }

  async function start() {
    if (offer || !isWanted()) return;
    const mine = (offer = new AbortController());
    const timer = setTimeout(renew, renewal);
    const chosen = await choice(mine.signal);
    clearTimeout(timer);
    if (offer !== mine) return;
    offer = null;
    if (!chosen) return;
    await take(...chosen);
    start();
  }

  function renew() {
    withdraw();
    start();
  }

  // Returns the passkey that is chosen in the field, and nothing after an error, since nobody requested the offer.
  async function choice(signal) {
    try {
      if (!(await canAutofill())) return null;
      const asked = await ask(signal);
      return [asked, await get(asked.options, { signal, mediation: "conditional" })];
    } catch {
      return null;
    }
  }

  // A page that returns from the history has no waiting request.
  addEventListener("pageshow", start);
  addEventListener("pagehide", withdraw);
  return { start, withdraw };
}
