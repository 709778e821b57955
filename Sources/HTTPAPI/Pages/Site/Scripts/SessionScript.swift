extension SiteScripts {
    /// Who is signed in, by this browser's cookie.
    static let session = #"""
        import { Fault, send } from "./http.js";

        // The person, or null where nobody is signed in.
        export async function who() {
          try {
            return (await send("GET", "api/auth/me")).user;
          } catch (error) {
            if (error instanceof Fault && [401, 404].includes(error.status)) return null;
            throw error;
          }
        }

        export const signOut = () => send("POST", "api/auth/logout");

        export const nameOf = (person) => person.displayName || person.username || person.name || person.email;
        """#
}
