// A button with a list above it: to choose one thing, or to do one. Arrows, Home, End, letters, Enter and Escape work
// as in every list; a click elsewhere closes it.
import { h, setText } from "../dom.ts";
import { type IconName, icon } from "../icons.ts";
import { acting, choosing, type Option, optionList } from "./option-list.ts";

export interface ChoiceMenu {
  readonly button: HTMLButtonElement;
  /** To be put where the list has room; it is out of sight until it is opened. */
  readonly popup: HTMLElement;
  open(): void;
  /** The options are others by now; who is on one stays there. */
  refresh(): void;
}

export interface ChoiceMenuNeeds {
  readonly label: string;
  readonly kind: "choose" | "act";
  readonly icon?: IconName;
  options(): readonly Option[];
  /** A sentence below the list. */
  remark?(): string | undefined;
  /** It opens. */
  opens?(): void;
}

export function choiceMenu({
  label,
  kind,
  icon: picture,
  options,
  remark,
  opens,
}: ChoiceMenuNeeds): ChoiceMenu {
  const roles = kind === "choose" ? choosing : acting;
  const button = h("button", { type: "button", "aria-haspopup": roles.list, "aria-expanded": "false" });
  if (picture !== undefined) button.append(icon(picture));
  const popup = h("div", { class: "popup", hidden: "" });
  const note = h("p", { class: "popup-remark" });
  const list = optionList(label, roles, choose);
  // The list itself has the focus while it is open.
  const holder = list.root;
  popup.append(holder, note);
  button.setAttribute("aria-controls", holder.id);

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
    if (popup.hidden) return;
    const all = options();
    list.show(
      all,
      Math.max(
        0,
        all.findIndex(({ label }) => label === list.active?.label),
      ),
    );
  }

  function open(): void {
    const all = options();
    if (all.length === 0 || button.ariaDisabled === "true") return;
    opens?.();
    list.show(
      all,
      Math.max(
        0,
        all.findIndex(({ chosen }) => chosen === true),
      ),
    );
    const sentence = remark?.();
    setText(note, sentence ?? "");
    note.hidden = sentence === undefined;
    popup.hidden = false;
    button.setAttribute("aria-expanded", "true");
    holder.focus();
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
    close();
    option.run();
  }

  function onKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "ArrowDown") list.move(1);
    else if (key === "ArrowUp") list.move(-1);
    else if (key === "Home") list.moveTo(0);
    else if (key === "End") list.moveTo(list.count - 1);
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
