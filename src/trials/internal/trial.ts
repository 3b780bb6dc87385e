// Several tries at one question, outside of the conversation until a person takes one: asked side by side, checked one
// after the other, since there is one copy of the folder. A candidate that reads the cache of the first waits for its
// first reply.

import { countPending } from "../../changes/pending-changes.ts";
import { evidenceOf } from "../../checks/report.ts";
import { MessageError } from "../../conversation/english.ts";
import type { ConversationEvent } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import { routeOf } from "../../conversation/models.ts";
import { answerMarkdown } from "../../conversation/reduce.ts";
import type { Turn } from "../../conversation/state.ts";
import type { FileChange } from "../../patch/model.ts";
import { printPatch } from "../../patch/print-patch.ts";
import { countMessages } from "../../risk/flags.ts";
import type { Session } from "../../session/session.ts";
import {
  openSideTurn,
  previewSideTurn,
  type SidePoint,
  type SideTurn,
  type SideTurnContext,
  startSideTurn,
} from "../../session/side-turn.ts";
import { rowsOfTurn, tokensOfRun, type UsageRow } from "../../tokens/usage-rows.ts";
import { createMutex } from "../../util/concurrency.ts";
import { Emitter } from "../../util/emitter.ts";
import { present } from "../../util/present.ts";
import { candidatesOf, type Facts, noFacts, type TrialWay } from "../candidate.ts";
import type { KeptCandidate, KeptTrial } from "./kept-trial.ts";
import { quoteAll } from "./quote.ts";

export interface TrialDeps {
  readonly session: Session;
  readonly context: SideTurnContext;
  /** What requests cost by the person's table. */
  price(rows: readonly UsageRow[]): string | undefined;
  /** Enters usage and receipts into the ledgers. */
  book(event: ConversationEvent): void;
}

export const secondsToQuote = 60;

/** A candidate of this window. */
interface Candidate {
  known: KeptCandidate;
  side?: SideTurn;
  stop?: AbortController;
  /** Resolves when it has ended and was checked. */
  over: Promise<void>;
  /** Resolves when its first reply is there, or it has ended. */
  replied: Promise<void>;
}

export class Trial {
  readonly #deps: TrialDeps;
  readonly #changes = new Emitter<void>();
  readonly #oneCheck = createMutex();
  readonly #oneSave = createMutex();
  #candidates: readonly Candidate[];
  #kept: Omit<KeptTrial, "candidates">;
  #point: Promise<SidePoint> | undefined;
  #isGone = false;
  #isClosing = false;

  /** Fires when what is known of a candidate has changed. */
  readonly onChange = this.#changes.on;

  constructor(deps: TrialDeps, { candidates, ...kept }: KeptTrial) {
    this.#deps = deps;
    this.#kept = kept;
    this.#candidates = candidates.map((known) => ({
      // What ran ended with its window.
      known: isUnderWay(known) && kept.isStarted ? cutOff(known) : known,
      over: Promise.resolve(),
      replied: Promise.resolve(),
    }));
  }

  get words(): string {
    return this.#kept.words;
  }

  get insteadOf(): string | undefined {
    return this.#kept.insteadOf;
  }

  get isStarted(): boolean {
    return this.#kept.isStarted;
  }

  get candidates(): readonly Omit<KeptCandidate, "side">[] {
    return this.#candidates.map(({ known: { side: _, ...known }, side }) => {
      const tokens = side?.state === undefined ? known.facts.tokens : tokensOf(side.state);
      return { ...known, facts: { ...known.facts, tokens } };
    });
  }

  get isRunning(): boolean {
    return this.#candidates.some(({ known }) => this.isStarted && isUnderWay(known));
  }

  get way(): TrialWay {
    return this.#kept.way;
  }

  /** Tries something else; nothing was asked yet. */
  async choose(way: TrialWay): Promise<void> {
    const candidates = candidatesOf(way, this.#deps.session.choices);
    if (this.isStarted || candidates.length < 2) return;
    this.#kept = { ...this.#kept, way };
    this.#candidates = candidates.map((each) => ({
      known: { ...each, state: "waiting", facts: noFacts },
      over: Promise.resolve(),
      replied: Promise.resolve(),
    }));
    this.#changes.fire();
    await this.quote(AbortSignal.timeout(secondsToQuote * 1000));
  }

  /** Resolves when what is known of it is on the disk, or the log states why it is not. */
  save(): Promise<void> {
    return this.#save();
  }

  /** Finds out what the first requests would send. Nothing is sent. */
  async quote(signal: AbortSignal): Promise<void> {
    const { context, session } = this.#deps;
    const { models } = context.settings();
    const planned = [];
    const candidates = this.#candidates;
    for (const { known } of candidates) {
      const outgoing = await previewSideTurn(context, { ...(await this.#startOf(known)), signal });
      const { tokens } = context.counts.aboutRequest(outgoing);
      planned.push({ model: known.model, isCached: routeOf(known.model, models) === "responses", tokens });
    }
    // A person has chosen another way meanwhile, which has a quote of its own.
    if (candidates !== this.#candidates) return;
    for (const [at, quote] of quoteAll(planned, session, context).entries()) this.#know(at, { quote });
    await this.#save();
  }

  /** Asks all candidates; a person has agreed to the quote. */
  async start(): Promise<void> {
    const isQuoted = this.#candidates.every(({ known }) => known.quote !== undefined);
    if (this.isStarted || this.#isGone || !isQuoted) return;
    this.#kept = { ...this.#kept, isStarted: true };
    await this.#save();
    const { models } = this.#deps.context.settings();
    const first = new Map<string, number>();
    for (const [at, candidate] of this.#candidates.entries()) {
      const { known } = candidate;
      const isCached = routeOf(known.model, models) === "responses";
      const before = isCached ? first.get(known.model) : undefined;
      if (before === undefined) {
        if (isCached) first.set(known.model, at);
        candidate.over = this.#ask(at);
      } else this.#askAfter(at, this.#candidates[before]?.replied);
    }
    this.#changes.fire();
  }

  /** Stops this candidate, or all of them. */
  stop(at?: number): void {
    for (const [index, candidate] of this.#candidates.entries()) {
      if (at !== undefined && index !== at) continue;
      if (candidate.known.state === "waiting") this.#know(index, { state: "stopped" });
      candidate.stop?.abort();
    }
    void this.#save();
  }

  /** Asks a candidate again that was stopped or has failed. */
  again(at: number): void {
    const candidate = this.#candidates[at];
    if (candidate === undefined || !this.isStarted || isUnderWay(candidate.known)) return;
    const before = candidate.side;
    void candidate.over.then(() => before?.close());
    this.#know(at, { facts: noFacts, side: undefined });
    candidate.over = this.#ask(at);
  }

  /** What a candidate has said and proposes, for reading. */
  async look(at: number): Promise<string | undefined> {
    const side = await this.#open(at);
    if (side === undefined) return undefined;
    const { state, files, nameOf } = side;
    const said = state === undefined ? "" : answerMarkdown(state).trim();
    const changes = files.map(({ change }) => change);
    const patch = changes.length === 0 ? "" : printPatch(changes, nameOf);
    return [said, patch].filter((each) => each !== "").join("\n\n");
  }

  /**
   * Makes this candidate part of the conversation, and the other ones leave. `files`: of these paths, the version of
   * another candidate.
   */
  async take(at: number, files: ReadonlyMap<string, number> = new Map()): Promise<void> {
    const { session, context } = this.#deps;
    const side = await this.#open(at);
    if (side === undefined) throw new MessageError(message("sideNothing"));
    const others: FileChange[] = [];
    for (const [path, from] of files) {
      if (from === at) continue;
      const found = (await this.#open(from))?.files.find(({ change }) => side.nameOf(change.file) === path);
      if (found !== undefined) others.push(found.change);
    }
    await session.adopt(await side.outcome(), present({ insteadOf: this.insteadOf, others }));
    await this.leave();
    // What was checked was the candidate; what waits now may be more, or parts of several.
    session.patches.checks
      ?.run(new AbortController().signal)
      .catch((error: unknown) => context.log.error("What was taken could not be checked.", error));
  }

  isOf(session: Session): boolean {
    return this.#deps.session === session;
  }

  /** Nothing of it is taken. Returns the question that was never part of the conversation. */
  async leave(): Promise<KeptTrial["asked"]> {
    await this.abandon();
    await this.#oneSave(() => this.#deps.session.writeTrial(""));
    this.#changes.fire();
    return this.#kept.asked;
  }

  /** Ends everything and keeps nothing. */
  async abandon(): Promise<void> {
    this.#isGone = true;
    this.stop();
    await this.close();
  }

  /** Ends what runs; what has ended can be taken in another window. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { stop } of this.#candidates) stop?.abort();
    await Promise.all(this.#candidates.map(({ over }) => over));
    await Promise.all(this.#candidates.map(({ side }) => side?.close()));
    await this.#oneSave(async () => {});
  }

  #askAfter(at: number, replied: Promise<void> | undefined): void {
    const candidate = this.#candidates[at];
    if (candidate === undefined) return;
    candidate.over = (async () => {
      await replied;
      if (candidate.known.state !== "waiting" || this.#isGone) return;
      await this.#ask(at);
    })();
  }

  /** Resolves when it has ended and was checked. */
  async #ask(at: number): Promise<void> {
    const candidate = this.#candidates[at];
    if (candidate === undefined || this.#isGone) return;
    const spent = this.#spentBesides(at);
    const limit = this.#deps.context.settings().stopRunAboveTokens;
    if (limit !== null && spent >= limit) {
      this.#know(at, { state: "stopped", facts: { ...noFacts, problem: message("sideSpent", { limit }) } });
      return this.#save();
    }
    const stop = new AbortController();
    candidate.stop = stop;
    this.#know(at, { state: "running" });
    let tell = () => {};
    candidate.replied = new Promise((resolve) => {
      tell = resolve;
    });
    await this.#run(at, candidate, stop.signal, tell).finally(tell);
  }

  async #run(at: number, candidate: Candidate, signal: AbortSignal, replied: () => void): Promise<void> {
    const { context, book, session } = this.#deps;
    try {
      const opened = this.#candidates.find(({ side }) => side?.opened !== undefined)?.side?.opened;
      const side = startSideTurn(context, {
        ...(await this.#startOf(candidate.known)),
        ...{ signal, opened },
        settings: () => {
          const { stopRunAboveTokens: limit } = context.settings();
          return { stopRunAboveTokens: limit === null ? null : Math.max(0, limit - this.#spentBesides(at)) };
        },
        onEvent: (event) => {
          book(event);
          if (event.type === "usage") replied();
          if (event.type === "usage" || event.type === "patch") this.#changes.fire();
        },
      });
      candidate.side = side;
      const turn = await side.done;
      await side.changes.refresh();
      this.#know(at, { facts: this.#factsOf(turn, side, signal) });
      replied();
      if (turn?.status === "done" || turn?.status === "incomplete") await this.#check(at, side, signal);
      this.#know(at, { state: stateOf(turn, signal.aborted), side: await side.kept() });
      // Nobody has pressed Stop.
      if (this.#isClosing && turn?.status === "stopped") candidate.known = cutOff(candidate.known);
    } catch (error) {
      context.log.error(`A candidate of ${session.id} failed inside the extension.`, error);
      const problem = message("problemInside");
      this.#know(at, { state: "failed", facts: { ...candidate.known.facts, problem } });
    }
    await this.#save();
  }

  /** Runs the person's checks on what a candidate proposes, when those of the one before it are done. */
  #check(at: number, side: SideTurn, signal: AbortSignal): Promise<void> {
    const { checks, files } = side;
    if (checks === undefined || files.length === 0) return Promise.resolve();
    this.#know(at, { facts: { ...this.#factsOf(side.state, side, signal), verdict: "pending" } });
    return this.#oneCheck(async () => {
      if (!signal.aborted)
        await checks.run(signal).catch((error: unknown) => {
          if (!signal.aborted) this.#deps.context.log.error("A candidate could not be checked.", error);
        });
      this.#know(at, { facts: this.#factsOf(side.state, side, signal) });
    });
  }

  #factsOf(turn: Turn | undefined, { files, checks, nameOf }: SideTurn, signal: AbortSignal): Facts {
    const { added, removed } = countPending(files);
    const results = files.length === 0 ? [] : (checks?.results ?? []);
    const unasked = turn === undefined && !signal.aborted ? message("sideUnasked") : undefined;
    const hunks = files.flatMap((file) => file.hunks);
    return present({
      verdict: verdictOf(results.map(({ state }) => state)),
      checks: [...evidenceOf(results)],
      paths: files.map(({ change }) => nameOf(change.file)),
      ...{ added, removed },
      flags: [...countMessages(hunks.map(({ flags }) => flags))],
      tokens: tokensOf(turn),
      price: turn && this.#deps.price(rowsOfTurn(this.#deps.session.id, turn)),
      milliseconds: turn?.endedAt === undefined ? undefined : turn.endedAt - turn.at,
      problem: turn?.problem?.message ?? unasked,
    });
  }

  /** What all others have used: the limit of a run is for all of them together. */
  #spentBesides(at: number): number {
    return this.candidates.reduce((sum, { facts }, index) => (index === at ? sum : sum + facts.tokens), 0);
  }

  async #startOf({ model, effort }: KeptCandidate) {
    const { asked } = this.#kept;
    const from = await this.#pointOf();
    return present({ from, asked, model, choices: effort === undefined ? undefined : { effort } });
  }

  #pointOf(): Promise<SidePoint> {
    this.#point ??= this.#deps.session.point(this.insteadOf);
    return this.#point;
  }

  /** The side turn of a candidate that has ended, if need be of an earlier window. */
  async #open(at: number): Promise<SideTurn | undefined> {
    const candidate = this.#candidates[at];
    if (candidate === undefined || isUnderWay(candidate.known)) return undefined;
    if (candidate.side === undefined && candidate.known.side !== undefined) {
      candidate.side = openSideTurn(this.#deps.context, await this.#pointOf(), candidate.known.side);
      await candidate.side.changes.refresh();
    }
    return candidate.side;
  }

  #know(at: number, news: { [Name in keyof KeptCandidate]?: KeptCandidate[Name] | undefined }): void {
    const candidate = this.#candidates[at];
    if (candidate === undefined) return;
    candidate.known = present({ ...candidate.known, ...news }) as KeptCandidate;
    if (!this.#isGone) this.#changes.fire();
  }

  #save(): Promise<void> {
    return this.#oneSave(async () => {
      if (this.#isGone) return;
      const candidates = this.#candidates.map(({ known }) => known);
      const kept: KeptTrial = { ...this.#kept, candidates };
      await this.#deps.session
        .writeTrial(JSON.stringify(kept))
        .catch((error: unknown) => this.#deps.context.log.error("Tries could not be saved.", error));
    });
  }
}

const isUnderWay = ({ state }: Pick<KeptCandidate, "state">): boolean =>
  state === "waiting" || state === "running";

const cutOff = (known: KeptCandidate): KeptCandidate => ({
  ...known,
  state: "stopped",
  facts: { ...known.facts, verdict: "none", problem: message("sideCutOff") },
});

const tokensOf = (turn: Turn | undefined): number =>
  turn === undefined ? 0 : tokensOfRun([turn], turn.id, () => false);

function stateOf(turn: Turn | undefined, isStopped: boolean): KeptCandidate["state"] {
  if (turn?.status === "done") return "finished";
  if (isStopped || turn?.status === "incomplete" || turn?.status === "stopped") return "stopped";
  return "failed";
}

function verdictOf(states: readonly string[]): Facts["verdict"] {
  if (states.length === 0) return "none";
  if (states.includes("new-findings")) return "fail";
  return states.every((state) => state === "passed" || state === "no-new") ? "pass" : "open";
}
