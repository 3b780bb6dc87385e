// A turn that runs, one at a time: what a person has to agree to before its request leaves, and then all that comes of it,
// which goes to the recorder. It knows neither why something is asked nor what its request is made of.

import type { ChangeSet } from "../changes/change-set.ts";
import type { PendingFile } from "../changes/pending-file.ts";
import type { Workspace } from "../changes/workspace.ts";
import { hasNew, reportOf, resultsInShort } from "../checks/report.ts";
import type { SessionChecks } from "../checks/session-checks.ts";
import { monotonicClock } from "../conversation/monotonic-clock.ts";
import type { Problem, ProblemAction } from "../conversation/problem.ts";
import type { Turn } from "../conversation/state.ts";
import type { Exchange } from "../inspect/exchanges.ts";
import type { Message } from "../messages/message.ts";
import type { FileName } from "../patch/model.ts";
import { isGrave } from "../risk/flags.ts";
import { isInScope, namesFiles, namesIn } from "../risk/out-of-scope.ts";
import { applyPatch } from "../tools/apply-patch.ts";
import { attachedAgain } from "../tools/attached-again.ts";
import type { ToolContext, ToolResult } from "../tools/tool.ts";
import type { ToolTable } from "../tools/tool-table.ts";
import { chatTurn } from "../turn/chat-turn.ts";
import { compactTurn } from "../turn/compact-turn.ts";
import { beyondModel } from "../turn/model-limits.ts";
import type { PendingDecisions } from "../turn/pending-decisions.ts";
import type { Question } from "../turn/question-items.ts";
import { responsesTurn } from "../turn/responses-turn.ts";
import { outgoingOf } from "../turn/service-request.ts";
import { isChangeNews } from "../turn/tell-decisions.ts";
import { nameAgain } from "../turn/transcript.ts";
import type { TurnDeps, TurnRequest } from "../turn/turn-request.ts";
import { present } from "../util/present.ts";
import type { AskPerson } from "./confirmations.ts";
import type { Recorder } from "./recorder.ts";
import type { SessionContext } from "./session-context.ts";
import { SpendGuard } from "./spend-guard.ts";
import type { TurnInputs } from "./turn-inputs.ts";
import type { Ready, TurnRequests } from "./turn-requests.ts";
import type { SentQuestion } from "./unsent.ts";

export interface TurnRunnerDeps extends SessionContext {
  /** Asks a person before something leaves. */
  readonly ask: AskPerson;
  /** Keeps a question on the disk until its turn has it. */
  hold(question: SentQuestion): Promise<void>;
}

/** What the turns of a conversation are kept in, and read from. */
export interface TurnRunnerParts {
  readonly recorder: Recorder;
  readonly inputs: TurnInputs;
  readonly changes: ChangeSet;
  readonly checks: SessionChecks | undefined;
  readonly requests: TurnRequests;
  readonly decisions: PendingDecisions;
}

/** What it is asked of, and what stops it: from the first moment, when nothing is known of it but that it was wished for. */
export interface AskOptions {
  readonly model: string;
  readonly signal: AbortSignal;
}

/** Something that is to be asked. */
export interface Wish {
  /** As a person said it; absent where nothing is said again. */
  readonly words?: string;
  read(signal: AbortSignal): Question | Promise<Question>;
  /** This turn and what followed it are given up for it. */
  readonly insteadOf?: string;
  /** False: asked for in one piece. */
  readonly stream?: boolean;
  /** The same without some of what is attached to it. */
  trim?(labels: ReadonlySet<string>, signal: AbortSignal): Promise<Question>;
  /** The id of its turn; absent: a new one. */
  readonly turn?: string;
  /** A person decided not to send it. */
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

  /** This turn and what followed it are given up for a question, which is kept on the disk until its own turn has it. */
  async giveUp(insteadOf: string, turn: string, question: Question): Promise<void> {
    const [item] = question.items.filter((each) => !isChangeNews(each));
    const attached = attachedAgain(question.attachments, item);
    await this.#deps.hold({ turn, words: question.prompt, attached });
    await this.#withdraw(insteadOf);
    await this.#parts.recorder.cut(insteadOf);
  }

  /** What waits of a turn and of those after it goes with them; what was accepted stays. */
  async #withdraw(turn: string): Promise<void> {
    const { turns } = this.#parts.recorder.transcript.state;
    const calls = turns.slice(turns.findIndex(({ id }) => id === turn)).flatMap(patchesOf);
    if (calls.length > 0) await this.#parts.changes.withdraw(calls);
  }

  /** What a person lets go out; `undefined` when nothing, `compact` when all before it is to be summarized first. */
  async agree(
    wanted: TurnRequest,
    { insteadOf, trim }: Pick<Wish, "insteadOf" | "trim">,
    ready: Ready,
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
    return beyondModel(outgoing, model, () => counts.aboutRequest(outgoing).tokens, {
      window: this.#parts.requests.window(request.model),
      isCompactable: isCompactable && request.history.length > 0,
    });
  }

  /** `window`: what the model was found to take. */
  async run(request: TurnRequest, ready: Ready, signal: AbortSignal, window?: number): Promise<void> {
    const { recorder, inputs, requests, checks } = this.#parts;
    const table = inputs.table(recorder.transcript.choices);
    const begun = await requests.begin(request, ready);
    const isResponses = request.route === "responses";
    const runTurn = request.compacts ? compactTurn : isResponses ? responsesTurn : chatTurn;
    const deps = this.#turnNeeds(table, request, window);
    for await (const output of runTurn(begun, deps, signal)) await recorder.take(output);
    if (!isResponses && !signal.aborted && checks?.isDue === true && this.#hasProposed(request.turn))
      await checks.run(signal).catch(() => {});
    if (table.permission(applyPatch) === "auto") await this.#acceptUnasked(request.turn);
  }

  #hasProposed(turn: string): boolean {
    const own = this.#parts.recorder.transcript.turn(turn);
    return own !== undefined && patchesOf(own).length > 0;
  }

  /** What a turn has proposed and nothing speaks against; a person looks at the rest. */
  async #acceptUnasked(turn: string): Promise<void> {
    const { recorder, changes, checks } = this.#parts;
    const { workspace, log } = this.#deps;
    // What breaks something is looked at by a person, whatever is set.
    if (checks !== undefined && hasNew(checks.results)) return;
    const own = recorder.transcript.turn(turn);
    if (own?.status !== "done" || !workspace.trusted) return;
    const calls = new Set(patchesOf(own));
    if (calls.size === 0) return;
    await changes.refresh();
    const files = changes.pending.filter((file) => isUnasked(file, calls, workspace));
    const hunks = files.flatMap((file) => file.hunks.map(({ id }) => id));
    if (hunks.length === 0) return;
    const { outcome } = await changes.accept(hunks);
    if (outcome !== "done") log.info(`What a turn proposed was not accepted by itself: ${outcome}.`);
  }

  /** The files, and over them what this conversation proposes. */
  async #toolContext(): Promise<ToolContext> {
    const { inputs, changes, checks } = this.#parts;
    const overlay = () => inputs.world(changes);
    const own = checks && { checks: { report: (signal: AbortSignal) => reportWith(checks, signal) } };
    const scopeOf = (turn: string, paths: readonly string[]) => this.#scopeOf(turn, paths);
    const origin = (turn: string) => originOf(this.#parts.recorder.transcript.turn(turn));
    return { ...(await overlay()), overlay, changes, protection: inputs.protection, scopeOf, origin, ...own };
  }

  /** Named or attached in this turn or in one that it goes on from, or read by its tools; where no file was meant, all are. */
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
    // All that was ever said is gone through once, and not for each of a thousand files.
    const asked = new Set([...named, ...attached, ...read]);
    return (file, path) => !isMeant || isOpened?.(file) === true || isInScope(path, asked);
  }

  #nameOfPatch(callId: string, place: { readonly turn: string; readonly part: string }): string {
    const { changes, recorder } = this.#parts;
    const isTaken = (name: string) =>
      changes.fatesOf(name).size > 0 ||
      recorder.transcript.state.turns.some(({ id, parts }) =>
        parts.some((each) => {
          const isItself = id === place.turn && each.id === place.part;
          return each.type === "patch" && each.call === name && !isItself;
        }),
      );
    let name = callId;
    for (let number = 2; isTaken(name); number++) name = nameAgain(callId, number);
    return name;
  }

  #turnNeeds(table: ToolTable, request: TurnRequest, window: number | undefined): TurnDeps {
    const { turn, model } = request;
    const { client, workspace, log, now } = this.#deps;
    const { requests, decisions, checks } = this.#parts;
    const context = () => this.#toolContext();
    const isTrusted = () => workspace.trusted;
    const nameOfPatch: TurnDeps["tools"]["nameOfPatch"] = (callId, place) => this.#nameOfPatch(callId, place);
    const tools = { table, context, decisions, isTrusted, nameOfPatch };
    const owner = { conversation: this.#parts.recorder.transcript.state.id, turn };
    const exchanged = (each: Exchange) => this.#deps.exchanged(owner, each);
    const counted: TurnDeps["counted"] = (outgoing, usage) => this.#spending.learn(outgoing, usage);
    const news = (items: readonly string[]) => requests.news(items);
    const isMuch = (items: readonly string[]) => this.#spending.isMuch(items, model);
    const fits: TurnDeps["fits"] = request.compacts ? requests.fits(request, window) : () => true;
    const turns = () => this.#parts.recorder.transcript.state.turns;
    const observers = { exchanged, counted };
    const proof = checks && {
      isDue: () => checks.isDue && this.#hasProposed(turn),
      run: (signal: AbortSignal) => checks.run(signal),
      takeNews: () => checks.takeNews(),
    };
    return { client, tools, log, now: monotonicClock(now), ...observers, news, isMuch, fits, turns, proof };
  }
}

/** Of what a turn proposes: the model, and the receipt of the request that it came with. */
export function originOf(turn: Turn | undefined): { model?: string; receipt?: string } {
  const { model, receipts = [] } = turn ?? {};
  return present({ model, receipt: receipts.at(-1)?.nonce });
}

/** The calls of its patches. */
const patchesOf = ({ parts }: Turn): readonly string[] =>
  parts.flatMap((part) => (part.type === "patch" ? [part.call] : []));

/** The files that a call was about, as its row says it. */
const namedBy = (summary: string | Message): readonly string[] =>
  typeof summary === "string"
    ? [summary]
    : Object.values(summary.args ?? {}).flatMap((each) => (typeof each === "string" ? [each] : []));

async function reportWith(checks: SessionChecks, signal: AbortSignal): Promise<ToolResult> {
  const results = await checks.run(signal);
  signal.throwIfAborted();
  checks.takeNews();
  return { output: reportOf(results), message: resultsInShort(results) };
}

/** Requirements F9, F10: some things are always asked. */
function isUnasked(file: PendingFile, calls: ReadonlySet<string>, { isUnsaved }: Workspace): boolean {
  const { change, conflicts, problem, isEdited, requires } = file;
  const isFree = problem === undefined && conflicts.length === 0 && requires.length === 0 && !isEdited;
  const isHarmless = change.kind !== "delete" && change.permission.verdict === "allow";
  // A person looks at what keeps a test or a check quiet, whatever the settings say.
  const isPlain = !file.hunks.some(({ flags }) => isGrave(flags));
  return (
    isFree &&
    isHarmless &&
    isPlain &&
    file.calls.every((call) => calls.has(call)) &&
    isUnsaved?.(change.file) !== true
  );
}
