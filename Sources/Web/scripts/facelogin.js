// A face login as a client of its own: with a verifier (RFC 7636), and by the stream of its events.

import { encode } from "./base64url.js";
import { events, Fault, isFinal, pause, send } from "./http.js";

const root = "api/auth/biometric-login";
const place = "vestibule.face";

// Browsers keep digests from pages that came over plain http, but for localhost.
export const isOffered = () => crypto.subtle !== undefined;

// Starts one; only whoever has the verifier collects what comes of it.
export async function begin(email, mode) {
  const verifier = encode(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const order = {
    email,
    mode,
    codeChallenge: encode(digest),
    codeChallengeMethod: "S256",
  };
  const answer = await send("POST", `${root}/initiate`, order);
  return {
    id: answer.operationId,
    url: answer.authUrl,
    number: answer.number,
    mode,
    verifier,
    interval: answer.interval,
    until: Date.now() + answer.operationExpiresIn * 1000,
  };
}

// Waits until it has ended, and tells how it goes on. A connection that breaks is made again.
export async function follow(login, progress) {
  for (let trouble = 0; !login.isOver; ) {
    try {
      for await (const event of events(`${root}/events/${login.id}`, proof(login))) {
        trouble = 0;
        if (event.status === "pending") progress(event);
        else return await collect(login);
      }
      // A server that is stopping lets everybody go.
      await pause(1);
    } catch (error) {
      if (!(error instanceof Fault) || isFinal(error) || Date.now() > login.until + 60_000) throw error;
      trouble += 1;
      await pause(error.retryAfter || Math.min(10, login.interval * trouble));
    }
  }
  throw new Fault("operation_not_found");
}

// An EventSource could not show it.
const proof = (login) => ({ "X-Code-Verifier": login.verifier });

// The stream says that it has ended; what came of it is in the poll's answer.
const collect = (login) => send("GET", `${root}/poll/${login.id}`, undefined, { headers: proof(login) });

// The tokens arrived; from here on nobody gets them again.
export async function settle(login) {
  keep(null);
  await send("POST", `${root}/ack/${login.id}`, { codeVerifier: login.verifier }).catch(() => {});
}

export async function giveUp(login) {
  login.isOver = true;
  await send("POST", `${root}/cancel/${login.id}`, { codeVerifier: login.verifier });
}

// For this tab alone, and no longer than the login lasts.
export function keep(login) {
  if (login) sessionStorage.setItem(place, JSON.stringify(login));
  else sessionStorage.removeItem(place);
}

export function kept() {
  try {
    const login = JSON.parse(sessionStorage.getItem(place));
    if (login && login.until > Date.now()) return login;
  } catch {
    // Not one of ours.
  }
  keep(null);
  return null;
}
