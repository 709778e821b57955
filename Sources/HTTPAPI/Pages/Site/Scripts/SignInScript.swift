extension SiteScripts {
    /// The page `/login.html`.
    static let signIn = #"""
        import { ceremony } from "./faults.js";
        import { Fault, send } from "./http.js";
        import { ask } from "./mailcode.js";
        import { act, complain, element, reveal, tell } from "./page.js";
        import { nameOf, signOut } from "./session.js";
        import { say } from "./texts.js";
        import { canAutofill, forget, get, isOffered } from "./webauthn.js";

        const form = element("sign-in");
        const own = { NotAllowedError: "cancelledSignIn", unknown_passkey: "unknownPasskey" };

        form.addEventListener("submit", (event) => {
          event.preventDefault();
          act(event.submitter ?? form.querySelector("button"), async () => {
            if (!isOffered()) throw new Fault("no_passkeys");
            // Only one request may wait in a page.
            withdraw();
            tell(say("followTheDevice"));
            const { challengeId, options } = await challenge(orderOf(form));
            await verify(challengeId, options, await ceremony(options, () => get(options)));
          }, own).then(offerAutofill);
        });

        function orderOf(form) {
          const fields = new FormData(form);
          return {
            username: String(fields.get("username") ?? "").trim() || undefined,
            userVerification: fields.get("userVerification"),
            timeout: Number(fields.get("timeout")) || undefined,
          };
        }

        async function challenge(order, signal) {
          const answer = await send("POST", "api/generate-authentication-options", order, { signal });
          const { challengeId, ...options } = answer;
          return { challengeId, options };
        }

        async function verify(challengeId, options, response) {
          tell(say("checking"));
          try {
            const { verified, username } = await send("POST", "api/verify-authentication", { response, challengeId });
            if (!verified) throw new Fault("not_verified");
            show(username);
          } catch (error) {
            if (error instanceof Fault && error.code === "unknown_passkey") await forget(options.rpId, response.id);
            throw error;
          }
        }

        function show(username) {
          tell("");
          element("done-name").textContent = username;
          document.title = element("done-title").textContent;
          reveal(element("done"), element("start"), element("mail"), element("else"));
        }

        // By a code, for whoever has no passkey here.
        const mailed = { invalid_email: "emailWrong", invalid_request: "codeWrong", unauthorized: "codeWrong" };
        let take = null;

        element("by-mail").addEventListener("click", () => {
          withdraw();
          tell("");
          reveal(element("mail"), element("start"), element("else"));
          element("email").focus();
        });

        element("ask").addEventListener("submit", (event) => {
          event.preventDefault();
          const email = element("email").value.trim();
          if (!email.includes("@")) {
            element("email").focus();
            return complain(say("emailWrong"));
          }
          act(event.submitter ?? element("ask").querySelector("button"), async () => {
            take = await ask(email);
            element("type").hidden = false;
            element("code").value = "";
            element("code").focus();
            tell(say("codeSent"));
          }, mailed);
        });

        element("type").addEventListener("submit", (event) => {
          event.preventDefault();
          act(event.submitter ?? element("type").querySelector("button"), async () => {
            tell(say("checking"));
            show(nameOf(await take(element("code").value)));
          }, mailed);
        });

        // The browser's offer in the field's autofill.
        let offer = null;
        // A challenge is good for ten minutes.
        const renewal = 8 * 60_000;

        function withdraw() {
          offer?.abort();
          offer = null;
        }

        async function offerAutofill() {
          if (offer || element("start").hidden) return;
          const mine = (offer = new AbortController());
          const timer = setTimeout(renew, renewal);
          const chosen = await choice(mine.signal);
          clearTimeout(timer);
          if (offer !== mine) return;
          offer = null;
          if (!chosen) return;
          await act(form.querySelector("button"), () => verify(...chosen), own);
          offerAutofill();
        }

        function renew() {
          withdraw();
          offerAutofill();
        }

        // The passkey that is chosen in the field; nothing where none is, for nobody asked for the offer.
        async function choice(signal) {
          try {
            if (!(await canAutofill())) return null;
            const { challengeId, options } = await challenge({ userVerification: "preferred" }, signal);
            return [challengeId, options, await get(options, { signal, mediation: "conditional" })];
          } catch {
            return null;
          }
        }

        element("sign-out").addEventListener("click", ({ currentTarget }) =>
          act(currentTarget, async () => {
            await signOut();
            location.reload();
          }),
        );

        // A page that comes back from the history has no request waiting any more.
        addEventListener("pageshow", offerAutofill);
        addEventListener("pagehide", withdraw);
        """#
}
