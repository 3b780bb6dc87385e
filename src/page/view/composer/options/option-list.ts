// A list of options, controlled by the keys of its owner: one is active, and some may be chosen. The focused element
// points at the active option, as screen readers expect for comboboxes and listboxes.
import { h } from "../../../elements/dom.ts";
import { type IconName, icon } from "../../../elements/icons.ts";

export interface Option {
  readonly label: string;
  /** Positions in the label that match what was typed. */
  readonly matches?: readonly number[] | undefined;
  /** The label is a path: where room is scarce, the folders are truncated and the name stays. */
  readonly isPath?: boolean;
  readonly detail?: string | undefined;
  /** A second line that says what choosing it means. */
  readonly description?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly chosen?: boolean;
  /** In a menu: one of several, or on and off. */
  readonly kind?: "radio" | "check";
  /** The current value, at the end of the line. */
  readonly value?: string | undefined;
  /** The option opens a list of its own, with a sentence below it. */
  list?(): readonly Option[];
  readonly remark?: string;
  /** The option is disabled, but stays in its place. */
  readonly isOff?: boolean;
  /** The option begins a new group. */
  readonly begins?: boolean;
  run?(): void;
}

interface OptionList {
  readonly root: HTMLElement;
  readonly count: number;
  show(options: readonly Option[], active: number): void;
  /** Moves by `step` and wraps around at the ends. */
  move(step: number): void;
  moveTo(index: number): void;
  /** Moves to the next option that begins with this letter. */
  moveToLetter(letter: string): void;
  readonly active: Option | undefined;
}

type Roles =
  | { readonly list: "listbox"; readonly item: "option" }
  | { readonly list: "menu"; readonly item: "menuitem" };

export const choosing: Roles = { list: "listbox", item: "option" };
export const acting: Roles = { list: "menu", item: "menuitem" };

let lists = 0;

/** `pointer` is the element that has the focus while the list is used, if it is not the list itself. */
export function optionList(
  label: string,
  roles: Roles,
  run: (option: Option) => void,
  pointer?: HTMLElement,
): OptionList {
  lists += 1;
  const id = `list-${lists}`;
  const root = h("div", { class: "options", role: roles.list, id, "aria-label": label, tabindex: "-1" });
  let options: readonly Option[] = [];
  let active = -1;

  root.addEventListener("mousemove", ({ target }) => {
    const index = indexOf(target);
    if (index >= 0 && index !== active) moveTo(index, false);
  });
  // Keep the focus where it is; a click only chooses.
  root.addEventListener("mousedown", (event) => event.preventDefault());
  root.addEventListener("click", ({ target }) => {
    const option = options[indexOf(target)];
    if (option !== undefined) run(option);
  });

  return {
    root,
    get count() {
      return options.length;
    },
    get active() {
      return options[active];
    },
    show(next, first) {
      options = next;
      root.replaceChildren(...next.map((option, index) => optionView(option, `${id}-${index}`, roles)));
      active = -1;
      moveTo(first);
    },
    move: (step) => options.length > 0 && moveTo((active + step + options.length) % options.length),
    moveTo,
    moveToLetter(letter) {
      const order = options.map((_, step) => (active + 1 + step) % options.length);
      const found = order.find((index) => options[index]?.label.toLocaleLowerCase().startsWith(letter));
      if (found !== undefined) moveTo(found);
    },
  };

  function moveTo(index: number, scroll = true): void {
    active = Math.min(index, options.length - 1);
    [...root.children].forEach((child, at) => {
      child.classList.toggle("active", at === active);
      // For an input, the active option is the selected one; in a list with its own focus, aria-selected marks the
      // chosen one.
      if (pointer !== undefined) child.setAttribute("aria-selected", String(at === active));
      if (at === active && scroll) child.scrollIntoView({ block: "nearest" });
    });
    const holder = pointer ?? root;
    if (active < 0) holder.removeAttribute("aria-activedescendant");
    else holder.setAttribute("aria-activedescendant", `${id}-${active}`);
  }

  function indexOf(target: EventTarget | null): number {
    const item = target instanceof Element ? target.closest(".option") : null;
    return item === null ? -1 : [...root.children].indexOf(item);
  }
}

/** The label with the matched characters marked. */
function withMatches(label: string, matches: readonly number[] = []): (string | HTMLElement)[] {
  const marked = new Set(matches);
  const pieces: (string | HTMLElement)[] = [];
  for (let from = 0; from < label.length; ) {
    let to = from + 1;
    while (to < label.length && marked.has(to) === marked.has(from)) to++;
    const piece = label.slice(from, to);
    pieces.push(marked.has(from) ? h("span", { class: "option-match" }, piece) : piece);
    from = to;
  }
  return pieces;
}

/** The last segment of a path, followed by its folders. */
function pathView(path: string, matches: readonly number[] = []): HTMLElement[] {
  const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
  const inName = matches.filter((at) => at >= nameAt).map((at) => at - nameAt);
  const name = h("bdi", { class: "option-label" }, ...withMatches(path.slice(nameAt), inName));
  if (nameAt === 0) return [name];
  return [name, h("bdi", { class: "option-detail" }, ...withMatches(path.slice(0, nameAt - 1), matches))];
}

function optionView(option: Option, id: string, { item }: Roles): HTMLElement {
  const { label, matches, isPath = false, detail, description, icon: picture, chosen, value } = option;
  const named = isPath
    ? pathView(label, matches)
    : [h("bdi", { class: "option-label" }, ...withMatches(label, matches))];
  const line = h("span", { class: "option-line" }, ...named);
  if (detail !== undefined) line.append(h("bdi", { class: "option-detail" }, detail));
  const text = h("span", { class: "option-text" }, line);
  if (description !== undefined) text.append(h("span", { class: "option-description" }, description));
  const { kind, isOff = false, begins = false } = option;
  const role = kind === undefined ? item : (`menuitem${kind === "check" ? "checkbox" : kind}` as const);
  const root = h("div", { class: begins ? "option begins" : "option", role, id });
  if (isOff) root.ariaDisabled = "true";
  if (kind !== undefined) root.ariaChecked = String(chosen ?? false);
  if (option.list !== undefined) root.ariaHasPopup = "menu";
  // Screen readers read the path as it will be inserted.
  if (isPath) root.setAttribute("aria-label", detail === undefined ? label : `${label} ${detail}`);
  if (picture !== undefined) root.append(icon(picture));
  root.append(text);
  if (item === "option") root.setAttribute("aria-selected", String(chosen ?? false));
  if (value !== undefined) root.append(h("span", { class: "option-value" }, value));
  if (chosen === true) root.append(icon("check"));
  if (option.list !== undefined) root.append(icon("chevron"));
  return root;
}
