// The sentences for errors, which say what to do.

import { Fault } from "./http.js";
import { say } from "./texts.js";

// The result of a browser's ceremony, with the details that tell one end from another.
export class Ended extends Error {
  constructor(error, { rpId, timeout = 60_000, startedAt }) {
    super(error.message, { cause: error });
    this.name = error.name;
    this.rpId = rpId;
    // Browsers report a refusal, a cancellation and a timeout alike (WebAuthn L3 §14.5.1).
    this.isLate = performance.now() - startedAt >= timeout * 0.95;
  }
}

// Runs a ceremony for these options, and returns its result.
export async function ceremony(options, run) {
  const startedAt = performance.now();
  try {
    return await run();
  } catch (error) {
    const rpId = options.rpId ?? options.rp?.id ?? location.hostname;
    throw new Ended(error, { rpId, timeout: options.timeout, startedAt });
  }
}

// Returns the sentence for an error; `own` has the page's sentences for some errors, by code or name.
export function sentence(error, own = {}) {
  if (error instanceof Fault) return answered(error, own);
  if (error instanceof Ended) return ended(error, own);
  console.error(error);
  return say("somethingWrong");
}

function answered(fault, own) {
  const word = own[fault.code] ?? answers[fault.code];
  if (word) return say(word, { seconds: Math.max(1, fault.retryAfter), reason: fault.message });
  return fault.message || say("somethingWrong");
}

const answers = {
  no_passkeys: "noPasskeys",
  not_verified: "notVerified",
  offline: "offline",
  no_answer: "noAnswer",
  unreadable: "serverDown",
  rate_limited: "tooMany",
  slow_down: "tooMany",
  store_unavailable: "serverDown",
  internal_error: "serverDown",
  challenge_over: "challengeOver",
  passkey_refused: "notAccepted",
  passkey_already_registered: "alreadyRegistered",
  too_many_passkeys: "tooManyPasskeys",
  relying_party_not_listed: "notListed",
  algorithms_not_offered: "notSupported",
  registration_closed: "registrationClosed",
  invalid_username: "badUsername",
  invalid_passkey_name: "badName",
  unauthorized: "signInFirst",
  step_up_required: "signInAgain",
};

function ended(error, own) {
  if (error.name === "NotAllowedError" && error.isLate) return say("tookTooLong");
  const word = own[error.name] ?? endings[error.name] ?? "deviceFault";
  return say(word, { rp: error.rpId, host: location.hostname });
}

const endings = {
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  TimeoutError: "tookTooLong",
  InvalidStateError: "alreadyRegistered",
  SecurityError: "wrongAddress",
  NotSupportedError: "notSupported",
  ConstraintError: "notCapable",
};
