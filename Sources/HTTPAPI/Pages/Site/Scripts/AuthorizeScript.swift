extension SiteScripts {
    /// The sign-in page of an authorization request: passkeys, by the field's autofill and by a button.
    static let authorize = #"""
        import { autofill } from "./autofill.js";
        import { ceremony } from "./faults.js";
        import { Fault, send } from "./http.js";
        import { act, element, tell } from "./page.js";
        import { say } from "./texts.js";
        import { forget, get, isOffered } from "./webauthn.js";

        const own = {
          NotAllowedError: "cancelledSignIn",
          unknown_passkey: "unknownPasskey",
          operation_not_found: "confirmOver",
        };

        // Another device reads the address from a code, which takes a script to draw.
        const where = element("where");
        if (where) where.hidden = false;

        const button = element("use-passkey");
        if (button && isOffered()) offerPasskeys(button);

        function offerPasskeys(button) {
          const { path, page } = button.dataset;
          let isDone = false;

          const ask = async (signal) => ({ options: await send("POST", `${path}/options`, undefined, { signal }) });

          async function verify({ options }, response) {
            tell(say("checking"));
            try {
              await send("POST", path, response);
            } catch (error) {
              if (error instanceof Fault && error.code === "unknown_passkey") await forget(options.rpId, response.id);
              throw error;
            }
            isDone = true;
            // Where it goes on from: back to the app, or to the next question.
            location.assign(page);
          }

          const offer = autofill({
            isWanted: () => !isDone && element("email") !== null,
            ask,
            take: (asked, response) => act(button, () => verify(asked, response), own),
          });

          button.addEventListener("click", () =>
            act(button, async () => {
              offer.withdraw();
              tell(say("followTheDevice"));
              const asked = await ask();
              await verify(asked, await ceremony(asked.options, () => get(asked.options)));
            }, own).then(offer.start),
          );
          element("by-passkey").hidden = false;
        }
        """#

    /// The page that waits for the face scan of an authorization request.
    static let authorizeWait = #"""
        import { sentence } from "./faults.js";
        import { events, Fault, isFinal, pause } from "./http.js";
        import { complain, element } from "./page.js";
        import { progress, tick } from "./progress.js";
        import { draw } from "./qr.js";

        const { events: path, left } = element("waiting").dataset;
        const login = { until: Date.now() + Number(left) * 1000 };
        const code = element("code");
        if (code) draw(code, code.dataset.address);

        // Until it has ended. A connection that breaks is made again.
        async function follow() {
          for (let trouble = 0; ; ) {
            try {
              for await (const event of events(path)) {
                trouble = 0;
                if (event.status !== "pending") return;
                progress(event);
              }
              // A server that is stopping lets everybody go.
              await pause(1);
            } catch (error) {
              if (!(error instanceof Fault) || isFinal(error)) throw error;
              trouble += 1;
              await pause(error.retryAfter || Math.min(10, 2 * trouble));
            }
          }
        }

        const timer = setInterval(() => tick(login), 1000);
        tick(login);
        follow()
          // The page itself knows what has come of it, and leads on.
          .then(() => location.reload())
          .catch((error) => complain(sentence(error, { operation_not_found: "faceOver" })))
          .finally(() => clearInterval(timer));
        """#
}
