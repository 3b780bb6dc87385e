// Runs one turn at a time: gets a person's agreement before the request is sent, then passes everything that follows to
// the recorder. Does not know why something is asked or how the request is made.
import type { ChangeSet } from "../../changes/change-set.ts";
import type { PendingFile } from "../../changes/pending-changes.ts";
import { hasNew } from "../../checks/report.ts";
import { checksForModel, type SessionChecks } from "../../checks/session-checks.ts";
import type { Message } from "../../conversation/messages.ts";
import type { Problem, ProblemAction } from "../../conversation/problem.ts";
import type { Turn } from "../../conversation/state.ts";
import type { Workspace } from "../../files/workspace.ts";
import type { Exchange } from "../../inspect/exchanges.ts";
import type { FileName } from "../../patch/model.ts";
import { isInScope, namesFiles, namesIn } from "../../risk/file-risk.ts";
import { isGrave } from "../../risk/flags.ts";
import { applyPatch } from "../../tools/apply-patch.ts";
import { restoreAttachments } from "../../tools/attached-text.ts";
import type { ToolContext } from "../../tools/tool.ts";
import type { ToolTable } from "../../tools/tool-table.ts";
import { monotonicClock } from "../../util/monotonic-clock.ts";
import { present } from "../../util/present.ts";
import type { SessionContext } from "../session-context.ts";
import { type AskPerson, SpendGuard } from "../spend-guard.ts";
import type { ReadyOpening, TurnInputs, TurnRequests } from "./build-request.ts";
import { chatSteps } from "./chat-completions-turn.ts";
import { isDecisionReport } from "./decision-report.ts";
import type { Recorder } from "./recorder.ts";
import { summarySteps } from "./run-compaction.ts";
import type { PendingDecisions } from "./run-tool-call.ts";
import { responsesSteps, runTurn } from "./run-turn.ts";
import type { SentQuestion } from "./session-draft.ts";
import { repeatedCallName } from "./transcript.ts";
import { modelLimitProblem, outgoingOf, type TurnDeps, type TurnRequest } from "./turn-request.ts";
import type { Question } from "./user-question.ts";

export interface TurnRunnerDeps extends SessionContext {
  /** Asks a person before something is sent. */
  readonly ask: AskPerson;
  /** Keeps a question on the disk until its turn contains it. */
  hold(question: SentQuestion): Promise<void>;
}

interface TurnRunnerParts {
  readonly recorder: Recorder;
  readonly inputs: TurnInputs;
  readonly changes: ChangeSet;
  readonly checks: SessionChecks | undefined;
  readonly requests: TurnRequests;
  readonly decisions: PendingDecisions;
}

/** Model and stop signal, which exist from the first moment, before anything else about the turn is known. */
export interface AskOptions {
  readonly model: string;
  readonly signal: AbortSignal;
}

/** A question to ask. */
export interface TurnSpec {
  /** The text a person wrote; absent if nothing new is asked. */
  readonly words?: string;
  read(signal: AbortSignal): Question | Promise<Question>;
  /** This turn and everything after it are discarded for the question. */
  readonly insteadOf?: string;
  /** False: request the reply without streaming. */
  readonly stream?: boolean;
  /** Reads the question again without the attachments that have these labels. */
  trim?(labels: ReadonlySet<string>, signal: AbortSignal): Promise<Question>;
  /** The id of its turn; absent: a new one. */
  readonly turn?: string;
  /** Called when the question is not sent after all. */
  kept?(): void;
}

export class TurnRunner {
  readonly #deps: TurnRunnerDeps;
  readonly #parts: TurnRunnerParts;
  readonly #spending: SpendGuard;

  constructor(deps: TurnRunnerDeps, parts: TurnRunnerParts) {
    this.#deps = deps;
    this.#parts = parts;
    const { counts, prices, settings, now } = deps;
    this.#spending = new SpendGuard({ counts, prices, now, limit: () => settings().askAboveTokens });
  }

  /**
   * Discards this turn and everything after it for a question, which is kept on the disk until its own turn contains
   * it.
   */
  async giveUp(insteadOf: string, turn: string, question: Question): Promise<void> {
    const [item] = question.items.filter((each) => !isDecisionReport(each));
    const attached = restoreAttachments(question.attachments, item);
    await this.#deps.hold({ turn, words: question.prompt, attached });
    await this.#withdraw(insteadOf);
    await this.#parts.recorder.cut(insteadOf);
  }

  /** Withdraws pending changes of a turn and those after it; accepted ones stay. */
  async #withdraw(turn: string): Promise<void> {
    const { turns } = this.#parts.recorder.transcript.state;
    const calls = turns.slice(turns.findIndex(({ id }) => id === turn)).flatMap(patchesOf);
    if (calls.length > 0) await this.#parts.changes.withdraw(calls);
  }

  /**
   * Returns the request a person agreed to, `undefined` if none, or `compact` if the conversation is to be summarized
   * first.
   */
  async agree(
    wanted: TurnRequest,
    { insteadOf, trim }: Pick<TurnSpec, "insteadOf" | "trim">,
    ready: ReadyOpening,
    signal: AbortSignal,
  ): Promise<TurnRequest | "compact" | undefined> {
    const beyond = wanted.compacts ? undefined : this.#beyond(wanted, insteadOf === undefined);
    const answer: ProblemAction | undefined = beyond && (await this.#deps.ask(beyond, signal));
    if (answer === "compact") return answer;
    if (beyond !== undefined && answer !== "send-anyway") return undefined;
    const { turns } = this.#parts.recorder.transcript.state;
    const leaving = { request: wanted, turns, insteadOf, isNew: ready.isNew, canTrim: trim !== undefined };
    const agreement = await this.#spending.agree(leaving, this.#deps.ask, signal);
    if (agreement.kind === "keep") return undefined;
    if (agreement.kind !== "trim" || trim === undefined) return wanted;
    return this.#parts.requests.make(await trim(agreement.labels, signal), wanted.model, ready, insteadOf);
  }

  #beyond(request: TurnRequest, isCompactable: boolean): Problem | undefined {
    const { settings, counts } = this.#deps;
    const outgoing = outgoingOf(request);
    const model = settings().models.find(({ id }) => id === request.model);
    return modelLimitProblem(outgoing, model, () => counts.aboutRequest(outgoing).tokens, {
      window: this.#parts.requests.window(request.model),
      isCompactable: isCompactable && request.history.length > 0,
    });
  }

  /** `window`: the context window found for the model. */
  async run(request: TurnRequest, ready: ReadyOpening, signal: AbortSignal, window?: number): Promise<void> {
    const { recorder, inputs, requests, checks } = this.#parts;
    const table = inputs.table(recorder.transcript.choices);
    const begun = await requests.begin(request, ready);
    const isResponses = request.route === "responses";
    const steps = request.compacts ? summarySteps : isResponses ? responsesSteps : chatSteps;
    await runTurn(steps, begun, this.#turnNeeds(table, request, window), signal);
    if (!isResponses && !signal.aborted && checks?.isDue === true && this.#hasProposed(request.turn))
      await checks.run(signal).catch(() => {});
    if (table.permission(applyPatch) === "auto") await this.#acceptUnasked(request.turn);
  }

  #hasProposed(turn: string): boolean {
    const own = this.#parts.recorder.transcript.turn(turn);
    return own !== undefined && patchesOf(own).length > 0;
  }

  /** Accepts what a turn has proposed if nothing speaks against it; the rest needs a review. */
  async #acceptUnasked(turn: string): Promise<void> {
    const { recorder, changes, checks } = this.#parts;
    const { workspace, log } = this.#deps;
    // A person reviews changes that break a check, whatever is set.
    if (checks !== undefined && hasNew(checks.results)) return;
    const own = recorder.transcript.turn(turn);
    if (own?.status !== "done" || !workspace.trusted) return;
    const calls = new Set(patchesOf(own));
    if (calls.size === 0) return;
    await changes.refresh();
    const files = changes.pending.filter((file) => isUnasked(file, calls, workspace));
    if (files.length === 0) return;
    const shown = new Map(files.map(({ id, revision }) => [id, revision]));
    const hunks = files.flatMap((file) => file.hunks.map(({ id }) => id));
    const { outcome } = await changes.acceptFiles(shown, hunks);
    if (outcome !== "done") log.info(`What a turn proposed was not accepted by itself: ${outcome}.`);
  }

  /** The files with the proposals of this conversation on top. */
  async #toolContext(): Promise<ToolContext> {
    const { inputs, changes, checks } = this.#parts;
    const overlay = () => inputs.world(changes);
    const own = checks && { checks: checksForModel(checks, async () => (await overlay()).files) };
    const scopeOf = (turn: string, paths: readonly string[]) => this.#scopeOf(turn, paths);
    const origin = (turn: string) => originOf(this.#parts.recorder.transcript.turn(turn));
    return { ...(await overlay()), overlay, changes, protection: inputs.protection, scopeOf, origin, ...own };
  }

  /**
   * Whether a file was named or attached in this turn or an earlier one, or read by its tools. If no file was meant,
   * all are in scope.
   */
  #scopeOf(turn: string, paths: readonly string[]): (file: FileName, path: string) => boolean {
    const { isOpened } = this.#deps.workspace;
    const { turns } = this.#parts.recorder.transcript.state;
    const before = turns.slice(0, turns.findIndex(({ id }) => id === turn) + 1);
    const named = before.flatMap(({ prompt }) => namesIn(prompt));
    const attached = before.flatMap(({ attachments }) =>
      attachments.flatMap(({ kind, path: at, label }) =>
        at === undefined ? namesIn(label) : [at, ...(kind === "folder" ? [`${at}/`] : [])],
      ),
    );
    const read = before.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool" ? namedBy(part.summary) : [])),
    );
    const proposed = before.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "patch" ? part.files.map((file) => file.path) : [])),
    );
    const isMeant = attached.length > 0 || namesFiles(named, [...paths, ...proposed, ...read]);
    // Collected once from all turns, not for each of a thousand files.
    const asked = new Set([...named, ...attached, ...read]);
    return (file, path) => !isMeant || isOpened?.(file) === true || isInScope(path, asked);
  }

  #nameOfPatch(callId: string, place: { readonly turn: string; readonly part: string }): string {
    const { changes, recorder } = this.#parts;
    const isTaken = (name: string) =>
      changes.statusesOf(name).size > 0 ||
      recorder.transcript.state.turns.some(({ id, parts }) =>
        parts.some((each) => {
          const isItself = id === place.turn && each.id === place.part;
          return each.type === "patch" && each.call === name && !isItself;
        }),
      );
    let name = callId;
    for (let number = 2; isTaken(name); number++) name = repeatedCallName(callId, number);
    return name;
  }

  #turnNeeds(table: ToolTable, request: TurnRequest, window: number | undefined): TurnDeps {
    const { turn, model } = request;
    const { client, workspace, log, now } = this.#deps;
    const { recorder, requests, decisions, checks, inputs, changes } = this.#parts;
    const context = () => this.#toolContext();
    const isTrusted = () => workspace.trusted;
    const nameOfPatch: TurnDeps["tools"]["nameOfPatch"] = (callId, place) => this.#nameOfPatch(callId, place);
    const tools = { table, context, decisions, isTrusted, nameOfPatch };
    const owner = { conversation: recorder.transcript.state.id, turn };
    const exchanged = (each: Exchange) => this.#deps.exchanged(owner, each);
    const counted: TurnDeps["counted"] = (outgoing, usage) => this.#spending.learn(outgoing, usage);
    const news = (items: readonly string[]) => requests.news(items);
    const isMuch = (items: readonly string[]) => this.#spending.isMuch(items, model);
    const fits: TurnDeps["fits"] = request.compacts ? requests.fits(request, window) : () => true;
    const turns = () => recorder.transcript.state.turns;
    const observers = { record: recorder.take.bind(recorder), exchanged, counted };
    const proof = checks && {
      isDue: () => checks.isDue && this.#hasProposed(turn),
      runsUnasked: () => checks.runsUnasked(),
      run: (signal: AbortSignal) => checks.run(signal),
      report: checksForModel(checks, async () => (await inputs.world(changes)).files).report,
      takeNews: () => checks.takeNews(),
    };
    return { client, tools, log, now: monotonicClock(now), ...observers, news, isMuch, fits, turns, proof };
  }
}

/** The origin of what a turn proposes: its model, and the receipt of its request. */
export function originOf(turn: Turn | undefined): { model?: string; receipt?: string } {
  const { model, receipts = [] } = turn ?? {};
  return present({ model, receipt: receipts.at(-1)?.nonce });
}

/** The calls of a turn's patches. */
const patchesOf = ({ parts }: Turn): readonly string[] =>
  parts.flatMap((part) => (part.type === "patch" ? [part.call] : []));

/** The files in the summary of a call's row. */
const namedBy = (summary: string | Message): readonly string[] =>
  typeof summary === "string"
    ? [summary]
    : Object.values(summary.args ?? {}).flatMap((each) => (typeof each === "string" ? [each] : []));

/** Requirements F9, F10: some changes always need a confirmation. */
function isUnasked(file: PendingFile, calls: ReadonlySet<string>, { isUnsaved }: Workspace): boolean {
  const { change, conflicts, problem, isEdited, requires } = file;
  const isFree = problem === undefined && conflicts.length === 0 && requires.length === 0 && !isEdited;
  const isHarmless = change.kind !== "delete" && change.permission.verdict === "allow";
  // A person reviews whatever silences a test or a check, whatever the settings.
  const isPlain = !file.hunks.some(({ flags }) => isGrave(flags));
  return (
    isFree &&
    isHarmless &&
    isPlain &&
    file.calls.every((call) => calls.has(call)) &&
    isUnsaved?.(change.file) !== true
  );
}
