// `git_log`, `git_diff` and `git_blame`: the history of the user's files, read and never written. What the ignore list keeps
// back today is kept back in every older state as well.
import * as z from "zod/mini";
import { message } from "../../conversation/messages.ts";
import { type GuardedFiles, maxTextBytes } from "../../files/guarded-files.ts";
import { cleanText, neverSentMessage } from "../../files/privacy.ts";
import { locate, pathOf, Refusal } from "../../files/refusal.ts";
import type { GitHistory } from "../../files/workspace.ts";
import type { FileName } from "../../patch/model.ts";
import { forModel } from "../../util/sentences.ts";
import { asGitWrites, withoutHidden, withoutKeyLines } from "../attached-text.ts";
import { type CallContext, functionTool } from "../tool.ts";
import { diskOnlyNote } from "./list-problems.ts";
import { truncateLine } from "./read-file.ts";

const maxCommits = 50;
const maxMessageLines = 20;
const maxDiffLetters = 40_000;
const maxBlamedLines = 400;

const path = { type: "string", description: "A file or a folder." };
const ref = z.optional(z.string().check(z.maxLength(200)));

export const gitLog = functionTool({
  name: "git_log",
  ability: "read git's history",
  description: `Lists the latest commits of the workspace, a folder or a file, at most ${maxCommits}.`,
  needs: "git",
  parameters: {
    type: "object",
    properties: { path, count: { type: "integer", description: "10 unless told." } },
    additionalProperties: false,
  },
  input: z.object({
    path: z.optional(z.string()),
    count: z.optional(z.int().check(z.minimum(1))),
  }),
  summary: ({ path = "." }) => path,
  async run({ path, count = 10 }, context) {
    const { git, at, name } = await enter(path, context);
    const most = Math.min(count, maxCommits);
    const commits = await git.log(at, most).catch(refuseFailure("git_log"));
    if (commits === undefined) return noRepository(name);
    const all = commits.map(({ hash, author, date, message }) => {
      const [title = "", ...more] = message.trim().split(/\r?\n/);
      const day = date === undefined ? "" : ` ${date.toISOString().slice(0, 10)}`;
      const cut = more.slice(0, maxMessageLines);
      const left = more.length - cut.length;
      const lines = [...cut, ...(left > 0 ? [`[${left} more lines]`] : [])];
      return [`${hash.slice(0, 12)}${day} ${author}: ${title}`, ...lines.map((line) => `  ${line}`)].join(
        "\n",
      );
    });
    const { text } = await cleanText(all.join("\n"));
    const isCut = count > most && commits.length === most;
    const note = isCut ? `\n[${forModel(`count: at most ${maxCommits} are listed.`)}]` : "";
    return { output: text === "" ? forModel("No commits.") : `${text}${note}` };
  },
});

export const gitDiff = functionTool({
  name: "git_diff",
  description:
    "Shows what is not committed; with from, what has changed since that commit; with to, up to that one.",
  needs: "git",
  parameters: {
    type: "object",
    properties: { path, from: { type: "string" }, to: { type: "string" } },
    additionalProperties: false,
  },
  input: z.object({ path: z.optional(z.string()), from: ref, to: ref }),
  summary: ({ path = ".", from, to }) => [path, ...[from, to].flatMap((each) => each ?? [])].join(", "),
  async run({ path, from, to }, context, signal) {
    for (const each of [from, to]) if (each !== undefined) refuseOption(each);
    const { git, at, name } = await enter(path, context);
    const diff = await git.diff(at, from, to).catch(refuseFailure("git_diff"));
    const root = await git.rootOf(at);
    if (diff === undefined || root === undefined) return noRepository(name);
    const begun =
      diff.length <= maxTextBytes ? diff : diff.slice(0, diff.lastIndexOf("\n", maxTextBytes) + 1);
    const written = asGitWrites(begun, name);
    const { text, hidden } = await withoutHidden(written.text, await context.files.pathFilter(root), signal);
    const clean = withoutKeyLines((await cleanText(text)).text).text;
    const left = clean.length - maxDiffLetters + (diff.length - begun.length);
    const notes = [
      ...(left > 0 ? [forModel(`${left} more characters are not shown; name a file or a folder`)] : []),
      ...(hidden > 0 ? [forModel(`${hidden === 1 ? "1 file is" : `${hidden} files are`} never sent`)] : []),
      ...(written.isCut ? [forModel("What another program writes of single files is left out")] : []),
    ].map((each) => `\n[${each}.]`);
    const shown = clean === "" ? forModel("No differences.") : clean.slice(0, maxDiffLetters);
    const onDisk = to === undefined ? diskOnlyNote(context.proposed) : "";
    return { output: `${shown}${notes.join("")}${onDisk}` };
  },
});

export const gitBlame = functionTool({
  name: "git_blame",
  description: `Shows which commit wrote each of some lines of a file, at most ${maxBlamedLines}.`,
  needs: "git",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, start_line: { type: "integer" }, end_line: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
  input: z.object({
    path: z.string(),
    start_line: z.optional(z.int().check(z.minimum(1))),
    end_line: z.optional(z.int().check(z.minimum(1))),
  }),
  summary: ({ path }) => path,
  async run({ path, start_line: start = 1, end_line: end = Number.POSITIVE_INFINITY }, context, signal) {
    // Whatever may not be read is refused here.
    const read = await context.files.read(path, signal);
    const blamed = await gitOf(context).blame(read.file).catch(refuseFailure("git_blame"));
    if (blamed === undefined) return noRepository(read.path);
    // Redact before cutting: half of a key would not be recognized as one.
    const lines = await cleanBlame(blamed);
    if (lines.at(-1) === "") lines.pop();
    if (start > lines.length) return { output: `${read.path} has only ${lines.length} lines.` };
    const last = Math.min(end, lines.length);
    const shown = lines.slice(start - 1, Math.min(last, start - 1 + maxBlamedLines));
    const reached = start - 1 + shown.length;
    const more = reached < last ? `\n[Call again with start_line ${reached + 1} for more.]` : "";
    const note = diskOnlyNote(context.proposed);
    return { output: `${shown.map((line) => truncateLine(line)).join("\n")}${more}${note}` };
  },
});

/**
 * The lines without secrets, which are looked for in the file's own text: who wrote each line stands between the lines
 * of a private key, which would not be recognized as one.
 */
async function cleanBlame(blamed: string): Promise<string[]> {
  const rows = blamed.split("\n").map((row, at) => {
    const sign = ` ${at + 1}) `;
    const from = row.indexOf(sign);
    return from < 0 ? ["", row] : [row.slice(0, from + sign.length), row.slice(from + sign.length)];
  });
  const clean = async (side: 0 | 1) =>
    (await cleanText(rows.map((row) => row[side] ?? "").join("\n"))).text.split("\n");
  const [authors, code] = [await clean(0), await clean(1)];
  return rows.map((_, at) => `${authors[at] ?? ""}${code[at] ?? ""}`);
}

function gitOf({ workspace: { git } }: CallContext): GitHistory {
  if (git === undefined) throw new Error("The tool is offered only where there is Git.");
  return git;
}

/** Throws Refusal if the name leads out of the workspace, or is one that is never sent. */
async function enter(
  path: string | undefined,
  context: CallContext,
): Promise<{ readonly git: GitHistory; readonly at: FileName; readonly name: string }> {
  const { files } = context;
  const at = startOf(path, files);
  const name = pathOf(at, files.folders);
  const isHidden = await files.pathFilter();
  if (at.path !== "" && isHidden(at.path))
    throw new Refusal(message("noteRefused", { name, why: neverSentMessage }));
  return { git: gitOf(context), at, name };
}

/** Of several folders, one has to be named. */
function startOf(path: string | undefined, { folders }: GuardedFiles): FileName {
  const [only = "", ...others] = folders;
  const isEverywhere = path === undefined || path.trim() === "" || path === ".";
  if (isEverywhere && others.length > 0)
    throw new Refusal(
      message("toolNoFit", { name: "git", problem: `path: name one of ${folders.join(", ")}` }),
    );
  return isEverywhere ? { folder: only, path: "" } : locate(path, folders);
}

/** Git would take some of these for options. */
function refuseOption(ref: string): void {
  if (!/^[A-Za-z0-9_@][\w./@^~+-]*$/.test(ref) || ref.includes(".."))
    throw new Refusal(message("toolNoFit", { name: "git_diff", problem: `"${ref}" names no commit` }));
}

/** What Git says itself may name folders of this machine. */
const refuseFailure = (name: string) => (): never => {
  const problem = forModel("Git has refused; is there such a commit, and does it know the path?");
  throw new Refusal(message("toolFailedSaying", { name, problem }));
};

const noRepository = (name: string) => ({ output: forModel(`${name} is in no open Git repository.`) });
