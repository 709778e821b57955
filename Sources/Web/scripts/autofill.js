// Passkeys in a field's autofill (WebAuthn L3 §5.1.4, conditional mediation).

import { canAutofill, get } from "./webauthn.js";

// A challenge is good for ten minutes.
const renewal = 8 * 60_000;

// The browser's offer, for as long as it is wanted: `ask` gets options, and `take` is handed them with what was
// chosen. Only one request may wait in a page: a button withdraws it first, and starts it again when it is done.
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

  // The passkey that is chosen in the field; nothing where none is, for nobody asked for the offer.
  async function choice(signal) {
    try {
      if (!(await canAutofill())) return null;
      const asked = await ask(signal);
      return [asked, await get(asked.options, { signal, mediation: "conditional" })];
    } catch {
      return null;
    }
  }

  // A page that comes back from the history has no request waiting any more.
  addEventListener("pageshow", start);
  addEventListener("pagehide", withdraw);
  return { start, withdraw };
}
