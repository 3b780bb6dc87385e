// One call of a tool: a row that says in words what it does and how it went, its result folded behind it, and the
// question when it needs a yes.
import type { Decision } from "../../../core/conversation/decision.ts";
import { visible } from "../../../core/conversation/hidden-characters.ts";
import type { ToolPart, ToolStatus } from "../../../core/conversation/tool-use.ts";
import { h, setChildren, setText, setTitle } from "../../dom.ts";
import { type IconName, icon } from "../../icons.ts";
import { nameOrWords, wordsOfAll } from "../../messages.ts";
import type { TurnDeps } from "../../turn-context.ts";
import { fill, words } from "../../words.ts";
import { decisionButtons } from "../decision-buttons.ts";
import { foldRow } from "../fold-row.ts";
import type { PartView } from "./part-view.ts";

const pictures: Readonly<Record<ToolStatus, IconName>> = {
  asked: "warning",
  running: "clock",
  done: "check",
  failed: "error",
  refused: "stop",
  stopped: "stop",
};

const statusWords: Readonly<Record<ToolStatus, string>> = {
  asked: words.toolAsked,
  running: words.toolRunning,
  done: words.toolDone,
  failed: words.toolFailed,
  refused: words.toolRefused,
  stopped: words.toolStopped,
};

/** Our own tools in plain words, before and after; those of others keep their names. */
const ownTools: ReadonlyMap<string, readonly [toDo: string, done: string]> = new Map([
  ["read_file", [words.toolReadFile, words.toolReadFile]],
  ["list_files", [words.toolToListFiles, words.toolListFiles]],
  ["search_text", [words.toolToSearchText, words.toolSearchText]],
  ["run_checks", [words.toolToChecks, words.toolChecks]],
  ["problems", [words.toolToProblems, words.toolProblems]],
]);

/** What asks, or was refused, has not been done. */
function verbOf({ name, status }: ToolPart): string {
  const [toDo, done] = ownTools.get(name) ?? [name, name];
  return status === "done" || status === "failed" ? done : toDo;
}

/** A tick, or the buttons, say it well enough to those who look. */
const isOnlyAria = (status: ToolStatus): boolean => status === "done" || status === "asked";

/** What can be read of it. */
export const toolWords = (part: ToolPart): readonly string[] => [
  verbOf(part),
  nameOrWords(part.summary),
  isOnlyAria(part.status) ? "" : statusWords[part.status],
  part.output ?? "",
  wordsOfAll(part.message && [part.message]),
];

export function toolPart({ post, say }: TurnDeps): PartView<ToolPart> {
  const picture = h("span", { class: "picture" });
  const name = h("span", { class: "verb", "data-read": "" });
  const what = h("bdi", { class: "what", "data-read": "" });
  const status = h("span", { class: "status", "data-read": "" });
  const output = h("pre", { dir: "auto", tabindex: "0", role: "group", "data-read": "" });
  const row = foldRow([picture, name, what, status], output);
  const message = h("p", { class: "message", dir: "auto", "data-read": "" });
  const question = h("div", { class: "question-for-you" });
  const root = h("div", { class: "part tool" });
  let shown: ToolPart | undefined;

  return {
    root,
    update(part) {
      if (part === shown) return;
      if (part.status !== shown?.status) {
        setChildren(picture, [icon(pictures[part.status])]);
        setChildren(question, part.status === "asked" ? [buttonsFor(part.call)] : []);
        root.dataset["status"] = part.status;
        root.classList.toggle("card", part.status === "asked");
        status.classList.toggle("heard", isOnlyAria(part.status));
      }
      setText(name, verbOf(part));
      setTitle(name, part.name);
      setText(what, nameOrWords(part.summary));
      setText(status, statusWords[part.status]);
      setText(message, wordsOfAll(part.message && [part.message]));
      message.hidden = part.message === undefined;
      setText(output, part.output ?? "");
      output.setAttribute("aria-label", visible(fill(words.toolOutput, { name: part.name })));
      setChildren(root, [row.show(part.output !== undefined), message, question]);
      shown = part;
    },
  };

  function buttonsFor(call: string): HTMLElement {
    const decide = (decision: Decision) => post({ type: "decide", call, decision });
    const choices = [
      { label: words.allow, primary: true, run: () => decide({ kind: "accept" }) },
      { label: words.decline, run: () => decide({ kind: "reject" }) },
    ];
    const refuse = (reason: string) => decide({ kind: "reject", reason });
    return decisionButtons({ label: words.needsApproval, choices, refuse, say });
  }
}
