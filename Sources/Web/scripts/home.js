// The page `/`.

import { send } from "./http.js";
import { act, complain, element, kind, make, moment } from "./page.js";
import { sentence } from "./faults.js";
import { nameOf, signOut, who } from "./session.js";
import { say } from "./texts.js";

async function greet() {
  const person = await who();
  if (!person) return;
  element("person").textContent = say("signedInAs", { name: nameOf(person) });
  element("signed-in").hidden = false;
}

element("sign-out").addEventListener("click", ({ currentTarget }) =>
  act(currentTarget, async () => {
    await signOut();
    element("signed-in").hidden = true;
    element("status").textContent = say("signedOut");
  }),
);

// Lists all users, on a server that allows it.
async function list(place) {
  const users = await send("GET", "api/users");
  place.replaceChildren(...users.map(entry));
  if (users.length === 0) place.replaceChildren(make("li", { class: "none" }, say("nobody")));
}

const entry = (user) =>
  make(
    "li",
    {},
    make("h3", { dir: "auto" }, user.username),
    make("p", {}, count(user.passkeysCount)),
    make("ul", { class: "keys" }, ...user.passkeys.map(key)),
  );

const count = (n) => say(n === 1 ? "onePasskey" : "passkeys", { n });

const key = (passkey) =>
  make(
    "li",
    { class: "details" },
    make("code", { translate: "no" }, passkey.id),
    make("span", { class: passkey.backedUp ? "good badge" : "badge" }, say(kind(passkey))),
    make("span", {}, say("createdAt", { day: moment(passkey.createdAt) })),
  );

const places = [greet()];
const users = element("users");
if (users) places.push(list(users));
Promise.all(places).catch((error) => complain(sentence(error)));
