// Accepts at the end of a turn what a person lets it accept by pattern. Whatever needs a decision is left for them: what
// asks for confirmation, deletes, conflicts, weakens a test – and, unless checks have passed with it in a sandbox, whatever
// a check or a build could load, since that runs with the person's rights as soon as it is in the files.
import type { PendingFile } from "../../changes/pending-changes.ts";
import { hasNew } from "../../checks/report.ts";
import { message } from "../../conversation/messages.ts";
import { applyEdits, nameAfter } from "../../patch/edits.ts";
import type { FileChange } from "../../patch/model.ts";
import { isGrave, type RiskFlag } from "../../risk/flags.ts";
import { BrokenPattern, readIgnoreRules } from "../../util/ignore-patterns.ts";
import type { ConversationState } from "./conversation-state.ts";

/** The pattern that a file is accepted by. */
type Rules = (change: FileChange) => string | undefined;

export async function acceptByRule(conversation: ConversationState, turn: string): Promise<void> {
  const { deps, recorder, changes, checks } = conversation;
  const { workspace, log, settings } = deps;
  const patterns = settings().autoAccept;
  if (patterns.length === 0 || !workspace.trusted) return;
  // A person reviews changes that break a check, whatever is set.
  if (checks !== undefined && hasNew(checks.results)) return;
  if (recorder.transcript.turn(turn)?.status !== "done") return;
  const calls = new Set(conversation.patchesOf(turn));
  if (calls.size === 0) return;
  const ruleOf = rulesOf(patterns);
  if (ruleOf === undefined)
    return log.info("A pattern of patch.autoAccept cannot be read: nothing is accepted.");
  await changes.refresh();
  const files = changes.pending.filter(
    (file) => ruleOf(file.change) !== undefined && needsNobody(file, calls, conversation),
  );
  if (files.length === 0) return;
  const shown = new Map(files.map(({ id, revision }) => [id, revision]));
  const hunks = files.flatMap((file) => file.hunks.map(({ id }) => id));
  const { outcome } = await changes.acceptFiles(shown, hunks);
  if (outcome !== "done") return log.info(`What a turn proposed was not accepted by its rule: ${outcome}.`);
  const left = new Set(changes.pending.map(({ id }) => id));
  const accepted = files.filter(({ id }) => !left.has(id));
  for (const call of calls)
    await tell(
      conversation,
      turn,
      call,
      accepted.filter((file) => file.calls.includes(call)),
      ruleOf,
    );
}

/** Says in the row of a patch which rule has accepted which of its files. */
async function tell(
  { recorder, deps }: ConversationState,
  turn: string,
  call: string,
  files: readonly PendingFile[],
  ruleOf: Rules,
): Promise<void> {
  const part = recorder.transcript
    .turn(turn)
    ?.parts.find((each) => each.type === "patch" && each.call === call);
  if (part?.type !== "patch" || files.length === 0) return;
  const rules = [...new Set(files.flatMap(({ change }) => ruleOf(change) ?? []))].join(", ");
  const names = files.map(({ change }) => change.file.path).join(", ");
  const isWhole = files.length === part.files.length;
  const said = isWhole ? message("patchByRule", { rules }) : message("patchByRuleIn", { rules, names });
  deps.log.info(`Accepted by the rule ${rules}: ${names}.`);
  await recorder.take({
    ...{ type: "patch-state", turn, id: part.id, call, status: part.status, message: said, hunks: [] },
  });
}

/** A pattern with `!` leaves out whatever it matches. Undefined if one cannot be read: it might be such a one. */
function rulesOf(patterns: readonly string[]): Rules | undefined {
  const read = (pattern: string, fold = (name: string) => name) => readIgnoreRules([pattern], { fold });
  const isOut = (pattern: string) => pattern.startsWith("!");
  try {
    const kept = patterns.filter(isOut).map((each) => read(each.slice(1), (name) => name.toLowerCase()));
    const taken = patterns
      .filter((each) => !isOut(each))
      .map((pattern) => ({ pattern, rules: read(pattern) }));
    return (change) => {
      const names = namesOf(change);
      if (kept.some((rules) => names.some((name) => rules.ignores(name, false)))) return undefined;
      return taken.find(({ rules }) => names.every((name) => rules.ignores(name, false)))?.pattern;
    };
  } catch (error) {
    if (error instanceof BrokenPattern) return undefined;
    throw error;
  }
}

/** All names of the file: before and after a move, and where its links really lead. */
const namesOf = (change: FileChange): readonly string[] => [
  nameAfter(change).path,
  change.file.path,
  change.permission.real,
  ...(change.kind === "move" ? [change.toReal] : []),
];

/** Besides the grave ones: what other programs act on. */
const asking: ReadonlySet<RiskFlag> = new Set<RiskFlag>(["executable-config", "dependency"]);

function needsNobody(
  file: PendingFile,
  calls: ReadonlySet<string>,
  { deps: { workspace }, checks }: ConversationState,
): boolean {
  const { change, conflicts, problem, isEdited, requires, hunks } = file;
  const isFree = problem === undefined && conflicts.length === 0 && requires.length === 0 && !isEdited;
  const isHarmless = change.kind !== "delete" && change.permission.verdict === "allow";
  const isPlain = !hunks.some(({ flags }) => isGrave(flags) || flags.some((flag) => asking.has(flag)));
  return (
    isFree &&
    isHarmless &&
    isPlain &&
    file.calls.every((call) => calls.has(call)) &&
    workspace.isUnsaved?.(change.file) !== true &&
    (isProse(change) || [change.file, nameAfter(change)].every((name) => checks?.isProvedInSandbox(name)))
  );
}

/** What a program could take for code in Markdown: fenced and indented code, tags, templates, doctests, front matter. */
const code = /```|~~~|<[A-Za-z!/?%]|\{[{%]|^(?: {4}|\t)|^ {0,3}(?:>>>|---\s*$|\+\+\+\s*$|(?:im|ex)port\s)/m;

/** No list of names says what a build loads, so only text in which there is nothing to load is exempt. */
function isProse(change: FileChange): boolean {
  if (change.kind === "delete") return false;
  const texts = change.kind === "add" ? [change.text] : [applyEdits(change.base.text, change.edits)];
  return (
    namesOf(change).every((name) => /\.(?:md|markdown)$/i.test(name)) &&
    !texts.some((text) => code.test(text))
  );
}
