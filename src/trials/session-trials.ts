// The tries of all conversations of this window: at most one question at a time in each. Those of an earlier window are
// read when their conversation is shown.

import type { ConversationEvent } from "../conversation/events.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { SideTurnStart } from "../session/side-turn.ts";
import type { UsageRow } from "../usage/usage-rows.ts";
import { runAll } from "../util/disposables.ts";
import { Emitter } from "../util/emitter.ts";
import { parseJson } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import { candidatesOf, noFacts, type TrialWay } from "./candidate.ts";
import { KeptTrial } from "./internal/kept-trial.ts";
import type { AskToRun } from "./internal/run-candidate.ts";
import { secondsToQuote, Trial } from "./internal/trial.ts";

interface SessionTrialsDeps {
  readonly registry: Pick<SessionRegistry, "sideContext" | "open" | "onRemove">;
  price(rows: readonly UsageRow[]): string | undefined;
  /** Enters usage and receipts into the ledgers. */
  book(conversation: string, event: ConversationEvent): void;
  readonly log: Log;
}

/** The question: one that is in the box, or that of a turn that is to be replaced. */
export type TrialQuestion =
  | { readonly prompt: string; readonly command?: string | undefined }
  | { readonly turn: string };

export class SessionTrials {
  readonly #deps: SessionTrialsDeps;
  readonly #changes = new Emitter<string>();
  readonly #trials = new Map<string, Trial>();
  readonly #looked = new WeakSet<Session>();
  readonly #awaited = new WeakSet<Session>();

  /** Fires with the conversation whose tries have changed. */
  readonly onChange = this.#changes.on;

  constructor(deps: SessionTrialsDeps) {
    this.#deps = deps;
    deps.registry.onRemove((id) => {
      const trial = this.#trials.get(id);
      this.#forget(id);
      trial
        ?.abandon()
        .catch((error: unknown) => deps.log.error("Tries of a deleted conversation could not end.", error));
    });
  }

  of({ id }: Pick<Session, "id">): Trial | undefined {
    return this.#trials.get(id);
  }

  /** Reads what an earlier window has left, once for each session. */
  async look(session: Session): Promise<void> {
    if (!session.mayBegin) return this.#lookLater(session);
    if (this.#looked.has(session)) return;
    this.#looked.add(session);
    const known = this.#trials.get(session.id);
    if (known?.isOf(session) === true) return;
    // The conversation was closed meanwhile. What ran would have kept it open.
    this.#trials.delete(session.id);
    await known?.close();
    const read = KeptTrial.safeParse(parseJson(await session.readTrial()));
    if (!read.success || this.#trials.has(session.id)) return;
    const trial = this.#add(session, read.data);
    // What it would send may have become more since.
    if (!trial.isStarted) await trial.quote(AbortSignal.timeout(secondsToQuote * 1000));
  }

  /** Once this window writes the conversation: it has taken it over, or could not hand it over. */
  #lookLater(session: Session): void {
    if (this.#awaited.has(session)) return;
    this.#awaited.add(session);
    const listening = session.onChange(() => {
      if (!session.mayBegin) return;
      listening.dispose();
      this.#awaited.delete(session);
      this.look(session).catch((error: unknown) =>
        this.#deps.log.error("Tries of another window could not be read.", error),
      );
    });
  }

  /**
   * Takes the question out of the box and tells what trying it would cost. Nothing is sent before `Trial.start`.
   * `taken`: it is on the disk and may leave the box.
   */
  async propose(
    session: Session,
    way: TrialWay,
    question: TrialQuestion,
    taken?: () => void,
  ): Promise<Trial | undefined> {
    const { choices } = session;
    const candidates = candidatesOf(way, choices);
    const isPossible = !session.isRunning && session.mayBegin && !this.#trials.has(session.id);
    if (candidates.length < 2 || !isPossible) return undefined;
    const insteadOf = "turn" in question ? question.turn : undefined;
    const taking = "turn" in question ? undefined : session.takeQuestion(question.prompt, question.command);
    const asked = taking?.asked;
    if (asked !== undefined && asked.prompt.trim() === "" && asked.command === undefined) {
      session.putBack(asked);
      return undefined;
    }
    const words = asked?.prompt ?? session.state.turns.find(({ id }) => id === insteadOf)?.prompt ?? "";
    const { prompt, command } = asked ?? {};
    const kept: KeptTrial = {
      ...{ version: 1, words, way, isStarted: false },
      ...present({
        asked:
          prompt === undefined
            ? undefined
            : present({ prompt, command, attachments: [...(taking?.small ?? [])] }),
        insteadOf,
      }),
      candidates: candidates.map((each) => ({ ...each, state: "waiting", facts: noFacts })),
    };
    const trial = this.#add(session, kept, asked);
    try {
      await trial.save();
      taken?.();
      await trial.quote(AbortSignal.timeout(secondsToQuote * 1000));
    } catch (error) {
      await this.leave(session);
      throw error;
    }
    return trial;
  }

  /** Starts the tries of a conversation, which stays open until they have ended. */
  async start(session: Session): Promise<void> {
    const trial = this.of(session);
    if (trial === undefined) return;
    await this.#holding(session, () => trial.start());
  }

  async again(session: Session, at: number): Promise<void> {
    await this.#holding(session, () => this.of(session)?.again(at));
  }

  /** Runs checks of a candidate that wait for a person; see `Trial.check`. */
  async check(session: Session, at: number, ask: AskToRun): Promise<void> {
    await this.#holding(session, () => this.of(session)?.check(at, ask));
  }

  /** Takes a candidate; see `Trial.take`. */
  async take(session: Session, at: number, files?: ReadonlyMap<string, number>): Promise<void> {
    const trial = this.of(session);
    await trial?.take(at, files);
    if (trial?.isGone === true && this.of(session) === trial) this.#forget(session.id);
  }

  /** Nothing is taken: a question that was in the box goes back there. */
  async leave(session: Session): Promise<void> {
    const trial = this.of(session);
    const asked = await trial?.leave();
    if (trial?.isGone === true && this.of(session) === trial) this.#forget(session.id);
    if (asked !== undefined) session.putBack(asked);
  }

  stopAll(): void {
    for (const trial of this.#trials.values()) trial.stop();
  }

  close(): Promise<void> {
    return runAll([...this.#trials.values()].map((trial) => () => trial.close()));
  }

  #add(session: Session, kept: KeptTrial, asked?: SideTurnStart["asked"]): Trial {
    const { registry, price, book } = this.#deps;
    const trial = new Trial(
      {
        ...{ session, context: registry.sideContext, price, book: (event) => book(session.id, event) },
        ...present({ asked }),
      },
      kept,
    );
    this.#trials.set(session.id, trial);
    trial.onChange(() => this.#changes.fire(session.id));
    let leaving: Promise<void> | undefined;
    const letGo = () => {
      leaving ??= this.#letGo(session, trial);
      return leaving;
    };
    const handingOver = session.beforeHandOver(letGo);
    const listening = session.onChange(() => {
      if (this.of(session) === trial && session.readOnly !== undefined) void letGo();
      if (this.of(session) === trial) return;
      listening.dispose();
      handingOver.dispose();
    });
    this.#changes.fire(session.id);
    return trial;
  }

  /** Another window writes the conversation from now on, and takes what has ended by then. */
  async #letGo(session: Session, trial: Trial): Promise<void> {
    // Until then they are tries of this window, which does not close before they have ended.
    await trial
      .handOver()
      .catch((error: unknown) => this.#deps.log.error("Tries of a conversation could not end.", error));
    this.#looked.delete(session);
    this.#lookLater(session);
    if (this.of(session) === trial) this.#forget(session.id);
  }

  #forget(id: string): void {
    this.#trials.delete(id);
    this.#changes.fire(id);
  }

  /** A conversation that nobody shows would be closed while its tries run. */
  async #holding(session: Session, begin: () => Promise<void> | undefined): Promise<void> {
    const { registry, log } = this.#deps;
    const lease = await registry.open(session.id);
    try {
      await begin();
    } catch (error) {
      await lease.release();
      throw error;
    }
    const trial = this.of(session);
    const look = () => {
      if (this.of(session) === trial && trial?.isRunning === true) return;
      listening.dispose();
      const over = async () => {
        await trial?.settled();
        await handedOver(session);
        await lease.release();
      };
      over().catch((error: unknown) => log.error("A conversation could not be put away.", error));
    };
    const listening = this.onChange(look);
    look();
  }
}

/** A session that is closed while another window waits for it would let that have less than it ends with. */
function handedOver({ takeOver, onChange }: Session): Promise<void> {
  if (!takeOver.isHandingOver) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = onChange(() => {
      if (takeOver.isHandingOver) return;
      listening.dispose();
      resolve();
    });
  });
}
