// Running text as a part of a turn: the answer, its reasoning, a refusal, a remark of ours. Only what is new is drawn; what
// is asked of a link, a file or a code block goes to the host, which looks before it acts.
import type { CodeUse } from "../../../bridge/protocol.ts";
import type { Part } from "../../../core/conversation/state.ts";
import { button, h, setChildren, setText } from "../../dom.ts";
import { icon } from "../../icons.ts";
import {
  type CodeAction,
  createMarkdownView,
  type MarkdownLabels,
  type MarkdownView,
} from "../../markdown/markdown-view.ts";
import { wordsOfAll } from "../../messages.ts";
import { exact } from "../../numbers-and-times.ts";
import { type Row, rows } from "../../rows.ts";
import type { Post, Scene, TurnDeps } from "../../turn-context.ts";
import { fill, words } from "../../words.ts";
import { type SourceFacts, sourceLink } from "../source-link.ts";
import { sourcesOf, withLinks } from "./citations.ts";
import type { PartSituation, PartView } from "./part-view.ts";

type TextPart = Extract<Part, { type: "text" }>;
type RefusalPart = Extract<Part, { type: "refusal" }>;
type NotePart = Extract<Part, { type: "note" }>;

export function textPart(deps: TurnDeps): PartView<TextPart> {
  const text = markdownPart("text-body", deps);
  const sources = h("ol", { class: "sources cited", "aria-label": words.cited });
  const drawSources = rows<SourceFacts & Row>(sources, (source) =>
    h("li", {}, sourceLink(source, deps.post)),
  );
  const root = h("div", { class: "part text" }, text.root, sources);
  let cited: TextPart["citations"];
  return {
    root,
    update(part, situation) {
      text.update(asShown(part, situation), isOver(part, situation), situation.scene);
      if (part.citations === cited) return;
      cited = part.citations;
      drawSources(sourcesOf(part).map((source) => ({ ...source, id: source.url })));
    },
  };
}

/** JSON is read as code, and what was asked to be JSON and is none as it is. */
const asShown = (part: TextPart, { turn }: PartSituation): string =>
  turn.json === true && /^\s*[{[]/.test(part.text)
    ? `${jsonFence}json\n${part.text.trimStart()}`
    : withLinks(part);

/** Longer than any that a string in it holds. */
const jsonFence = "`".repeat(16);

export function refusalPart(deps: TurnDeps): PartView<RefusalPart> {
  const { root: text, update } = markdownPart("body", deps);
  const title = h("p", { class: "refusal-head" }, icon("info"), words.refusal);
  const root = h("div", { class: "part refusal" }, title, text);
  return { root, update: (part, situation) => update(part.text, isOver(part, situation), situation.scene) };
}

export function notePart({ post }: TurnDeps): PartView<NotePart> {
  const plain = h("p", { class: "plain", dir: "auto", "data-read": "" });
  const root = h("div", { class: "part note" }, plain);
  // What was left out at once may be taken one by one; that costs requests, so it is asked for.
  const detect = button(words.detectFeatures, "link", () => post({ type: "act", action: "detect-features" }));
  return {
    root,
    update(part, { scene }) {
      setText(plain, noteWords(part));
      const isPlain = part.notes.some(({ code }) => code === "notePlain");
      if (isPlain && !scene.readOnly) root.append(detect);
      else detect.remove();
    },
  };
}

export const noteWords = ({ notes }: NotePart): string => wordsOfAll(notes);

/** Nothing is added to a part once another one follows, or the turn has ended. */
export const isOver = (part: Part, { turn }: PartSituation): boolean =>
  turn.status !== "running" || turn.parts.at(-1)?.id !== part.id;

export interface MarkdownPart {
  readonly root: HTMLElement;
  /** `ended`: no more text comes. */
  update(text: string, ended: boolean, scene: Scene): void;
}

const labels: MarkdownLabels = {
  plainText: words.plainText,
  wrap: words.wrap,
  fold: words.fold,
  codeActions: words.codeActions,
  table: words.table,
  moreTable: words.moreTable,
  done: words.taskDone,
  notDone: words.taskOpen,
  hidden: words.hiddenCharacter,
  codeName(language, lines) {
    const code = language === undefined ? words.codeBlock : fill(words.codeBlockIn, { language });
    if (lines === undefined) return code;
    return fill(lines === 1 ? words.codeOneLine : words.codeLines, { code, count: exact(lines) });
  },
  notOpened: (address) => fill(words.notOpened, { address }),
  openFile: (path, line) =>
    line === undefined ? fill(words.openFile, { path }) : fill(words.openFileAt, { path, line: exact(line) }),
};

const codeActions: readonly CodeAction[] = [
  { id: "copy", label: words.codeCopy, icon: "copy" },
  { id: "insert", label: words.codeInsert, icon: "insert" },
  { id: "new-file", label: words.codeNewFile, icon: "new-file" },
  { id: "propose", label: words.codePropose, icon: "edit" },
  { id: "terminal", label: words.codeTerminal, icon: "terminal" },
];

const codeActionsIn = ({ proposesCode }: Scene): readonly CodeAction[] =>
  codeActions.filter(({ id }) => id !== "propose" || proposesCode);

export function markdownPart(className: string, deps: TurnDeps): MarkdownPart {
  const root = h("div", { class: className });
  let view: MarkdownView | undefined;
  let drawnFor: string | undefined;

  return {
    root,
    update(text, ended, scene) {
      // Math, direction and what can be done with code are settled at birth: another wish is another view.
      const wish = wishOf(scene);
      if (view === undefined || wish !== drawnFor) {
        view?.dispose();
        view = newView(scene, deps);
        drawnFor = wish;
        setChildren(root, [view.root]);
      }
      view.replace(text);
      if (ended) view.end();
    },
  };
}

const wishOf = ({ preferences, proposesCode }: Scene): string =>
  [preferences.renderMath, preferences.textDirection, proposesCode].join(" ");

function newView(scene: Scene, { post, say }: TurnDeps): MarkdownView {
  const { renderMath, textDirection } = scene.preferences;
  return createMarkdownView({
    labels,
    math: renderMath,
    direction: textDirection,
    onLink: (url) => post({ type: "open-link", url }),
    onFile: (path: string, line?: number) => post({ type: "open-file", path, line }),
    codeActions: codeActionsIn(scene),
    onCode(action, code, language) {
      act(post, action, code, language);
      if (action === "copy") say(words.copied);
    },
  });
}

function act(post: Post, action: string, code: string, language: string): void {
  if (action === "copy") post({ type: "copy", text: code });
  else if (isCodeUse(action)) post({ type: "use-code", use: action, code, language });
}

const uses: readonly string[] = ["insert", "new-file", "propose", "terminal"] satisfies readonly CodeUse[];
const isCodeUse = (action: string): action is CodeUse => uses.includes(action);
