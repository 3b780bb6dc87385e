// A tool call: a row that says what it does and how it went, its result in a fold, and the buttons when it needs
// approval.
import type { Decision } from "../../../conversation/events.ts";
import type { Message } from "../../../conversation/messages.ts";
import { longestLine, type ToolPart, type ToolStatus } from "../../../conversation/state.ts";
import { visible, withEscapes } from "../../../util/hidden-characters.ts";
import { foldRow } from "../../elements/controls.ts";
import { button, h, setChildren, setText, setTitle } from "../../elements/dom.ts";
import { type IconName, icon } from "../../elements/icons.ts";
import type { RenderContext, TurnDeps } from "../../render-context.ts";
import { messageTexts, nameOrWords } from "../../words/messages.ts";
import { fill, strings, toolWord } from "../../words/strings.ts";
import { decisionButtons } from "../changes/decision-buttons.ts";
import type { PartView } from "./part-view.ts";
import { questionCard } from "./question-card.ts";

const pictures: Readonly<Record<ToolStatus, IconName>> = {
  asked: "warning",
  running: "clock",
  done: "check",
  failed: "error",
  refused: "stop",
  stopped: "stop",
};

const statusWords: Readonly<Record<ToolStatus, string>> = {
  asked: strings.toolAsked,
  running: strings.toolRunning,
  done: strings.toolDone,
  failed: strings.toolFailed,
  refused: strings.toolRefused,
  stopped: strings.toolStopped,
};

/** A call that needs approval or was refused has not been carried out. */
const verbOf = ({ name, status }: ToolPart): string =>
  toolWord(name, status === "done" || status === "failed" ? "done" : "toDo") ?? name;

/** New findings of checks, and commands that have failed: their row does not show success. */
const failures: ReadonlySet<Message["code"]> = new Set([
  ...(["checkNewFailure", "checkNewFailures", "checkNewError", "checkNewErrors"] as const),
  ...(["checkNew", "checkNewFixed", "checkFound"] as const),
  ...(["commandFailed", "commandSignal", "commandUnknown", "commandTimeout"] as const),
  ...(["commandStopped", "commandStoppedTouched"] as const),
  ...(["commandTooMuchOutput", "commandTooMuchDisk", "commandTooMuchMemory"] as const),
  ...(["commandUnsent", "commandClosed", "commandClosedEarly"] as const),
  ...(["commandTooManyProcesses", "commandNoSandbox", "commandNotStarted"] as const),
]);

const tellsOfFailure = ({ code, args = {} }: Message): boolean =>
  failures.has(code) ||
  Object.values(args).some((each) => Array.isArray(each) && each.some((one: Message) => tellsOfFailure(one)));

/** An open question is shown whole below its row. */
const isOpenQuestion = ({ status, question }: ToolPart): boolean =>
  status === "asked" && question !== undefined;

const whatOf = (part: ToolPart): string => (isOpenQuestion(part) ? "" : nameOrWords(part.summary));

const statusOf = (part: ToolPart): string =>
  isOpenQuestion(part) ? strings.asksYou : statusWords[part.status];

/** The visible outcome: checks that ran successfully may have found something. */
const outcomeOf = ({ status, message }: ToolPart): ToolStatus =>
  status === "done" && message !== undefined && tellsOfFailure(message) ? "failed" : status;

/** The check mark or the buttons make it clear to those who see the page. */
const isOnlyAria = (status: ToolStatus): boolean => status === "done" || status === "asked";

/** The readable text of the part. */
export const toolWords = (part: ToolPart): readonly string[] => [
  verbOf(part),
  whatOf(part),
  isOnlyAria(part.status) ? "" : statusWords[part.status],
  part.output ?? "",
  messageTexts(part.message && [part.message]),
  isOpenQuestion(part) ? (part.question?.text ?? "") : "",
];

/** In pixels, roughly. */
const lineHeight = 18;

/** The whole line as the shell takes it: nothing in it is hidden, and a line break cannot be mistaken for a wrapped line. */
const wholeLine = (line: string): string => withEscapes(line).replaceAll("\n", "⏎\n");

export function toolPart({ post, say }: TurnDeps): PartView<ToolPart> {
  const picture = h("span", { class: "picture" });
  const name = h("span", { class: "verb", "data-read": "" });
  const what = h("bdi", { class: "what", "data-read": "" });
  const status = h("span", { class: "status", "data-read": "" });
  const output = h("pre", { dir: "auto", tabindex: "0", role: "group", "data-read": "" });
  const permission = h("div", { class: "permission" });
  const row = foldRow([picture, name, what, status], h("div", {}, output, permission));
  const message = h("p", { class: "message", dir: "auto", "data-read": "" });
  const line = h("pre", { class: "command", dir: "ltr", tabindex: "0", role: "group", "data-read": "" });
  line.setAttribute("aria-label", strings.commandLine);
  const edited = h("textarea", { class: "field command", dir: "ltr", rows: "1", spellcheck: "false" });
  edited.maxLength = longestLine;
  edited.setAttribute("aria-label", strings.editCommand);
  edited.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // It stays one line, and what runs it is a press of its own.
    event.preventDefault();
    event.stopPropagation();
    if (!event.isComposing && !event.repeat) question.querySelector<HTMLElement>("button")?.focus();
  });
  const question = h("div", { class: "question-for-you" });
  const root = h("div", { class: "part tool" });
  let shown: ToolPart | undefined;

  return {
    root,
    update(part, { context }) {
      showPermission(part, context);
      if (part === shown) return;
      if (part.status !== shown?.status || part.question !== shown.question) {
        setChildren(question, buttonsFor(part));
        // The output of a command is seen while it arrives.
        if (part.command !== undefined) row.setOpen(part.status === "running");
        root.dataset["status"] = part.status;
        root.classList.toggle("card", part.status === "asked");
        status.classList.toggle("heard", isOnlyAria(part.status));
      }
      const outcome = outcomeOf(part);
      if (outcome !== root.dataset["outcome"])
        setChildren(picture, [icon(isOpenQuestion(part) ? "comment" : pictures[outcome])]);
      root.dataset["outcome"] = outcome;
      setText(name, verbOf(part));
      setTitle(name, part.name);
      const isAsked = part.command !== undefined && part.status === "asked";
      setText(what, isAsked ? "" : whatOf(part));
      setText(line, wholeLine(part.command?.line ?? ""));
      if (part.command?.canEdit === true && shown?.command?.canEdit !== true) {
        edited.defaultValue = part.command.line;
        edited.value = part.command.line;
      }
      setText(status, statusOf(part));
      setText(message, messageTexts(part.message && [part.message]));
      message.hidden = part.message === undefined;
      const isFollowed = output.scrollHeight - output.scrollTop - output.clientHeight < 2 * lineHeight;
      setText(output, part.output ?? "");
      output.setAttribute("aria-label", visible(fill(strings.toolOutput, { name: part.name })));
      const lines = isAsked ? [part.command?.canEdit === true ? edited : line] : [];
      setChildren(root, [row.show(part.output !== undefined), message, ...lines, question]);
      if (part.status === "running" && isFollowed) output.scrollTop = output.scrollHeight;
      shown = part;
    },
  };

  /** Where a command has run without asking, the person can withdraw that; once they have, nothing is left to say. */
  function showPermission({ command, status }: ToolPart, { commandFolders, readOnly }: RenderContext): void {
    const folder = status === "running" || status === "asked" ? undefined : command?.allowedIn;
    const isShown = folder !== undefined && commandFolders.includes(folder) && !readOnly;
    if (!isShown) setChildren(permission, []);
    if (!isShown || permission.hasChildNodes()) return;
    const withdraw = () => {
      post({ type: "ask-again-in", folder });
      say(strings.asksAgain);
    };
    setChildren(permission, [
      h("p", { class: "quiet", dir: "auto" }, fill(strings.ranByPermission, { folder })),
      button(strings.askAgainInFolder, "secondary", withdraw),
    ]);
  }

  function buttonsFor({ call, status, command, question: asked }: ToolPart): readonly HTMLElement[] {
    if (status === "running" && command !== undefined) {
      const stop = () => post({ type: "decide", call, decision: { kind: "stop" } });
      return [button(strings.stopCommand, "secondary", stop)];
    }
    let isDecided = false;
    // Once: some models give their next call the same id, and a second press must not answer for it.
    const decide = (decision: Decision) => {
      if (!isDecided) post({ type: "decide", call, decision });
      isDecided = true;
    };
    if (status !== "asked") return [];
    if (asked !== undefined) return [questionCard(asked, { decide, say })];
    const refuse = (reason: string) => decide({ kind: "reject", reason });
    if (command?.canEdit === true) {
      const run = () => {
        const now = edited.value.replace(/[\r\n]+/g, " ").trim();
        if (now === "") edited.focus();
        else decide({ kind: "accept", ...(now !== command.line.trim() && { line: now }) });
      };
      const choices = [
        { label: strings.runInTerminal, primary: true, run },
        { label: strings.decline, run: () => decide({ kind: "reject" }) },
      ];
      return [decisionButtons({ label: strings.needsApproval, choices, refuse, say })];
    }
    const once = { label: strings.allow, run: () => decide({ kind: "accept" }) };
    const always = { label: strings.allowInFolder, run: () => decide({ kind: "accept", always: true }) };
    const choices = [
      ...(command?.canAllow === true ? [{ ...always, primary: true }, once] : [{ ...once, primary: true }]),
      { label: strings.decline, run: () => decide({ kind: "reject" }) },
    ];
    return [decisionButtons({ label: strings.needsApproval, choices, refuse, say })];
  }
}
