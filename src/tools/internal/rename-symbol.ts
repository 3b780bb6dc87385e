// `rename_symbol`: another name for a thing of the code wherever it is used, as the editor's language service finds it. It
// becomes a proposal by the door of patches, so that it is guarded, reviewed and undone like one.
import * as z from "zod/mini";
import { type Message, message } from "../../conversation/messages.ts";
import { locate, pathOf, Refusal } from "../../files/refusal.ts";
import { unlessRefused } from "../../files/walk.ts";
import type { CodePlace, NameEdit } from "../../files/workspace.ts";
import { limits } from "../../patch/model.ts";
import { groupBy } from "../../util/collections.ts";
import { forModel } from "../../util/sentences.ts";
import { raceAbort } from "../../util/timeouts.ts";
import { proposePatch } from "../apply-patch.ts";
import { type CallContext, functionTool, type Tool, type ToolResult } from "../tool.ts";
import { languagesIn, type PlaceInput, placeInput, placeOf, placeOfName } from "./navigate-code.ts";

const maxSeconds = 30;
/** Lines around a change that tell its place in the patch. */
const contextLines = 3;
/** Lines with the name that are told; a search finds the others. */
const maxLeft = 20;

const name = "rename_symbol";

type RenameInput = PlaceInput & { readonly new_name: string };

const { seconds: _, ...declared } = functionTool({
  name,
  description: "Proposes another name for a name of the code wherever it is used.",
  needs: "languages",
  kind: "write",
  permission: "ask",
  parameters: {
    ...placeOfName,
    properties: { ...placeOfName.properties, line: { type: "integer" }, new_name: { type: "string" } },
    required: [...placeOfName.required, "new_name"],
  },
  input: z.extend(placeInput, { new_name: z.string().check(z.minLength(1), z.maxLength(500)) }),
  summary: ({ name, new_name: to, path }) => `${name} → ${to}, ${path}`,
  run: rename,
});

/** A proposal is never abandoned halfway, so that only the language service has a time limit. */
export const renameSymbol: Tool = { ...declared, reviews: true };

async function rename(input: RenameInput, context: CallContext, signal: AbortSignal): Promise<ToolResult> {
  const { at, path } = await placeOf(input, context, signal);
  const asked = declaredAt(input.name, at, context).then((place) =>
    languagesIn(context).rename(input.name, place, input.new_name),
  );
  const due = AbortSignal.timeout(maxSeconds * 1000);
  const {
    edits,
    moves = [],
    otherFiles = 0,
    others,
    left = [],
    why,
  } = await raceAbort(asked, AbortSignal.any([signal, due])).catch((error: unknown) => {
    signal.throwIfAborted();
    if (due.aborted) throw new Refusal(message("toolSlow", { name, seconds: maxSeconds }));
    throw error;
  });
  if (otherFiles > 0) throw new Refusal(message("toolRenameFiles", { count: otherFiles }));
  if (edits.length === 0 && moves.length === 0 && others === 0)
    throw new Refusal(nothingBecause(path, left.length > 0, why));
  if (edits.length > limits.hunks)
    throw new Refusal(message("toolRenameMany", { count: edits.length, most: limits.hunks }));
  const sections: string[] = [];
  let hidden = others;
  const { folders } = context.files;
  const byPath = groupBy(edits, ({ file }) => pathOf(file, folders));
  const goals = new Map(moves.map(({ from, to }) => [pathOf(from, folders), pathOf(to, folders)]));
  for (const each of new Set([...byPath.keys(), ...goals.keys()])) {
    const own = byPath.get(each) ?? [];
    const section = await sectionOf(each, own, goals.get(each), context, signal);
    if (section === undefined) hidden += Math.max(1, own.length);
    else sections.push(section);
  }
  if (hidden > 0) throw new Refusal(message("toolRenameHidden", { count: hidden }));
  const patch = ["*** Begin Patch", ...sections, "*** End Patch"].join("\n");
  const proposed = await proposePatch(patch, context);
  if (left.length === 0) return proposed;
  const places = left
    .slice(0, maxLeft)
    .map((each) => `${pathOf(each.file, context.files.folders)}:${each.line}`);
  const more = left.length > maxLeft ? forModel(` and ${left.length - maxLeft} more places`) : "";
  const note = forModel(`Not renamed, because these lines are only proposed: ${places.join(", ")}${more}.`);
  return { ...proposed, output: `${proposed.output}[${note}]` };
}

/**
 * Where the name is declared. Asked for another name where it is imported, a language service may only give the import
 * an alias.
 */
async function declaredAt(
  name: string,
  at: CodePlace,
  { workspace, ...context }: CallContext,
): Promise<CodePlace> {
  const { places } = await languagesIn({ workspace, ...context }).places("definition", name, at);
  const [declared, ...others] = places;
  if (declared === undefined || others.length > 0) return at;
  const reading = await workspace.read(declared.file).catch(() => undefined);
  if (reading?.kind !== "text") return at;
  const line = reading.text.split(/\r\n|\r|\n/)[declared.line - 1] ?? "";
  return line.startsWith(name, declared.column - 1) ? declared : at;
}

function nothingBecause(path: string, isProposed: boolean, why: string | undefined): Message {
  if (why) return message("toolRenameWhy", { why });
  return isProposed ? message("toolRenameProposed") : message("toolRenameNothing", { path });
}

/** What a patch says of one file, and where it goes; `undefined` if no tool may read it. */
async function sectionOf(
  path: string,
  edits: readonly NameEdit[],
  goal: string | undefined,
  { files, workspace }: CallContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  if ((await files.read(path, signal).catch(unlessRefused)) === undefined) return undefined;
  const reading = await workspace.read(locate(path, files.folders));
  if (reading.kind !== "text") return undefined;
  const lines = reading.text.split(/\r\n|\r|\n/);
  const changed = new Map<number, string>();
  // From the end of a line to its beginning, so that the columns of the others stay.
  for (const { line, column, length, text } of edits.toSorted((one, other) => other.column - one.column)) {
    const now = changed.get(line) ?? lines[line - 1] ?? "";
    changed.set(line, now.slice(0, column - 1) + text + now.slice(column - 1 + length));
  }
  const numbers = [...changed.keys()].toSorted((one, other) => one - other);
  const move = goal === undefined ? [] : [`*** Move to: ${goal}`];
  const hunks = hunksOf(numbers).flatMap((own) => hunkOf(own, lines, changed));
  return [`*** Update File: ${path}`, ...move, ...hunks].join("\n");
}

/** Lines whose surroundings meet are one hunk. */
function hunksOf(numbers: readonly number[]): number[][] {
  const hunks: number[][] = [];
  for (const number of numbers) {
    const last = hunks.at(-1);
    if (last !== undefined && number - (last.at(-1) ?? 0) <= 2 * contextLines) last.push(number);
    else hunks.push([number]);
  }
  return hunks;
}

/** Its line number decides where the same lines stand twice. */
function hunkOf(
  numbers: readonly number[],
  lines: readonly string[],
  changed: ReadonlyMap<number, string>,
): string[] {
  const from = Math.max(1, (numbers[0] ?? 1) - contextLines);
  const end = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const to = Math.min(end, (numbers.at(-1) ?? 1) + contextLines);
  const shown: string[] = [];
  for (let number = from; number <= to; number++) {
    const line = lines[number - 1] ?? "";
    const instead = changed.get(number);
    if (instead === undefined) shown.push(` ${line}`);
    else shown.push(`-${line}`, `+${instead}`);
  }
  const range = `${from},${to - from + 1}`;
  return [`@@ -${range} +${range} @@`, ...shown];
}
