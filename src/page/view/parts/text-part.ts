// Text as a part of a turn: the response, its reasoning, a refusal, a note of the extension. Only new text is drawn.
// Actions on links, files and code blocks go to the host, which checks them.
import type { CodeUse } from "../../../bridge/protocol.ts";
import type { Part } from "../../../conversation/state.ts";
import { button, h, setChildren, setText } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { type Row, rows } from "../../elements/rows.ts";
import {
  type CodeAction,
  createMarkdownView,
  type MarkdownLabels,
  type MarkdownView,
} from "../../markdown/markdown-view.ts";
import type { Post, RenderContext, TurnDeps } from "../../render-context.ts";
import { messageTexts } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { type SourceFacts, sourceLink, sourcesOf, withLinks } from "./citations.ts";
import type { PartSituation, PartView } from "./part-view.ts";

type TextPart = Extract<Part, { type: "text" }>;
type RefusalPart = Extract<Part, { type: "refusal" }>;
type NotePart = Extract<Part, { type: "note" }>;

export function textPart(deps: TurnDeps): PartView<TextPart> {
  const text = markdownPart("text-body", deps);
  const sources = h("ol", { class: "sources cited", "aria-label": strings.cited });
  const drawSources = rows<SourceFacts & Row>(sources, (source) =>
    h("li", {}, sourceLink(source, deps.post)),
  );
  const step = h("p", { class: "step-head" }, strings.beforeChecks);
  const root = h("div", { class: "part text" }, step, text.root, sources);
  let cited: TextPart["citations"];
  return {
    root,
    update(part, situation) {
      const isStep = situation.steps.has(part.id);
      step.hidden = !isStep;
      root.classList.toggle("step", isStep);
      text.update(asShown(part, situation), isOver(part, situation), situation.context);
      if (part.citations === cited) return;
      cited = part.citations;
      drawSources(sourcesOf(part).map((source) => ({ ...source, id: source.url })));
    },
    refresh: text.refresh,
  };
}

/** JSON is shown as code; a response that should be JSON but is not is shown unchanged. */
const asShown = (part: TextPart, { turn }: PartSituation): string =>
  turn.json === true && /^\s*[{[]/.test(part.text)
    ? `${jsonFence}json\n${part.text.trimStart()}`
    : withLinks(part);

/** Longer than any run of backticks in a JSON string. */
const jsonFence = "`".repeat(16);

export function refusalPart(deps: TurnDeps): PartView<RefusalPart> {
  const { root: text, update, refresh } = markdownPart("body", deps);
  const title = h("p", { class: "refusal-head" }, icon("info"), strings.refusal);
  const root = h("div", { class: "part refusal" }, title, text);
  return {
    root,
    update: (part, situation) => update(part.text, isOver(part, situation), situation.context),
    refresh,
  };
}

export function notePart({ post }: TurnDeps): PartView<NotePart> {
  const plain = h("p", { class: "plain", dir: "auto", "data-read": "" });
  const root = h("div", { class: "part note" }, plain);
  // Features that were left out together can be detected one by one. That costs requests, so a button offers it.
  const detect = button(strings.detectFeatures, "link", () =>
    post({ type: "act", action: "detect-features" }),
  );
  return {
    root,
    update(part, { context }) {
      setText(plain, noteWords(part));
      const isPlain = part.notes.some(({ code }) => code === "notePlain" || code === "notePlainForNow");
      if (isPlain && !context.readOnly) root.append(detect);
      else detect.remove();
    },
  };
}

export const noteWords = ({ notes }: NotePart): string => messageTexts(notes);

/** Nothing is added to a part once another one follows or the turn has ended. */
export const isOver = (part: Part, { turn }: PartSituation): boolean =>
  turn.status !== "running" || turn.parts.at(-1)?.id !== part.id;

interface MarkdownPart {
  readonly root: HTMLElement;
  /** `ended` means that no more text follows. */
  update(text: string, ended: boolean, context: RenderContext): void;
  /** The scroll position or sizes have changed. */
  refresh(scroller: Element): void;
}

const labels: MarkdownLabels = {
  plainText: strings.plainText,
  wrap: strings.wrap,
  fold: strings.fold,
  codeActions: strings.codeActions,
  table: strings.table,
  moreTable: strings.moreTable,
  done: strings.taskDone,
  notDone: strings.taskOpen,
  hidden: strings.hiddenCharacter,
  away: (words) => fill(strings.textAway, { words }),
  codeName(language, lines) {
    const code = language === undefined ? strings.codeBlock : fill(strings.codeBlockIn, { language });
    if (lines === undefined) return code;
    return fill(lines === 1 ? strings.codeOneLine : strings.codeLines, { code, count: exact(lines) });
  },
  notOpened: (address) => fill(strings.notOpened, { address }),
  openFile: (path, line) =>
    line === undefined
      ? fill(strings.openFile, { path })
      : fill(strings.openFileAt, { path, line: exact(line) }),
};

const codeActions: readonly CodeAction[] = [
  { id: "copy", label: strings.codeCopy, icon: "copy" },
  { id: "insert", label: strings.codeInsert, icon: "insert" },
  { id: "new-file", label: strings.codeNewFile, icon: "new-file" },
  { id: "propose", label: strings.codePropose, icon: "edit" },
  { id: "terminal", label: strings.codeTerminal, icon: "terminal" },
];

const codeActionsIn = ({ proposesCode }: RenderContext): readonly CodeAction[] =>
  codeActions.filter(({ id }) => id !== "propose" || proposesCode);

export function markdownPart(className: string, deps: TurnDeps): MarkdownPart {
  const root = h("div", { class: className });
  let view: MarkdownView | undefined;
  let drawnFor: string | undefined;

  return {
    root,
    update(text, ended, context) {
      // Math, direction and code actions are fixed when the view is created, so other preferences need a new view.
      const wish = wishOf(context);
      if (view === undefined || wish !== drawnFor) {
        view?.dispose();
        view = newView(context, deps);
        drawnFor = wish;
        setChildren(root, [view.root]);
      }
      view.replace(text);
      if (ended) view.end();
    },
    refresh: (scroller) => view?.refresh(scroller),
  };
}

const wishOf = ({ preferences, proposesCode }: RenderContext): string =>
  [preferences.renderMath, preferences.renderMermaid, preferences.textDirection, proposesCode].join(" ");

function newView(context: RenderContext, { post, say, editorColours }: TurnDeps): MarkdownView {
  const { renderMath, renderMermaid, textDirection } = context.preferences;
  return createMarkdownView({
    labels,
    math: renderMath,
    askForDiagram: renderMermaid ? post : undefined,
    editorColours,
    direction: textDirection,
    onLink: (url) => post({ type: "open-link", url }),
    onFile: (path: string, line?: number) => post({ type: "open-file", path, line }),
    codeActions: codeActionsIn(context),
    onCode(action, code, language) {
      act(post, action, code, language);
      if (action === "copy") say(strings.copied);
    },
  });
}

function act(post: Post, action: string, code: string, language: string): void {
  if (action === "copy") post({ type: "copy", text: code });
  else if (isCodeUse(action)) post({ type: "use-code", use: action, code, language });
}

const uses: readonly string[] = ["insert", "new-file", "propose", "terminal"] satisfies readonly CodeUse[];
const isCodeUse = (action: string): action is CodeUse => uses.includes(action);
