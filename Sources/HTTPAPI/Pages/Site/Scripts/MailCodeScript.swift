extension SiteScripts {
    /// Signing in by a code that comes by mail.
    static let mailCode = #"""
        import { send } from "./http.js";
        import { hold } from "./session.js";

        // Has a code sent, if somebody has the address; returns what takes its digits, and then tells who signed in.
        export async function ask(email) {
          // The code is good for whoever asked for it: a name for this one time.
          const deviceId = crypto.randomUUID();
          const { challenge } = await send("POST", "api/auth/login/code", { email, deviceId });
          return async (code) => {
            const answer = await send("POST", "api/auth/login/code/verify", { challenge, deviceId, code });
            await hold({ Authorization: `Bearer ${answer.accessToken}` });
            return answer.user;
          };
        }
        """#
}
