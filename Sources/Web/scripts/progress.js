// The progress of a face scan, on every page that waits for one.

import { element, tell } from "./page.js";
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
  [...element("steps").children].forEach((step, index) => {
    step.classList.toggle("past", index < place);
    if (index === place) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
  const text = say(steps[place][1]);
  if (element("status").textContent !== text) tell(text);
}

export function tick({ until }) {
  const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  element("left").textContent = say("timeLeft", { time: text });
}
