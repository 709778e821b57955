// Who is signed in: by this browser's cookie, or by a token that a page holds.

import { Fault, send } from "./http.js";

// The person, or null where nobody is signed in.
export async function who(headers) {
  try {
    return (await send("GET", "api/auth/me", undefined, { headers })).user;
  } catch (error) {
    if (error instanceof Fault && [401, 404].includes(error.status)) return null;
    throw error;
  }
}

// Has this browser hold the session of a token by its cookie.
export const hold = (headers) => send("POST", "api/auth/web-session", undefined, { headers });

export const signOut = (headers) => send("POST", "api/auth/logout", undefined, { headers });

export const nameOf = (person) => person.displayName || person.username || person.name || person.email;
