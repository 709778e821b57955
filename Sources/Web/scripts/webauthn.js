// Converts the values of a browser's WebAuthn to and from JSON (WebAuthn L3 §5.1.8, §5.1.9).

import { decode, encode } from "./base64url.js";

const Passkey = globalThis.PublicKeyCredential;

export const isOffered = () => typeof Passkey === "function" && isSecureContext;

// Whether the browser can offer passkeys in a field's autofill.
export async function canAutofill() {
  if (!isOffered() || typeof Passkey.isConditionalMediationAvailable !== "function") return false;
  return Passkey.isConditionalMediationAvailable();
}

// Whether this device itself can keep a passkey.
export async function canKeep() {
  if (!isOffered()) return false;
  return (await Passkey.isUserVerifyingPlatformAuthenticatorAvailable?.()) === true;
}

export async function create(json, signal) {
  const publicKey = creationOptions(json);
  return toJSON(await navigator.credentials.create({ publicKey, signal }));
}

export async function get(json, { signal, mediation } = {}) {
  const publicKey = requestOptions(json);
  return toJSON(await navigator.credentials.get({ publicKey, signal, mediation }));
}

// Tells the authenticator that the server does not know the passkey (WebAuthn L3 §5.1.10), if supported.
export async function forget(rpId, credentialId) {
  try {
    await Passkey?.signalUnknownCredential?.({ rpId, credentialId });
  } catch {
    // A failure only leaves an unknown passkey listed.
  }
}

function creationOptions(json) {
  if (Passkey.parseCreationOptionsFromJSON) return Passkey.parseCreationOptionsFromJSON(json);
  return {
    ...json,
    challenge: decode(json.challenge),
    user: { ...json.user, id: decode(json.user.id) },
    excludeCredentials: (json.excludeCredentials ?? []).map(descriptor),
  };
}

function requestOptions(json) {
  if (Passkey.parseRequestOptionsFromJSON) return Passkey.parseRequestOptionsFromJSON(json);
  return {
    ...json,
    challenge: decode(json.challenge),
    allowCredentials: (json.allowCredentials ?? []).map(descriptor),
  };
}

const descriptor = (json) => ({ ...json, id: decode(json.id) });

function toJSON(credential) {
  try {
    if (credential.toJSON) return credential.toJSON();
  } catch {
    // Some password managers put their own object here, on which the method throws.
  }
  return {
    id: credential.id,
    rawId: encode(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: responseJSON(credential.response),
  };
}

function responseJSON(response) {
  const clientDataJSON = encode(response.clientDataJSON);
  if (response.attestationObject) {
    return {
      clientDataJSON,
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    };
  }
  return {
    clientDataJSON,
    authenticatorData: encode(response.authenticatorData),
    signature: encode(response.signature),
    userHandle: response.userHandle ? encode(response.userHandle) : undefined,
  };
}
