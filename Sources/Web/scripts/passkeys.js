// The page `/passkeys`.

import { sentence } from "./faults.js";
import { Fault, send } from "./http.js";
import { act, complain, element, kind, make, moment, refuse, reveal, tell } from "./page.js";
import { register, tellWait } from "./registration.js";
import { nameOf, signOut, who } from "./session.js";
import { say } from "./texts.js";
import { forget } from "./webauthn.js";

const list = element("list");
const dialog = element("removal");
const rpId = list.dataset.rpId;
const own = {
  InvalidStateError: "alreadyOnThisDevice",
  // The session has ended since the page was loaded: the form then requires a name.
  invalid_request: "signInAgain",
  last_passkey: "lastPasskey",
  passkey_not_found: "passkeyGone",
};

// Another passkey takes one that the account has: a person who has lost theirs removes it first.
const adding = { ...own, step_up_required: "addByOlder" };

// A session that has just added a passkey may not remove the others.
const removal = { ...own, step_up_required: "signInByIt" };

async function load() {
  const person = await who();
  if (!person) return reveal(element("stranger"), element("owner"));
  element("person").textContent = say("signedInAs", { name: nameOf(person) });
  await refresh();
  element("stranger").hidden = true;
  element("owner").hidden = false;
}

async function refresh() {
  const { devices, newPasskeysWait } = await send("GET", "api/auth/devices");
  tellWait(element("add"), newPasskeysWait);
  list.replaceChildren(...devices.map(entry));
  if (devices.length === 0) list.replaceChildren(make("li", { class: "none" }, say("noneYet")));
}

const called = (device) => device.name || say("unnamed", { day: moment(device.createdAt) });

function entry(device) {
  const name = make("h2", { dir: "auto" }, called(device));
  const change = () => edit(device, item);
  const rename = make("button", { type: "button", class: "plain", click: change }, say("rename"));
  const remove = make("button", { type: "button", class: "quiet", click: () => ask(device) }, say("remove"));
  rename.setAttribute("aria-label", say("renameNamed", { name: called(device) }));
  remove.setAttribute("aria-label", say("removeNamed", { name: called(device) }));
  const acts = make("div", { class: "acts" }, rename, remove);
  const item = make("li", { "data-id": device.id }, name, details(device), acts);
  return item;
}

const details = (device) =>
  make(
    "p",
    { class: "details" },
    make("span", { class: device.backedUp ? "good badge" : "badge" }, say(kind(device))),
    make("span", {}, say("createdAt", { day: moment(device.createdAt) })),
    make("span", {}, device.lastUsedAt ? say("lastUsed", { day: moment(device.lastUsedAt) }) : say("neverUsed")),
  );

// Replaces the name by a field.
function edit(device, item) {
  const field = make("input", { id: "name", type: "text", maxlength: "64", autocomplete: "off" });
  field.value = device.name ?? "";
  const save = make("button", { type: "submit" }, say("save"));
  const close = () => {
    form.replaceWith(...kept);
    item.querySelector("button").focus();
  };
  const cancel = make("button", { type: "button", class: "plain", click: close }, say("cancel"));
  const label = make("label", { for: "name" }, say("nameOfPasskey"));
  const form = make("form", {}, label, field, make("div", { class: "acts" }, save, cancel));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim() === "") return refuse(field, say("nameMissing"));
    act(save, () => rename(device, field.value.trim()), own);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  const kept = [...item.childNodes];
  item.replaceChildren(form);
  field.focus();
  field.select();
}

async function rename(device, name) {
  await send("PATCH", `api/auth/devices/${encodeURIComponent(device.id)}`, { name });
  await refresh();
  list.querySelector(`[data-id="${CSS.escape(device.id)}"] button`)?.focus();
  tell(say("renamed", { name }));
}

function ask(device) {
  element("removal-name").textContent = called(device);
  dialog.onclose = () => {
    if (dialog.returnValue !== "remove") return;
    act(element("add"), () => remove(device), removal);
  };
  dialog.returnValue = "";
  dialog.showModal();
}

async function remove(device) {
  await send("DELETE", `api/auth/devices/${encodeURIComponent(device.id)}`);
  await forget(rpId, device.credentialId);
  await refresh();
  element("add").focus();
  tell(say("removed", { name: called(device) }));
}

const isFromAccount = new URLSearchParams(location.search).get("from") === "account";

async function add() {
  await register({});
  // Back to the account centre, which says that it is done.
  if (isFromAccount) return location.assign("account?done=passkeyAdded#status");
  await refresh();
  tell(say("added"));
}

element("add").addEventListener("click", ({ currentTarget }) => act(currentTarget, add, adding));
element("sign-out").addEventListener("click", ({ currentTarget }) =>
  act(currentTarget, async () => {
    await signOut();
    reveal(element("stranger"), element("owner"));
    tell(say("signedOut"));
  }),
);

load().catch((error) => {
  if (error instanceof Fault && error.status === 401) reveal(element("stranger"), element("owner"));
  else complain(sentence(error));
});
