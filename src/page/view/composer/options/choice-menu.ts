// A button with a menu above it: actions, options, and rows that open a list of their own in its place. Arrows, Home,
// End, letters, Enter and Escape work as in any menu; a click elsewhere closes it.
import { h, setText } from "../../../elements/dom.ts";
import { type IconName, icon } from "../../../elements/icons.ts";
import { acting, type Option, optionList } from "./option-list.ts";

export interface ChoiceMenu {
  readonly button: HTMLButtonElement;
  /** To be placed where the list has room; hidden until it is opened. */
  readonly popup: HTMLElement;
  open(): void;
  /** The options have changed; the active one stays active. */
  refresh(): void;
}

interface ChoiceMenuDeps {
  readonly label: string;
  readonly icon?: IconName;
  options(): readonly Option[];
  /** A sentence below the list. */
  remark?(): string | undefined;
  /** Called when the menu opens. */
  opens?(): void;
}

export function choiceMenu({ label, icon: picture, options, remark, opens }: ChoiceMenuDeps): ChoiceMenu {
  const button = h("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false" });
  if (picture !== undefined) button.append(icon(picture));
  const popup = h("div", { class: "popup", hidden: "" });
  const note = h("p", { class: "popup-remark" });
  const list = optionList(label, acting, choose);
  // The list itself has the focus while it is open.
  const holder = list.root;
  // It may scroll, so it must also be reachable by Tab.
  holder.tabIndex = 0;
  popup.append(holder, note);
  note.id = `${holder.id}-remark`;
  holder.setAttribute("aria-describedby", note.id);
  button.setAttribute("aria-controls", holder.id);
  /** The row whose list is shown in place of the menu. */
  let inside: Option | undefined;

  button.addEventListener("click", () => (popup.hidden ? open() : close()));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open();
  });
  holder.addEventListener("keydown", onKey);
  popup.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== button && !(relatedTarget instanceof Node && popup.contains(relatedTarget))) hide();
  });

  return { button, popup, open, refresh };

  function refresh(): void {
    if (popup.hidden || inside !== undefined) return;
    const all = options();
    list.show(all, indexOf(all, list.active?.label));
  }

  function open(): void {
    const all = options();
    if (all.length === 0 || button.ariaDisabled === "true") return;
    opens?.();
    inside = undefined;
    show(all, firstChosen(all), remark?.());
    popup.hidden = false;
    button.setAttribute("aria-expanded", "true");
    holder.focus();
  }

  function show(all: readonly Option[], active: number, sentence: string | undefined): void {
    holder.setAttribute("aria-label", inside?.label ?? label);
    list.show(all, active);
    setText(note, sentence ?? "");
    note.hidden = sentence === undefined;
  }

  function enter(option: Option): void {
    if (option.list === undefined) return;
    inside = option;
    const all = option.list();
    const back: Option = { label: option.label, icon: "back", run: leave };
    show([back, ...all], 1 + firstChosen(all), option.remark);
  }

  function leave(): void {
    const from = inside?.label;
    inside = undefined;
    const all = options();
    show(all, indexOf(all, from), remark?.());
  }

  function hide(): void {
    popup.hidden = true;
    button.setAttribute("aria-expanded", "false");
  }

  function close(): void {
    hide();
    button.focus();
  }

  function choose(option: Option): void {
    if (option.isOff === true) return;
    if (option.list !== undefined) enter(option);
    else if (option.run === leave) leave();
    else {
      close();
      option.run?.();
    }
  }

  function onKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "ArrowDown") list.move(1);
    else if (key === "ArrowUp") list.move(-1);
    else if (key === "Home") list.moveTo(0);
    else if (key === "End") list.moveTo(list.count - 1);
    else if (key === "ArrowRight" && list.active?.list !== undefined) choose(list.active);
    else if ((key === "ArrowLeft" || key === "Escape") && inside !== undefined) leave();
    else if (key === "Escape") close();
    else if (key === "Enter" || key === " ") {
      if (list.active !== undefined) choose(list.active);
    } else if (key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      list.moveToLetter(key.toLocaleLowerCase());
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const indexOf = (all: readonly Option[], label: string | undefined): number =>
  Math.max(
    0,
    all.findIndex((each) => each.label === label),
  );

const firstChosen = (all: readonly Option[]): number =>
  Math.max(
    0,
    all.findIndex(({ chosen, kind }) => chosen === true && kind === "radio"),
  );
