// Makes elements. Text is never markup: everything goes through textContent and properties. And what nobody would see
// is written out, whoever wrote it: a question, a tool, a file that an edit changes.
import { visible } from "../core/conversation/hidden-characters.ts";
import { type IconName, icon } from "./icons.ts";

type Child = Node | string;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, read.has(name) ? visible(value) : value);
  element.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return element;
}

/** Attributes that people read or hear. */
const read: ReadonlySet<string> = new Set(["title", "aria-label"]);

export function button(label: string, className: string, act: () => void): HTMLButtonElement {
  const element = h("button", { type: "button", class: className }, label);
  element.addEventListener("click", act);
  return element;
}

/** A button that shows a picture and says its words. */
export function iconButton(label: string, name: IconName, act: () => void): HTMLButtonElement {
  const element = h("button", { type: "button", class: "icon-button" }, icon(name));
  setLabel(element, label);
  element.addEventListener("click", () => {
    if (element.ariaDisabled !== "true") act();
  });
  return element;
}

/** A button that cannot be used right now stays where it is and keeps the focus. */
export function setAvailable(element: HTMLButtonElement, available: boolean): void {
  element.ariaDisabled = available ? null : "true";
}

export function setLabel(element: HTMLElement, label: string): void {
  element.setAttribute("aria-label", visible(label));
  setTitle(element, label);
}

/** What is read by those who hover. */
export function setTitle(element: HTMLElement, sentence: string): void {
  element.title = visible(sentence);
}

/** Says more about a control that shows words: its name is both, since people who speak to it say what they see. */
export function setHint(element: HTMLElement, sentence: string): void {
  setTitle(element, sentence);
  const hidden = element.querySelector<HTMLElement>(":scope > .heard") ?? h("span", { class: "heard" });
  setText(hidden, sentence);
  element.append(hidden);
}

/** Sets text only when it differs, so that a selection inside it survives. */
export function setText(element: HTMLElement, text: string): void {
  const shown = visible(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/** Makes `parent` hold exactly these children, touching only what differs: focus inside a child survives. */
export function setChildren(parent: HTMLElement, children: readonly Node[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    const present = parent.childNodes[index];
    if (present !== child) parent.insertBefore(child, present ?? null);
  });
}
