// The menu above the input while the user types `@…` or `/…`. The input keeps the focus and its keys; the menu reports
// which keys it has handled.
import type { Completion } from "../../../bridge/protocol.ts";
import type { AttachKind, ViewState } from "../../../bridge/view-state.ts";
import { h } from "../../elements/dom.ts";
import type { IconName } from "../../elements/icons.ts";
import { isHosted } from "../../render-context.ts";
import { nameOrWords } from "../../words/messages.ts";
import { fill, plural, strings } from "../../words/strings.ts";
import { attachmentIcon } from "./attachment-chips.ts";
import { choosing, type Option, optionList } from "./options/option-list.ts";

interface Trigger {
  readonly sign: "@" | "/";
  readonly query: string;
  /** The positions of the sign and of the caret. */
  readonly from: number;
  readonly to: number;
}

/** Finds the `@word` or `/word` that is being typed. Pure. */
function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  // A command is the first word of a question; a mention may be anywhere except inside a word (an address).
  const command = /^\/([\p{L}\p{N}_-]*)$/u.exec(before);
  if (command !== null) return { sign: "/", query: command[1] ?? "", from: 0, to: caret };
  const mention = /(?:^|[\s([{"'`])@([^\s@]*)$/u.exec(before);
  if (mention === null) return undefined;
  const query = mention[1] ?? "";
  return { sign: "@", query, from: caret - query.length - 1, to: caret };
}

/** Splits a question that begins with the name of a saved command. */
export function splitCommand(
  prompt: string,
  names: readonly string[],
): { readonly prompt: string; readonly command?: string } {
  const found = /^\/([\p{L}\p{N}_-]+)(?:\s+|$)/u.exec(prompt);
  const name = found?.[1];
  if (found === null || name === undefined || !names.includes(name)) return { prompt };
  return { prompt: prompt.slice(found[0].length), command: name };
}

interface SuggestionActions {
  /** Asks the host for items with a similar name. */
  complete(query: string): void;
  pick(kind: AttachKind): void;
  attach(completion: Completion): void;
  /** Runs a command that the page handles itself: `/model`, `/clear`, `/help`. */
  runHere(name: string): void;
  say(sentence: string): void;
}

/** What the host has found for a query. */
export interface CompletionResults {
  readonly query: string;
  readonly items: readonly Completion[];
  /** The host is still listing the workspace, and will answer again. */
  readonly indexing: boolean;
}

interface Suggestions {
  readonly root: HTMLElement;
  /** Text or caret have changed. */
  update(viewState: ViewState): void;
  take(found: CompletionResults): void;
  /** Returns true when the menu has handled the key. */
  key(event: KeyboardEvent): boolean;
  close(): void;
  /** The input has lost the focus or contains another text: what is typed in it is treated as new. */
  leave(): void;
}

const maxItems = 50;

export function suggestions(input: HTMLTextAreaElement, actions: SuggestionActions): Suggestions {
  const list = optionList(strings.suggestions, choosing, accept, input);
  const progress = h("div", { class: "popup-note", hidden: "" }, strings.indexing);
  const root = h("div", { class: "popup", hidden: "" }, list.root, progress);
  let trigger: Trigger | undefined;
  /** The query for which the list was drawn. */
  let drawn: string | undefined;
  let viewState: ViewState | undefined;
  let found: CompletionResults | undefined;
  /**
   * Enter was pressed before the list arrived: its first row is accepted then, unless something else happens before.
   */
  let isPromised = false;
  /** The user has moved to a row. */
  let hasMoved = false;
  /** The position at which Escape closed the menu: it stays closed until another word begins. */
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
      // The host answers one query at a time, and may have been asked another one in the meantime.
      trigger = undefined;
      hide();
    },
  };

  /** What Enter means is not known yet: the list for this query has not arrived, or contains no files yet. */
  function isAwaited(): boolean {
    if (trigger?.sign !== "@" || dismissed >= 0 || viewState === undefined) return false;
    // While nothing is typed, the kinds come first and are available immediately.
    if (!isHosted(viewState) || trigger.query === "") return false;
    return found?.query !== trigger.query || (found.indexing && found.items.length === 0);
  }

  function move(step: number): boolean {
    if (root.hidden) return false;
    hasMoved = true;
    list.move(step);
    return true;
  }

  /** Returns true when the key is handled. */
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
    // The results for a shorter word stay until those for this one are known.
    if (!root.hidden && isAwaited() && found?.query !== trigger?.query) return;
    const options = optionsNow();
    const isIndexing =
      trigger?.sign === "@" && found?.query === trigger.query && found.indexing && dismissed < 0;
    if (options.length === 0 && !isIndexing) {
      hide();
      return;
    }
    if (isIndexing && progress.hidden) actions.say(strings.indexing);
    progress.hidden = !isIndexing;
    const opens = root.hidden;
    // Keep the active row when results arrive late, since the user may be pressing Enter already.
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
    // The input is a combobox only while there is something to choose; otherwise it is a plain text input.
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", list.root.id);
    if (opens && options.length > 0)
      actions.say(plural(options.length, strings.oneSuggestion, strings.manySuggestions));
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

  /** Replaces what was typed, so that the browser's Undo restores it like any other typing. */
  function replaceTyped(text: string): void {
    if (trigger === undefined) return;
    input.focus();
    input.setSelectionRange(trigger.from, trigger.to);
    document.execCommand(text === "" ? "delete" : "insertText", false, text);
  }

  function commandOptions({ commands }: ViewState, query: string): readonly Option[] {
    const saved = commands.map(({ name, detail, origin }) => ({
      label: `/${name}`,
      detail:
        origin === undefined
          ? nameOrWords(detail)
          : fill(strings.fromWorkspace, { detail: nameOrWords(detail) }),
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

/** What can be attached to the question: kinds first while nothing is typed, then open, recent and matching files. */
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
  // "sym" is the beginning of Symbol…, which beats scattered matches in the names of files.
  const begun = kinds.filter(({ label }) => label.toLocaleLowerCase().startsWith(wanted));
  const isNamed = wanted !== "" && found.some(({ matches }) => isContiguous(matches));
  const first = isNamed ? [] : begun;
  return [...first, ...found, ...kinds.filter((kind) => !first.includes(kind))];
}

const isContiguous = (matches: readonly number[] = []): boolean =>
  (matches.at(-1) ?? 0) - (matches[0] ?? 0) < Math.max(1, matches.length);

const sameTrigger = (one: Trigger | undefined, other: Trigger | undefined): boolean =>
  one?.sign === other?.sign && one?.query === other?.query && one?.from === other?.from;

const ownCommands = [
  { name: "model", detail: strings.commandModel, icon: "settings" },
  { name: "clear", detail: strings.commandClear, icon: "add" },
  { name: "compact", detail: strings.commandCompact, icon: "refresh" },
  { name: "help", detail: strings.commandHelp, icon: "info" },
] as const;

/** The most wanted kinds come first. */
const kindOrder: readonly AttachKind[] = [
  "file",
  "selection",
  "folder",
  "symbol",
  "problems",
  "terminal",
  "diff",
  "search",
  "image",
  "image-url",
  "conversation",
];

const kindWords: Readonly<Record<AttachKind, string>> = {
  file: strings.attachFile,
  folder: strings.attachFolder,
  symbol: strings.attachSymbol,
  selection: strings.attachSelection,
  problems: strings.attachProblems,
  terminal: strings.attachTerminal,
  diff: strings.attachDiff,
  search: strings.attachSearch,
  conversation: strings.attachConversation,
  image: strings.attachImage,
  "image-url": strings.attachImageUrl,
};
