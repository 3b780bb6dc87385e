// Makes elements. Text is never markup: everything goes through textContent and properties.
import { type IconName, icon } from "./icons.ts";

type Child = Node | string;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

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
  element.setAttribute("aria-label", label);
  element.title = label;
}

/** Says more about a control that shows words: its name is both, since people who speak to it say what they see. */
export function setHint(element: HTMLElement, sentence: string): void {
  element.title = sentence;
  const heard = element.querySelector<HTMLElement>(":scope > .heard") ?? h("span", { class: "heard" });
  setText(heard, sentence);
  element.append(heard);
}

/** Sets text only when it differs, so that a selection inside it survives. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
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
