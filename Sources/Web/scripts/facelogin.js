// A face login as a separate client: with a verifier (RFC 7636), and by the stream of its events.

import { encode } from "./base64url.js";
import { events, Fault, isFinal, pause, send } from "./http.js";

const root = "api/auth/biometric-login";
const place = "vestibule.face";

// Browsers withhold digests from pages over plain http, except for localhost.
export const isOffered = () => crypto.subtle !== undefined;

// Starts a login; only the holder of the verifier collects its result.
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

// Waits for the end and reports progress. A broken connection is opened again.
export async function follow(login, progress) {
  for (let trouble = 0; !login.isOver; ) {
    try {
      for await (const event of events(`${root}/events/${login.id}`, proof(login))) {
        trouble = 0;
        if (event.status === "pending") progress(event);
        else return await collect(login);
      }
      // A server that is stopping closes all streams.
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

// The stream reports the end, and the poll's answer has the result.
const collect = (login) => send("GET", `${root}/poll/${login.id}`, undefined, { headers: proof(login) });

// Acknowledges the tokens, which are not handed out again.
export async function settle(login) {
  keep(null);
  await send("POST", `${root}/ack/${login.id}`, { codeVerifier: login.verifier }).catch(() => {});
}

export async function giveUp(login) {
  login.isOver = true;
  await send("POST", `${root}/cancel/${login.id}`, { codeVerifier: login.verifier });
}

// Kept for this tab alone, and no longer than the login lasts.
export function keep(login) {
  if (login) sessionStorage.setItem(place, JSON.stringify(login));
  else sessionStorage.removeItem(place);
}

export function kept() {
  try {
    const login = JSON.parse(sessionStorage.getItem(place));
    if (login && login.until > Date.now()) return login;
  } catch {
    // An unreadable value was not stored by this script.
  }
  keep(null);
  return null;
}
