// Accepts at the end of a turn what a person lets it accept by pattern. Whatever needs a decision is left for them: what
// asks for confirmation, deletes, conflicts, weakens a test – and, unless checks have passed with it in a sandbox, whatever
// a check or a build could load, since that runs with the person's rights as soon as it is in the files.
import type { PendingFile } from "../../changes/pending-changes.ts";
import { hasNew } from "../../checks/report.ts";
import { type Message, message } from "../../conversation/messages.ts";
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
  if (recorder.transcript.turn(turn)?.status !== "done") return;
  const calls = new Set(conversation.patchesOf(turn));
  if (calls.size === 0) return;
  const ruleOf = rulesOf(patterns);
  if (ruleOf === undefined)
    return log.info("A pattern of patch.autoAccept cannot be read: nothing is accepted.");
  await changes.refresh();
  // A person reviews changes that break a check, whatever is set.
  const breaks = checks !== undefined && hasNew(checks.results);
  const matching = changes.pending.filter((file) => ruleOf(file.change) !== undefined);
  const reasons = new Map(
    matching.flatMap((file) => {
      const why = breaks ? "ruleBreaks" : whyForPerson(file, calls, conversation);
      return why === undefined ? [] : [[file, why] as const];
    }),
  );
  const files = matching.filter((file) => !reasons.has(file));
  const tellAll = async (accepted: readonly PendingFile[]) => {
    for (const call of calls) {
      const isOf = (file: PendingFile) => file.calls.includes(call);
      const left = [...reasons].filter(([file]) => isOf(file));
      await tell(conversation, turn, call, { accepted: accepted.filter(isOf), left, ruleOf });
    }
  };
  if (files.length === 0) return tellAll([]);
  const shown = new Map(files.map(({ id, revision }) => [id, revision]));
  const hunks = files.flatMap((file) => file.hunks.map(({ id }) => id));
  const { outcome } = await changes.acceptFiles(shown, hunks);
  if (outcome !== "done") {
    log.info(`What a turn proposed was not accepted by its rule: ${outcome}.`);
    return tellAll([]);
  }
  const left = new Set(changes.pending.map(({ id }) => id));
  const accepted = files.filter(({ id }) => !left.has(id));
  await tellAll(accepted);
}

/** Says in the row of a patch which rule has accepted which of its files, and why the first of the others waits. */
async function tell(
  { recorder, deps }: ConversationState,
  turn: string,
  call: string,
  {
    accepted: files,
    left,
    ruleOf,
  }: {
    readonly accepted: readonly PendingFile[];
    readonly left: readonly (readonly [PendingFile, WhyLeft])[];
    readonly ruleOf: Rules;
  },
): Promise<void> {
  const part = recorder.transcript
    .turn(turn)
    ?.parts.find((each) => each.type === "patch" && each.call === call);
  if (part?.type !== "patch") return;
  const say = (about: Message) =>
    recorder.take({
      ...{ type: "patch-state", turn, id: part.id, call, status: part.status, message: about, hunks: [] },
    });
  const waits = whyFirstWaits(left, ruleOf);
  if (files.length === 0) {
    if (waits !== undefined && part.message === undefined) await say(waits);
    return;
  }
  const rules = [...new Set(files.flatMap(({ change }) => ruleOf(change) ?? []))].join(", ");
  const names = files.map(({ change }) => change.file.path).join(", ");
  const isWhole = files.length === part.files.length;
  const said = isWhole ? message("patchByRule", { rules }) : message("patchByRuleIn", { rules, names });
  deps.log.info(`Accepted by the rule ${rules}: ${names}.`);
  await say(waits === undefined ? said : message("patchByRuleLeft", { accepted: said, left: waits }));
}

function whyFirstWaits(
  [first, ...more]: readonly (readonly [PendingFile, WhyLeft])[],
  ruleOf: Rules,
): Message | undefined {
  if (first === undefined) return undefined;
  const [{ change }, why] = first;
  const others = more.length === 0 ? [] : [message("ruleLeftMore", { count: more.length })];
  return message("ruleLeft", {
    ...{ rules: ruleOf(change) ?? "", names: change.file.path },
    why: [message(why), ...others],
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

type WhyLeft =
  | "ruleBreaks"
  | "ruleDeletes"
  | "ruleConflict"
  | "ruleConfirm"
  | "ruleEdited"
  | "ruleFlags"
  | "ruleUnproved";

/** Why a person has to decide about a file that a rule matches. */
function whyForPerson(
  file: PendingFile,
  calls: ReadonlySet<string>,
  { deps: { workspace }, checks }: ConversationState,
): WhyLeft | undefined {
  const { change, conflicts, problem, isEdited, requires, hunks } = file;
  if (change.kind === "delete") return "ruleDeletes";
  if (problem !== undefined || conflicts.length > 0 || requires.length > 0) return "ruleConflict";
  if (change.permission.verdict !== "allow") return "ruleConfirm";
  const isUnsaved = workspace.isUnsaved?.(change.file) === true;
  if (isEdited || isUnsaved || !file.calls.every((call) => calls.has(call))) return "ruleEdited";
  if (hunks.some(({ flags }) => isGrave(flags) || flags.some((flag) => asking.has(flag)))) return "ruleFlags";
  const isProved = [change.file, nameAfter(change)].every((name) => checks?.isProvedInSandbox(name));
  return isProse(change) || isProved ? undefined : "ruleUnproved";
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
