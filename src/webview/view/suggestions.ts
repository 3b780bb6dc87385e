// The menu over the box while somebody types `@…` or `/…`. The box keeps the focus and its keys; the menu tells it
// which of them it has used.
import type { Completion } from "../../bridge/protocol.ts";
import type { AttachKind, ViewState } from "../../bridge/view-state.ts";
import { h } from "../dom.ts";
import type { IconName } from "../icons.ts";
import { nameOrWords } from "../messages.ts";
import { isHosted } from "../turn-context.ts";
import { plural, words } from "../words.ts";
import { attachmentIcon } from "./attachment-chips.ts";
import { choosing, type Option, optionList } from "./option-list.ts";
import { type Trigger, triggerAt } from "./suggestion-trigger.ts";

export interface SuggestionActions {
  /** Asks the host for things whose name is like this. */
  complete(query: string): void;
  pick(kind: AttachKind): void;
  attach(completion: Completion): void;
  /** `/model`, `/clear`, `/help`: what the page itself can do. */
  runHere(name: string): void;
  say(sentence: string): void;
}

/** What the host has found for a query. */
export interface Found {
  readonly query: string;
  readonly items: readonly Completion[];
  /** It is still listing the workspace, and answers again. */
  readonly indexing: boolean;
}

export interface Suggestions {
  readonly root: HTMLElement;
  /** Text or caret have changed. */
  update(viewState: ViewState): void;
  take(found: Found): void;
  /** True when the key was for the menu. */
  key(event: KeyboardEvent): boolean;
  close(): void;
  /** The box has lost the focus, or holds something else: what was typed in it is looked at as if it were new. */
  leave(): void;
}

const maxItems = 50;

export function suggestions(input: HTMLTextAreaElement, actions: SuggestionActions): Suggestions {
  const list = optionList(words.suggestions, choosing, accept, input);
  const progress = h("div", { class: "popup-note", hidden: "" }, words.indexing);
  const root = h("div", { class: "popup", hidden: "" }, list.root, progress);
  let trigger: Trigger | undefined;
  /** What was typed when the list was drawn. */
  let drawn: string | undefined;
  let viewState: ViewState | undefined;
  let found: Found | undefined;
  /** Enter came before the list did: the first row is taken when it is there, unless something else happens before. */
  let isPromised = false;
  /** A person has gone to a row. */
  let hasMoved = false;
  /** Closed by Escape at this place: it stays closed until another word begins. */
  let dismissed = -1;

  return {
    root,
    update(next) {
      const before = trigger;
      const { selectionStart, selectionEnd, value } = input;
      trigger = selectionStart === selectionEnd ? triggerAt(value, selectionStart) : undefined;
      if (sameTrigger(before, trigger) && next === viewState) return;
      viewState = next;
      if (!sameTrigger(before, trigger)) {
        isPromised = false;
        hasMoved = false;
      }
      if (trigger?.from !== dismissed) dismissed = -1;
      if (trigger?.sign === "@" && trigger.query !== before?.query && isHosted(next)) {
        actions.complete(trigger.query);
      }
      draw();
    },
    take(next) {
      found = next;
      if (trigger?.sign !== "@" || trigger.query !== next.query) return;
      draw();
      if (isPromised && !isAwaited()) {
        isPromised = false;
        if (list.active !== undefined && !root.hidden) accept(list.active);
      }
    },
    key(event) {
      if (root.hidden && !isAwaited()) return false;
      switch (event.key) {
        case "ArrowDown":
          return move(1);
        case "ArrowUp":
          return move(-1);
        case "Enter":
        case "Tab":
          return !event.shiftKey && choose();
        case "Escape":
          dismissed = trigger?.from ?? -1;
          isPromised = false;
          hide();
          return true;
        default:
          return false;
      }
    },
    close: hide,
    leave() {
      isPromised = false;
      // The host finds for one query at a time, and may have been asked for another one meanwhile.
      trigger = undefined;
      hide();
    },
  };

  /** Nobody can tell yet what Enter would mean: the list of this query is not there, or none of its files is. */
  function isAwaited(): boolean {
    if (trigger?.sign !== "@" || dismissed >= 0 || viewState === undefined) return false;
    // Before a letter the kinds stand first, and are there at once.
    if (!isHosted(viewState) || trigger.query === "") return false;
    return found?.query !== trigger.query || (found.indexing && found.items.length === 0);
  }

  function move(step: number): boolean {
    if (root.hidden) return false;
    hasMoved = true;
    list.move(step);
    return true;
  }

  /** True where the key is used up. */
  function choose(): boolean {
    if (isAwaited() && !hasMoved) {
      isPromised = true;
      return true;
    }
    if (root.hidden || list.active === undefined) return false;
    accept(list.active);
    return true;
  }

  function draw(): void {
    // What was found for a shorter word stays until it is known what this one finds.
    if (!root.hidden && isAwaited() && found?.query !== trigger?.query) return;
    const options = optionsNow();
    const isIndexing =
      trigger?.sign === "@" && found?.query === trigger.query && found.indexing && dismissed < 0;
    if (options.length === 0 && !isIndexing) {
      hide();
      return;
    }
    if (isIndexing && progress.hidden) actions.say(words.indexing);
    progress.hidden = !isIndexing;
    const opens = root.hidden;
    // What comes in later does not slip below a finger that is on Enter already.
    const before = opens || trigger?.query !== drawn ? undefined : list.active?.label;
    drawn = trigger?.query;
    const shown = options.slice(0, maxItems);
    list.show(
      shown,
      Math.max(
        0,
        shown.findIndex(({ label }) => label === before),
      ),
    );
    root.hidden = false;
    // A combobox only while there is something to choose from: the rest of the time it is a box to write in.
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", list.root.id);
    if (opens && options.length > 0)
      actions.say(plural(options.length, words.oneSuggestion, words.manySuggestions));
  }

  function optionsNow(): readonly Option[] {
    if (trigger === undefined || viewState === undefined || dismissed >= 0) return [];
    return (trigger.sign === "/" ? commandOptions : attachOptions)(viewState, trigger.query);
  }

  function hide(): void {
    if (root.hidden) return;
    root.hidden = true;
    progress.hidden = true;
    for (const name of [
      "role",
      "aria-expanded",
      "aria-autocomplete",
      "aria-controls",
      "aria-activedescendant",
    ]) {
      input.removeAttribute(name);
    }
  }

  function accept(option: Option): void {
    hide();
    option.run?.();
  }

  /** Puts text in the place of what was typed, so that Undo takes it back like any other typing. */
  function replaceTyped(text: string): void {
    if (trigger === undefined) return;
    input.focus();
    input.setSelectionRange(trigger.from, trigger.to);
    document.execCommand(text === "" ? "delete" : "insertText", false, text);
  }

  function commandOptions({ commands }: ViewState, query: string): readonly Option[] {
    const saved = commands.map(({ name, detail }) => ({
      label: `/${name}`,
      detail: nameOrWords(detail),
      icon: "comment" as IconName,
      run: () => replaceTyped(`/${name} `),
    }));
    const here = ownCommands.map(({ name, detail, icon }) => ({
      label: `/${name}`,
      detail,
      icon,
      run() {
        replaceTyped("");
        actions.runHere(name);
      },
    }));
    return [...saved, ...here].filter(({ label }) => label.startsWith(`/${query.toLowerCase()}`));
  }

  function attachOptions(state: ViewState, query: string): readonly Option[] {
    const items = found?.query === query ? found.items : [];
    const leaving = (text: string, act: () => void) => () => {
      replaceTyped(text);
      act();
    };
    return contextOptions(state, query, items, {
      pick: (kind) => leaving("", () => actions.pick(kind)),
      attach: (item) => leaving(`${item.label} `, () => actions.attach(item)),
    });
  }
}

/** What can be added to the question: the kinds first while nothing is typed, then files that are open, recent, or so called. */
export function contextOptions(
  state: ViewState,
  query: string,
  items: readonly Completion[],
  run: { pick(kind: AttachKind): () => void; attach(item: Completion): () => void },
): readonly Option[] {
  if (!isHosted(state)) return [];
  const wanted = query.toLocaleLowerCase();
  const kinds = [...state.attachKinds]
    .sort((one, other) => kindOrder.indexOf(one) - kindOrder.indexOf(other))
    .filter((kind) => kind.startsWith(wanted) || kindWords[kind].toLocaleLowerCase().includes(wanted))
    .map((kind) => ({ label: kindWords[kind], icon: attachmentIcon(kind), run: run.pick(kind) }));
  const found = items.map((item) => ({
    label: item.label,
    matches: item.matches,
    isPath: true,
    detail: item.detail,
    icon: attachmentIcon(item.attachment.kind, item.label),
    run: run.attach(item),
  }));
  return query === "" ? [...kinds, ...found] : [...found, ...kinds];
}

const sameTrigger = (one: Trigger | undefined, other: Trigger | undefined): boolean =>
  one?.sign === other?.sign && one?.query === other?.query && one?.from === other?.from;

const ownCommands = [
  { name: "model", detail: words.commandModel, icon: "settings" },
  { name: "clear", detail: words.commandClear, icon: "add" },
  { name: "compact", detail: words.commandCompact, icon: "refresh" },
  { name: "help", detail: words.commandHelp, icon: "info" },
] as const;

/** What is wanted most comes first. */
const kindOrder: readonly AttachKind[] = [
  "file",
  "selection",
  "folder",
  "symbol",
  "problems",
  "terminal",
  "diff",
  "image",
  "image-url",
  "conversation",
];

export const kindWords: Readonly<Record<AttachKind, string>> = {
  file: words.attachFile,
  folder: words.attachFolder,
  symbol: words.attachSymbol,
  selection: words.attachSelection,
  problems: words.attachProblems,
  terminal: words.attachTerminal,
  diff: words.attachDiff,
  conversation: words.attachConversation,
  image: words.attachImage,
  "image-url": words.attachImageUrl,
};
