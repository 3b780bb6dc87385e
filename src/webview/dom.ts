// Makes elements. Text is never markup: everything goes through textContent and properties.

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

/** Sets text only when it differs, so that a selection inside it survives. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
