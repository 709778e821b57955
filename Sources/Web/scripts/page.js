// Helpers of every page for its content.

import { sentence } from "./faults.js";

export const element = (id) => document.getElementById(id);

// Text is inserted as text: foreign values are never read as markup.
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

// Names the page anew, with its owner as before.
export function entitle(text) {
  document.title = `${text} – ${document.querySelector("header .brand span").textContent}`;
}

// Announces progress politely, and errors at once.
export function tell(text) {
  element("fault").textContent = "";
  element("status").textContent = text;
}

export function complain(text) {
  element("status").textContent = "";
  element("fault").textContent = text;
  // On a phone it may be below the visible part.
  element("fault").scrollIntoView({ block: "nearest" });
}

// Shows the error of a field, and moves the focus there.
export function refuse(field, text) {
  complain(text);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-errormessage", "fault");
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"), { once: true });
  field.focus();
}

// Runs a button's action, once at a time, and shows its result in every case.
export async function act(button, work, own) {
  if (button.getAttribute("aria-busy") === "true") return;
  // Not `disabled`: that would take the focus from keyboard users.
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

// Shows one part of the page instead of another, and moves the focus there.
export function reveal(part, ...instead) {
  for (const other of instead) other.hidden = true;
  part.hidden = false;
  const heading = part.querySelector("h1, h2");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}

// The page's language, in the visitor's regional form.
const { lang } = document.documentElement;
const locale = navigator.languages.find((language) => language.split("-")[0] === lang) ?? lang;

export const moment = (text) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));

// Returns the name of the words for a passkey's location.
export const kind = ({ backedUp, deviceType }) =>
  backedUp ? "synced" : deviceType === "multiDevice" ? "syncable" : "onOneDevice";
