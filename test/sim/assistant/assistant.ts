// The built-in assistant: a deterministic stand-in for a model that really reads the request. It decides what is
// asked – an edit, an explanation, a tool, a search, talk – and answers as a script.
import type { SeenRequest } from "../request-log.ts";
import { form, type Part, patchCall, reasoning, text } from "../script.ts";
import { type Attachment, pathIn, withoutPaths } from "./attachments.ts";
import { type Conversation, readConversation, type ToolResult } from "./conversation.ts";
import { type PlannedEdit, planEdit, planRename } from "./edits.ts";
import { errand } from "./errands.ts";
import { explain, language } from "./explaining.ts";
import { listFindings } from "./findings.ts";
import { planning } from "./planning.ts";
import { afterReplacing, editedBy, replacements } from "./replacing.ts";
import { simulation } from "./simulations.ts";
import { symbolsOf } from "./symbols.ts";
import { introduce, longText, searchTheWeb } from "./talking.ts";
import { askedCommand, askedTool, fileAskedFor, lookFor } from "./tool-use.ts";
import { inText } from "./tools-in-text.ts";

export interface AssistantOptions {
  /** Milliseconds between two words; 0 for tests. */
  readonly pace: number;
}

const editWords =
  /\b(add(?! up)|remove|delete|fix|edit|rename|replace|refactor|simplify|improve|clean up|document|docs?|comments?|docstrings?|tests?|make \w+ return|set (?:the )?\w+ to|change|modernize)\b/i;
const explainWords = /\b(explain|describe|what|how|why|summari[sz]e|understand|review|meaning|does)\b/i;
const searchWords = /\b(search|look up|google|web|online|latest|news)\b/i;

export function createAssistant({ pace }: AssistantOptions): (request: SeenRequest) => readonly Part[] {
  return (request) => {
    const conversation = readConversation(request);
    const sent = errand(conversation.said);
    if (sent !== undefined) return [text(sent)];
    const parts = simulation(conversation.question) ?? decide(conversation);
    const { written } = conversation;
    return [form({ pace }), ...(written === undefined ? parts : inText(parts, written, "I look."))];
  };
}

function decide(conversation: Conversation): readonly Part[] {
  const { question, said, attachments, results, prefix } = conversation;
  if (prefix !== "") return [text(` … and so it goes on, from where “${prefix.slice(-24)}” left it.`)];
  const patched = results.findLast((result) => result.name === "apply_patch");
  if (patched !== undefined) return afterPatch(patched, conversation);
  const edited = editedBy(results);
  if (edited.length > 0) return [afterReplacing(edited, plan(conversation))];
  const long = longText(question);
  if (long !== undefined) return [text(long)];
  const planned = planning(conversation);
  if (planned !== undefined) return planned;
  const found = listFindings(question, said.join("\n"));
  if (found !== undefined) return [think("I look for what can go wrong.", "Reviewing the code"), text(found)];
  if (/commit message/i.test(question)) return [text(commitMessage(conversation))];
  if (conversation.canSearch && searchWords.test(question))
    return [
      ...searchTheWeb(conversation).slice(0, 1),
      think("The answer is on the web."),
      ...searchTheWeb(conversation).slice(1),
    ];
  const ran = results.some(({ name }) => name === "run_command");
  const command = ran ? undefined : askedCommand(conversation);
  if (command !== undefined) return [think("I run it on a copy of the workspace."), command];
  if (ran) return [think("Now I know how it ends."), text(report(results))];
  if (
    editWords.test(withoutPaths(question)) &&
    !/^\s*(explain|describe|summari[sz]e|how|what|why)\b/i.test(question)
  )
    return edit(conversation);
  const tool = results.length === 0 && !isAbout(attachments, question) ? askedTool(conversation) : undefined;
  if (tool !== undefined) return [think("I need to look at the workspace first."), tool];
  const read = results.some((result) => /read/i.test(result.name));
  if (attachments[0] !== undefined && (read || explainWords.test(question)))
    return [
      think(noted(fileFor(conversation, attachments[0])), "Reading the file"),
      text(explain(fileFor(conversation, attachments[0]))),
    ];
  if (results.length > 0) return [think("Now I know what I wanted to know."), text(report(results))];
  const look =
    explainWords.test(question) && fileAskedFor(conversation) !== undefined
      ? lookFor(conversation)
      : undefined;
  return look === undefined ? [think("A question without code."), text(introduce(conversation))] : [look];
}

function think(about: string, title = "Reading the request"): Part {
  return reasoning(`**${title}**\n\n${about}`);
}

/** What a reader notes while reading. */
function noted(file: Attachment): string {
  const names = symbolsOf(file).map((symbol) => symbol.name);
  const seen = names.length === 0 ? "There is no code in it." : `It defines ${names.slice(0, 6).join(", ")}.`;
  return `I go through ${file.path} from top to bottom. ${seen}`;
}

function isAbout(attachments: readonly Attachment[], question: string): boolean {
  return attachments.length > 0 && explainWords.test(question);
}

/** A file the question names comes before what is attached first. */
function fileFor({ question, attachments }: Conversation, otherwise: Attachment): Attachment {
  const path = pathIn(question);
  return attachments.find((file) => path !== undefined && file.path.endsWith(path)) ?? otherwise;
}

/** The file that is to be changed, where it has been seen. */
function fileToEdit(conversation: Conversation): Attachment | undefined {
  const [first] = conversation.attachments;
  return first === undefined ? undefined : fileFor(conversation, first);
}

function plan(conversation: Conversation): PlannedEdit | undefined {
  const { question, attachments } = conversation;
  const file = fileToEdit(conversation);
  const whole = attachments.find(({ path, selected }) => path === file?.path && !selected);
  const planIn = (each: Attachment | undefined) => each && planEdit(question, each);
  return planRename(question, attachments) ?? planIn(file) ?? planIn(whole);
}

function edit(conversation: Conversation): readonly Part[] {
  const { question } = conversation;
  const file = fileToEdit(conversation);
  const named = pathIn(question);
  const known = file !== undefined && (named === undefined || file.path.endsWith(named));
  if (!known) {
    const look = lookFor(conversation);
    if (look !== undefined) return [think("I have to see the file before I change it."), look];
  }
  if (file === undefined) return [text("Attach the file, or select the lines, and I will change them.")];
  const planned = plan(conversation);
  if (planned === undefined) return [think("I look for what could be meant."), text(helpless(file))];
  if (conversation.canPatch) return propose(planned);
  const calls = replacements(planned, conversation);
  return calls.length > 0
    ? [think(smallChange, "Planning the change"), ...calls]
    : [think("I write the changed lines down.", "Planning the change"), text(written(planned))];
}

const smallChange = "A small change is enough; everything around it stays as it is.";

function propose(planned: PlannedEdit): readonly Part[] {
  return [
    think(smallChange, "Planning the change"),
    text(`Here is a patch for \`${planned.path}\`:\n\n- ${planned.summary}`),
    patchCall(planned.patch),
  ];
}

function written({ path, summary, after }: PlannedEdit): string {
  return `${summary} In \`${path}\`:\n\n\`\`\`${language(path)}\n${after.join("\n")}\n\`\`\``;
}

function helpless(file: Attachment): string {
  return `I read \`${file.path}\` and found nothing to change for this request. I can rename, replace, refactor, document, add tests, and fix a limit that is compared wrongly.`;
}

function afterPatch(patched: ToolResult, { question }: Conversation): readonly Part[] {
  if (/^success|applied/i.test(patched.output)) {
    const paths = [...patched.output.matchAll(/^[AMDR] (.+)$/gm)].map(([, path = ""]) => `\`${path}\``);
    return [text(`Done: ${paths.join(", ") || "the patch"} changed as asked.`)];
  }
  if (/reject|declin|denied|not applied|cancel/i.test(patched.output))
    return [text("All right, I leave the file as it is. Tell me what should be different.")];
  return [
    text(
      `The patch did not fit:\n\n> ${patched.output.split("\n")[0]}\n\nSend me the file as it is now and I will try “${question}” again.`,
    ),
  ];
}

function report(results: readonly ToolResult[]): string {
  return results
    .map(({ name, output }) => {
      const lines = output.split("\n").filter((line) => line.trim() !== "");
      const shown = lines.slice(0, 12).map((line) => `- \`${line.trim().replaceAll("`", "'")}\``);
      const more = lines.length > 12 ? [`- … and ${lines.length - 12} more`] : [];
      return [
        `\`${name}\` found ${lines.length} line${lines.length === 1 ? "" : "s"}:`,
        "",
        ...shown,
        ...more,
      ].join("\n");
    })
    .join("\n\n");
}

function commitMessage({ changed, attachments }: Conversation): string {
  const paths = changed.length > 0 ? changed : attachments.map((file) => file.path);
  return `Change ${paths.slice(0, 2).join(" and ") || "the workspace"}`;
}
