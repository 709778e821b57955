// The progress of a face scan, on every page that waits for one.

import { sentence } from "./faults.js";
import { events, Fault, isFinal, pause } from "./http.js";
import { complain, element, tell } from "./page.js";
import { say } from "./texts.js";

const steps = [
  ["created", "faceCreated"],
  ["link_opened", "faceOpened"],
  ["user_in_provider", "faceScanning"],
  ["processing", "faceJudged"],
];

// Each step is announced once; a slow provider is announced beside the step.
export function progress({ hint }) {
  if (hint === "provider_degraded") return tell(say("providerDegraded"));
  const place = steps.findIndex(([name]) => name === hint);
  if (place < 0) return;
  if (place > 0) giveWay();
  [...element("steps").children].forEach((step, index) => {
    step.classList.toggle("past", index < place);
    if (index === place) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
  const text = say(steps[place][1]);
  if (element("status").textContent !== text) tell(text);
}

// Once another device has opened the scan, the code and the number have done their work.
function giveWay() {
  const code = element("elsewhere");
  if (!code || code.hidden) return;
  code.hidden = true;
  element("there").hidden = false;
  // Whoever opened it here now would take it from there.
  element("scan")?.closest("p").setAttribute("hidden", "");
}

export function tick({ until }) {
  const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  element("left").textContent = say("timeLeft", { time: text });
}

// Follows the stream that the page names, and then loads the page again, which itself knows the result.
export async function reloadAtEnd(over) {
  const { events: path, left } = element("waiting").dataset;
  const scan = { until: Date.now() + Number(left) * 1000 };
  const timer = setInterval(() => tick(scan), 1000);
  tick(scan);
  try {
    await follow(path);
    location.reload();
  } catch (error) {
    complain(sentence(error, { operation_not_found: over }));
  } finally {
    clearInterval(timer);
  }
}

// Repeats until the scan has ended; a broken connection is opened again.
async function follow(path) {
  for (let [trouble, ends] = [0, 0]; ; ) {
    try {
      for await (const event of events(path)) {
        trouble = 0;
        if (event.status !== "pending") return;
        progress(event);
      }
      // A server that is stopping closes all streams, and the same page in another tab closes this one's.
      ends += 1;
      await pause(Math.min(10, ends));
    } catch (error) {
      if (!(error instanceof Fault) || isFinal(error)) throw error;
      trouble += 1;
      await pause(error.retryAfter || Math.min(10, 2 * trouble));
    }
  }
}
