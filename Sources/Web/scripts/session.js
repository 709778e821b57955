// The signed-in user, by this browser's cookie or by a token that a page holds.

import { Fault, send } from "./http.js";

// Returns the user, or null if nobody is signed in.
export async function who(headers) {
  try {
    return (await send("GET", "api/auth/me", undefined, { headers })).user;
  } catch (error) {
    if (error instanceof Fault && [401, 404].includes(error.status)) return null;
    throw error;
  }
}

// Gives this browser the cookie of a token's session.
export const hold = (headers) => send("POST", "api/auth/web-session", undefined, { headers });

export const signOut = (headers) => send("POST", "api/auth/logout", undefined, { headers });

export const nameOf = (person) => person.displayName || person.username || person.name || person.email;
