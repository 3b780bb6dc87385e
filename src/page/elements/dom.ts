// Creates elements. Text is never parsed as markup: everything goes through textContent and properties. Invisible
// characters are written out wherever the text comes from – a question, a tool, the path of an edited file.
import { visible } from "../../util/hidden-characters.ts";
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

export function button(
  label: string,
  className: string,
  act: (click: MouseEvent) => void,
): HTMLButtonElement {
  const element = h("button", { type: "button", class: className }, label);
  element.addEventListener("click", act);
  return element;
}

/** A button that shows an icon and has its label as accessible name and tooltip. */
export function iconButton(label: string, name: IconName, act: () => void): HTMLButtonElement {
  const element = h("button", { type: "button", class: "icon-button" }, icon(name));
  setLabel(element, label);
  element.addEventListener("click", () => {
    if (element.ariaDisabled !== "true") act();
  });
  return element;
}

/** Enables or disables a button. A disabled one stays in place and keeps the focus. */
export function setAvailable(element: HTMLButtonElement, available: boolean): void {
  element.ariaDisabled = available ? null : "true";
}

export function setLabel(element: HTMLElement, label: string): void {
  element.setAttribute("aria-label", visible(label));
  setTitle(element, label);
}

/** Sets the tooltip. */
export function setTitle(element: HTMLElement, sentence: string): void {
  element.title = visible(sentence);
}

/**
 * Adds an explanation to a control that shows text. Its accessible name contains both, since people who use voice
 * control say what they see.
 */
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

/**
 * Makes `parent` contain exactly these children and touches only what differs, so that focus inside a child survives.
 */
export function setChildren(parent: HTMLElement, children: readonly Node[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    const present = parent.childNodes[index];
    if (present !== child) parent.insertBefore(child, present ?? null);
  });
}
