// Signs a person in by a face scan at Vestibule, whose `listen.corsOrigins` has to list this page's origin.

// Its message is for the person.
export class SignInError extends Error {
  constructor(message, { isFinal = true, retryAfter = 0 } = {}) {
    super(message);
    this.isFinal = isFinal;
    this.retryAfter = retryAfter;
  }
}

// Starts a login. Only the holder of the verifier (RFC 7636) can collect its tokens.
export async function start({ issuer, client }, email) {
  const root = `${issuer}/auth/biometric-login`;
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const started = await call(`${root}/initiate`, {
    body: { email, clientId: client, codeChallenge: base64url(new Uint8Array(digest)), codeChallengeMethod: "S256" },
  });
  return {
    root,
    verifier,
    id: started.operationId,
    page: started.authIdUrl,
    until: Date.now() + started.operationExpiresIn * 1000,
  };
}

// Waits until the login has ended and returns its tokens and its user. `tell` gets each hint on the way.
export async function wait(login, tell) {
  for (;;) {
    try {
      const answer = await call(`${login.root}/poll/${login.id}?wait=30`, { verifier: login.verifier });
      if (answer.status === "completed") return answer;
      if (answer.status === "failed") throw new SignInError(answer.message);
      tell(answer.hint);
    } catch (error) {
      // A lost answer is asked for again: the login goes on, and an accepted one can be collected for a minute.
      if (error.isFinal || Date.now() > login.until + 60_000) throw error;
      await pause(error.retryAfter || 2);
    }
  }
}

// Ends the delivery of tokens, once this page has them.
export const acknowledge = (login) => call(`${login.root}/ack/${login.id}`, { body: { codeVerifier: login.verifier } });

export const cancel = (login) => call(`${login.root}/cancel/${login.id}`, { body: { codeVerifier: login.verifier } });

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// A POST with a body, a GET without one. The cookie of an earlier sign-in on this device goes along.
async function call(address, { body, verifier }) {
  const headers = { Accept: "application/json" };
  if (body) headers["Content-Type"] = "application/json";
  if (verifier) headers["X-Code-Verifier"] = verifier;
  const response = await fetch(address, {
    method: body ? "POST" : "GET",
    headers,
    body: body && JSON.stringify(body),
    credentials: "include",
    cache: "no-store",
  }).catch(() => {
    throw new SignInError("The server can't be reached. Check the connection.", { isFinal: false });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new SignInError(answer.message ?? "The server can't answer at the moment.", {
    isFinal: response.status < 500 && response.status !== 429,
    retryAfter: Number(response.headers.get("Retry-After")),
  });
}
