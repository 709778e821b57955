// The page that waits for the face scan of an authorization request.

import { sentence } from "./faults.js";
import { events, Fault, isFinal, pause } from "./http.js";
import { complain, element } from "./page.js";
import { progress, tick } from "./progress.js";
import { draw } from "./qr.js";

const { events: path, left } = element("waiting").dataset;
const login = { until: Date.now() + Number(left) * 1000 };
const code = element("code");
if (code) draw(code, code.dataset.address);

// Repeats until the scan has ended; a broken connection is opened again.
async function follow() {
  for (let trouble = 0; ; ) {
    try {
      for await (const event of events(path)) {
        trouble = 0;
        if (event.status !== "pending") return;
        progress(event);
      }
      // A server that is stopping closes all streams.
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
  // The page itself knows the result, and continues.
  .then(() => location.reload())
  .catch((error) => complain(sentence(error, { operation_not_found: "faceOver" })))
  .finally(() => clearInterval(timer));
