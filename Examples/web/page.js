// The page: starts a login, says what happens, and shows the orders of the person who signed in.

import { SignInError, acknowledge, cancel, start, wait } from "./sign-in.js";

const element = (id) => document.getElementById(id);
const tell = (text) => (element("status").textContent = text);

const hints = {
  created: "Open the scan to go on.",
  link_opened: "The scan is about to begin.",
  user_in_provider: "Show your face on the page of the scan.",
  processing: "Your face is being checked.",
  provider_degraded: "The scan does not answer at the moment. Please wait.",
};
let login = null;

element("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const settings = await (await fetch("settings.json")).json();
    login = await start(settings, element("email").value);
    element("open").href = login.page;
    show("scan");
    tell(hints.created);
    const { user, tokens } = await wait(login, (hint) => tell(hints[hint] ?? "Please wait."));
    // The access token stays in this page's memory. A page that keeps tokens acknowledges once they are stored.
    await acknowledge(login);
    await showOrders(tokens.accessToken);
    tell(`Welcome, ${user.name}.`);
  } catch (error) {
    show("start");
    tell(error instanceof SignInError ? error.message : "That did not work. Please try again.");
  }
});

element("cancel").addEventListener("click", () => cancel(login).catch((error) => tell(error.message)));

async function showOrders(accessToken) {
  const response = await fetch("orders", { headers: { Authorization: `Bearer ${accessToken}` } });
  if (!response.ok) throw new SignInError("Your orders can't be shown at the moment.");
  element("orders").textContent = await response.text();
  show("orders");
}

function show(part) {
  for (const id of ["start", "scan", "orders"]) element(id).hidden = id !== part;
}
