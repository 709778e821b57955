extension SiteScripts {
    /// The page `/signup.html`.
    static let signUp = #"""
        import { ceremony } from "./faults.js";
        import { send } from "./http.js";
        import { act, complain, element, kind, reveal, tell } from "./page.js";
        import { say } from "./texts.js";
        import { create, isOffered } from "./webauthn.js";

        const form = element("sign-up");
        const own = { username_taken: "nameTaken" };

        form.addEventListener("submit", (event) => {
          event.preventDefault();
          const order = orderOf(form);
          if (!isOffered()) return complain(say("noPasskeys"));
          if (order.username === "") {
            element("username").focus();
            return complain(say("nameMissing"));
          }
          if (order.supportedAlgorithmIDs.length === 0) return complain(say("algorithmMissing"));
          act(event.submitter ?? form.querySelector("button"), () => signUp(order), own);
        });

        async function signUp(order) {
          const { challengeId, ...options } = await send("POST", "api/generate-registration-options", order);
          tell(say("followTheDevice"));
          const response = await ceremony(options, () => create(options));
          tell(say("checking"));
          const answer = await send("POST", "api/verify-registration", { response, challengeId });
          if (!answer.verified) return complain(say("notVerified"));
          tell("");
          show(options.user.name, answer.registrationInfo);
        }

        // Every setting as the form has it; an empty text is none.
        function orderOf(form) {
          const fields = new FormData(form);
          const text = (name) => String(fields.get(name) ?? "").trim();
          return {
            username: text("username"),
            attestationType: text("attestationType"),
            userVerification: text("userVerification"),
            residentKey: text("residentKey"),
            authenticatorAttachment: text("authenticatorAttachment"),
            timeout: Number(text("timeout")) || undefined,
            supportedAlgorithmIDs: fields.getAll("supportedAlgorithmIDs").map(Number),
            preferredAuthenticatorType: text("preferredAuthenticatorType"),
            customRpName: text("customRpName") || undefined,
            customRpID: text("customRpID") || undefined,
          };
        }

        function show(name, info) {
          element("done-name").textContent = name;
          element("done-id").textContent = info.credentialID;
          const { credentialDeviceType: deviceType, credentialBackedUp: backedUp } = info;
          element("done-kind").textContent = say(kind({ deviceType, backedUp }));
          document.title = element("done-title").textContent;
          reveal(element("done"), element("start"));
        }
        """#
}
