// What every page does with what it shows.

import { sentence } from "./faults.js";

export const element = (id) => document.getElementById(id);

// Text goes in as text: nothing that comes from elsewhere is ever read as markup.
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

// Says how it stands, politely, or what went wrong, at once.
export function tell(text) {
  element("fault").textContent = "";
  element("status").textContent = text;
}

export function complain(text) {
  element("status").textContent = "";
  element("fault").textContent = text;
  // On a phone it may stand below what the screen shows.
  element("fault").scrollIntoView({ block: "nearest" });
}

// Says what is wrong with a field, and takes the reader there.
export function refuse(field, text) {
  complain(text);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-errormessage", "fault");
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"), { once: true });
  field.focus();
}

// Runs what a button starts: once at a time, and with an answer on the page whatever comes of it.
export async function act(button, work, own) {
  if (button.getAttribute("aria-busy") === "true") return;
  // Not `disabled`: that would take the focus from whoever uses the keyboard.
  button.setAttribute("aria-busy", "true");
  button.setAttribute("aria-disabled", "true");
  try {
    tell("");
    await work();
  } catch (error) {
    complain(sentence(error, own));
  } finally {
    button.removeAttribute("aria-busy");
    button.removeAttribute("aria-disabled");
  }
}

// Shows one part of the page in the place of another, and takes the reader along.
export function reveal(part, ...instead) {
  for (const other of instead) other.hidden = true;
  part.hidden = false;
  const heading = part.querySelector("h1, h2");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}

// The page's language, as the visitor's country writes it.
const { lang } = document.documentElement;
const locale = navigator.languages.find((language) => language.split("-")[0] === lang) ?? lang;

export const moment = (text) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));

// Where a passkey is kept: the name of the words for it.
export const kind = ({ backedUp, deviceType }) =>
  backedUp ? "synced" : deviceType === "multiDevice" ? "syncable" : "onOneDevice";
