// Several tries at one question, outside of the conversation until a person takes one: asked side by side, checked one
// after the other, since there is one copy of the folder. A candidate that reads the cache of the first waits for its
// first reply.

import { MessageError } from "../../conversation/english.ts";
import type { ConversationEvent } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import { routeOf } from "../../conversation/models.ts";
import type { Session } from "../../session/session.ts";
import {
  goesOnFrom,
  openSideTurn,
  previewSideTurn,
  type SideOutcome,
  type SidePoint,
  type SideTurn,
  type SideTurnContext,
  type SideTurnStart,
} from "../../session/side-turn.ts";
import type { UsageRow } from "../../usage/usage-rows.ts";
import { createMutex } from "../../util/concurrency.ts";
import { Emitter } from "../../util/emitter.ts";
import { present } from "../../util/present.ts";
import { candidatesOf, type Facts, noFacts, type TrialWay } from "../candidate.ts";
import {
  type Candidate,
  candidateOf,
  cutOff,
  isUnderWay,
  type ReadableTry,
  readable,
  tokensOf,
  uncheckedIfCutOff,
} from "./candidate-facts.ts";
import type { KeptCandidate, KeptTrial } from "./kept-trial.ts";
import { allowance, grownQuote, quoteAll } from "./quote.ts";
import { type AskToRun, checkLeft, type News, runCandidate } from "./run-candidate.ts";

interface TrialDeps {
  readonly session: Session;
  /** The question as it left the box; absent: as it was kept. */
  readonly asked?: SideTurnStart["asked"];
  readonly context: SideTurnContext;
  /** What requests cost by the person's table. */
  price(rows: readonly UsageRow[]): string | undefined;
  /** Enters usage and receipts into the ledgers. */
  book(event: ConversationEvent): void;
}

export const secondsToQuote = 60;

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
  #isBusy = false;
  #taking: Promise<void> | undefined;
  #hasGrown = false;

  /** Fires when what is known of a candidate has changed. */
  readonly onChange = this.#changes.on;

  constructor(deps: TrialDeps, { candidates, ...kept }: KeptTrial) {
    this.#deps = deps;
    this.#kept = kept;
    this.#candidates = candidates.map((known) =>
      candidateOf(isUnderWay(known) && kept.isStarted ? cutOff(known) : uncheckedIfCutOff(known)),
    );
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

  /** What would be sent is more than what a person has agreed to, and nothing was sent. */
  get hasGrown(): boolean {
    return this.#hasGrown;
  }

  /** It was taken or left. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get candidates(): readonly Omit<KeptCandidate, "side">[] {
    return this.#candidates.map(({ known: { side: _, ...known }, side }) => {
      const tokens = side === undefined ? known.facts.tokens : tokensOf(side.turns);
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
    this.#candidates = candidates.map((each) => candidateOf({ ...each, state: "waiting", facts: noFacts }));
    this.#hasGrown = false;
    this.#changes.fire();
    await this.quote(AbortSignal.timeout(secondsToQuote * 1000));
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
    await this.save();
  }

  /**
   * Asks all candidates; a person has agreed to the quote. If by now they would send more than that, the new quote is
   * shown and nothing is sent.
   */
  start(): Promise<void> {
    return this.#alone(async () => {
      const candidates = this.#candidates;
      const agreed = candidates.map(({ known }) => known.quote?.fresh);
      if (this.isStarted || agreed.includes(undefined)) return;
      await this.#goOnFromNow();
      await this.quote(AbortSignal.timeout(secondsToQuote * 1000));
      // A person has chosen another way meanwhile.
      if (candidates !== this.#candidates) return;
      this.#hasGrown = candidates.some(
        ({ known: { quote } }, at) => (quote?.fresh ?? 0) > (agreed[at] ?? 0) + allowance,
      );
      if (this.#hasGrown || !this.#mayAct) return this.#changes.fire();
      this.#kept = { ...this.#kept, isStarted: true };
      await this.save();
      for (const [at, candidate] of candidates.entries()) candidate.over = this.#askInTurn(at);
      this.#changes.fire();
    });
  }

  /** Stops this candidate, or all of them. */
  stop(at?: number): void {
    if (at === undefined && !this.isStarted) return;
    for (const [index, candidate] of this.#candidates.entries()) {
      if (at !== undefined && index !== at) continue;
      if (candidate.known.state === "waiting") this.#know(index, { state: "stopped" });
      candidate.stop?.abort();
    }
    void this.save();
  }

  /** Asks a candidate again that was stopped or has failed. */
  again(at: number): Promise<void> {
    return this.#alone(async () => {
      const before = this.#candidates[at];
      if (before === undefined || !this.isStarted || isUnderWay(before.known)) return;
      await this.#refuseMovedOn();
      await this.#goOnFromNow();
      await this.#refuseGrown(at, before.known);
      const { spent = 0, side: _, ...known } = before.known;
      const used = this.candidates[at]?.facts.tokens ?? 0;
      const fresh = candidateOf({ ...known, facts: noFacts, spent: spent + used });
      this.#candidates = this.#candidates.with(at, fresh);
      void before.over.then(() => before.side?.close());
      fresh.over = this.#ask(at);
    });
  }

  /** What a candidate that has ended has said and proposes. */
  async look(at: number): Promise<ReadableTry | undefined> {
    const side = await this.#open(at);
    return side && readable(side);
  }

  /** Runs the checks of a candidate that wait for a person, once `ask` says that they agree, or that were stopped. */
  async check(at: number, ask: AskToRun): Promise<void> {
    const side = await this.#open(at);
    const candidate = this.#candidates[at];
    if (side === undefined || candidate === undefined || !this.#mayAct) return;
    if (candidate.known.facts.verdict === "pending") return;
    candidate.stop = new AbortController();
    const { signal } = candidate.stop;
    const know = (news: Partial<Facts>) => this.#know(at, { facts: { ...candidate.known.facts, ...news } });
    const checking = checkLeft(side, { ask, know, oneCheck: this.#oneCheck, signal });
    candidate.over = checking.catch(() => {});
    await checking;
    await this.save();
  }

  /**
   * Makes this candidate part of the conversation, and the other ones leave. `files`: of these paths, the version of
   * another candidate.
   */
  take(at: number, files: ReadonlyMap<string, number> = new Map()): Promise<void> {
    return this.#alone(async () => {
      this.#taking = this.#take(at, files);
      await this.#taking.finally(() => {
        this.#taking = undefined;
      });
    });
  }

  async #take(at: number, files: ReadonlyMap<string, number>): Promise<void> {
    const { session, context } = this.#deps;
    const outcome = await this.#outcomeOf(at, "sideNothing");
    const others = [];
    for (const from of new Set(files.values())) {
      const paths = [...files].flatMap(([path, each]) => (each === from ? [path] : []));
      if (from !== at) others.push({ of: await this.#outcomeOf(from, "sideRuns"), paths });
    }
    await session.adopt(outcome, present({ insteadOf: this.insteadOf, others }));
    await this.#end();
    // What was checked was the candidate; what waits now may be more, or parts of several.
    session.patches.checks
      ?.run(new AbortController().signal)
      .catch((error: unknown) => context.log.error("What was taken could not be checked.", error));
  }

  isOf(session: Session): boolean {
    return this.#deps.session === session;
  }

  /** Nothing of it is taken. Returns the question that was never part of the conversation. */
  async leave(): Promise<SideTurnStart["asked"]> {
    if (this.#isGone || this.#taking !== undefined) return undefined;
    await this.#end();
    return this.#asked;
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
    await this.settled();
    await Promise.all(this.#candidates.map(({ side }) => side?.close()));
  }

  /** Resolves once what runs has ended and is kept. */
  async settled(): Promise<void> {
    await Promise.all(this.#candidates.map(({ over }) => over));
    await this.#oneSave(async () => {});
  }

  /** The same, for another window that writes the conversation next: what is being taken here is taken. */
  async handOver(): Promise<void> {
    await this.#taking?.catch(() => undefined);
    await this.close();
  }

  async #end(): Promise<void> {
    await this.abandon();
    await this.#oneSave(() => this.#deps.session.writeTrial(""));
    this.#changes.fire();
  }

  /** Nothing begins once it ends, or where the conversation is not to be written. */
  get #mayAct(): boolean {
    return !this.#isGone && !this.#isClosing && this.#deps.session.mayBegin;
  }

  /** What a person wants of it, one thing at a time: what they press meanwhile, such as the same again, is dropped. */
  async #alone(work: () => Promise<void>): Promise<void> {
    if (this.#isBusy || !this.#mayAct) return;
    this.#isBusy = true;
    try {
      await work();
    } finally {
      this.#isBusy = false;
    }
  }

  /** What is asked from now on goes on from the conversation as it is now. */
  async #goOnFromNow(): Promise<void> {
    const { session } = this.#deps;
    if (session.isRunning) throw new MessageError(message("sideBusy"));
    const point = session.point(this.insteadOf);
    const { transcript, again } = await point;
    const after = transcript.state.turns.at(-1)?.id;
    const isGone = this.insteadOf !== undefined && again === undefined;
    if (isGone || !goesOnFrom(session.state.turns, after, this.insteadOf))
      throw new MessageError(message("sideMovedOnUnasked"));
    this.#point = point;
  }

  /** What is asked again is compared with the others, so it goes on from the same turn. */
  async #refuseMovedOn(): Promise<void> {
    const kept = this.#candidates.find(({ known }) => known.side !== undefined)?.known.side;
    const point = await this.#point;
    if (kept === undefined && point === undefined) return;
    const after = kept === undefined ? point?.transcript.state.turns.at(-1)?.id : kept.after;
    if (!goesOnFrom(this.#deps.session.state.turns, after, this.insteadOf))
      throw new MessageError(message("sideMovedOnUnasked"));
  }

  /** A person is told once what it has become, and agrees by asking for the same again. */
  async #refuseGrown(at: number, known: KeptCandidate): Promise<void> {
    const start = { ...(await this.#startOf(known)), signal: AbortSignal.timeout(secondsToQuote * 1000) };
    const quote = await grownQuote(this.#deps.context, start, known.quote);
    if (quote === undefined) return;
    this.#know(at, { quote });
    throw new MessageError(message("sideGrown", { tokens: quote.fresh }));
  }

  get #asked(): SideTurnStart["asked"] {
    return this.#deps.asked ?? this.#kept.asked;
  }

  /** Those of a model that caches begin one after the other, until one has its first reply, whose cache the rest read. */
  async #askInTurn(at: number): Promise<void> {
    const candidate = this.#candidates[at];
    if (candidate === undefined) return;
    const { model } = candidate.known;
    const isCached = routeOf(model, this.#deps.context.settings().models) === "responses";
    for (const before of isCached ? this.#candidates.slice(0, at) : [])
      if (before.known.model === model && (await before.replied)) break;
    if (candidate.known.state === "waiting") await this.#ask(at);
    candidate.tell(false);
  }

  /** Resolves when it has ended and was checked. */
  async #ask(at: number): Promise<void> {
    const candidate = this.#candidates[at];
    if (candidate === undefined || !this.#mayAct) return;
    const spent = this.#spentBesides(at);
    const limit = this.#deps.context.settings().stopRunAboveTokens;
    if (limit !== null && spent >= limit) {
      this.#know(at, { state: "stopped", facts: { ...noFacts, problem: message("sideSpent", { limit }) } });
      return this.save();
    }
    candidate.stop = new AbortController();
    this.#know(at, { state: "running" });
    await this.#run(at, candidate, candidate.stop.signal);
  }

  async #run(at: number, candidate: Candidate, signal: AbortSignal): Promise<void> {
    await runCandidate(candidate, {
      ...this.#deps,
      start: async () => ({
        ...(await this.#startOf(candidate.known)),
        opened: this.#candidates.find(({ side }) => side?.opened !== undefined)?.side?.opened,
      }),
      left: () => {
        const { stopRunAboveTokens: limit } = this.#deps.context.settings();
        return limit === null ? null : Math.max(0, limit - this.#spentBesides(at));
      },
      oneCheck: this.#oneCheck,
      know: (news) => this.#know(at, news),
      changed: () => this.#changes.fire(),
      isClosing: () => this.#isClosing,
      signal,
    });
    await this.save();
  }

  /** What all others have used, and this one before: the limit of a run is for all of them together. */
  #spentBesides(at: number): number {
    return this.candidates.reduce(
      (sum, { facts, spent = 0 }, index) => sum + spent + (index === at ? 0 : facts.tokens),
      0,
    );
  }

  async #startOf({ model, effort }: KeptCandidate) {
    const from = await this.#pointOf();
    return present({
      from,
      asked: this.#asked,
      model,
      choices: effort === undefined ? undefined : { effort },
    });
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

  async #outcomeOf(at: number, otherwise: "sideNothing" | "sideRuns"): Promise<SideOutcome> {
    const side = await this.#open(at);
    if (side === undefined) throw new MessageError(message(otherwise));
    return side.outcome();
  }

  #know(at: number, news: News): void {
    const candidate = this.#candidates[at];
    if (candidate === undefined) return;
    candidate.known = present({ ...candidate.known, ...news }) as KeptCandidate;
    if (!this.#isGone) this.#changes.fire();
  }

  /** Resolves when what is known of it is on the disk, or the log states why it is not. */
  save(): Promise<void> {
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
