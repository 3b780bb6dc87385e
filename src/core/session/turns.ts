// The turns of one conversation over its journal: a question asked, asked again, gone on with, stopped, one at a time. Until a
// person has agreed to what would leave, nothing is cut, kept or sent. What a request is made of is TurnRequests' to say, what
// happens in a turn is the runner's, what is kept is the recorder's; drafts, queues and who looks are the session's.

import { ChangeSet } from "../changes/change-set.ts";
import { memoryChangeStore } from "../changes/kept-changes.ts";
import { AppliedErrors } from "../checks/applied-errors.ts";
import { proofOf } from "../checks/report.ts";
import { SessionChecks } from "../checks/session-checks.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { Chosen, Opened } from "../conversation/record.ts";
import { isPersons } from "../conversation/reduce.ts";
import { isExcludable, sentAgain } from "../conversation/sent-again.ts";
import type { Conversation, Turn } from "../conversation/state.ts";
import { pathOf } from "../files/locate.ts";
import { cleanText, takeOutSecrets } from "../files/secrets.ts";
import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { BlobsFull } from "../store/blobs.ts";
import { costOfGoingBack, type GoingBack } from "../tokens/rewind-cost.ts";
import { rowsInCache } from "../tokens/usage-rows.ts";
import { patchWorkspace } from "../tools/patch-workspace.ts";
import { proposePatch } from "../tools/propose-patch.ts";
import { quotable } from "../tools/quotable-text.ts";
import type { PatchShown } from "../tools/tool.ts";
import { goOnQuestion, handOverQuestion } from "../turn/hand-over.ts";
import { PendingDecisions } from "../turn/pending-decisions.ts";
import {
  type Asked,
  type AskedBefore,
  inOtherWords,
  promptOf,
  type Question,
  restOf,
  sameAgain,
  withoutAttachments,
  withoutLabels,
} from "../turn/question-items.ts";
import type { Transcript } from "../turn/transcript.ts";
import { present } from "../util/present.ts";
import { Compactor } from "./compactor.ts";
import { limitsOf } from "./conversation-settings.ts";
import { rowNews } from "./patch-rows.ts";
import { type ConversationJournal, Recorder } from "./recorder.ts";
import { type TurnInputDeps, TurnInputs } from "./turn-inputs.ts";
import { TurnRequests } from "./turn-requests.ts";
import { type AskOptions, originOf, TurnRunner, type TurnRunnerDeps, type Wish } from "./turn-runner.ts";

export interface TurnsDeps extends TurnRunnerDeps, TurnInputDeps {
  readonly journal: ConversationJournal;
  /** Hears what happens, once it is where it has to be. */
  emit(event: ConversationEvent): void;
}

/**
 * Ways to ask again or to go on: `retry` goes on where tools have acted, else asks the question once more; `retry-whole` does
 * that in one piece, `drop-reasoning` without what only the service could read; `compact` summarizes first.
 */
export type Again =
  | "retry"
  | "retry-whole"
  | "drop-reasoning"
  | "remove-attachments"
  | "raise-limit"
  | "continue"
  | "regenerate"
  | "compact";

export interface KeptOfTurn {
  readonly opened: Opened | undefined;
  /** Everything said before it, as raw items. */
  readonly before: readonly string[];
  /** What it added: the question, then the reply and outputs of tools. */
  readonly asked: readonly string[];
  readonly items: readonly string[];
}

export class Turns {
  readonly #deps: TurnsDeps;
  readonly #inputs: TurnInputs;
  readonly #runner: TurnRunner;
  readonly #compactor: Compactor;
  /** All that was said, and whatever is to be kept with it. */
  readonly recorder: Recorder;
  /** What is sent, or would be. */
  readonly requests: TurnRequests;
  /** Tools and patches that ask. */
  readonly decisions = new PendingDecisions();
  /** What it proposes for files. */
  readonly changes: ChangeSet;
  /** The person's own checks on that; absent: none can run here. */
  readonly checks: SessionChecks | undefined;
  /** What the editor finds wrong where it was applied. */
  readonly errors: AppliedErrors;

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
    this.recorder = new Recorder(deps);
    this.#inputs = new TurnInputs(deps);
    const { workspace, journal } = deps;
    this.changes = new ChangeSet({
      ...deps,
      world: () => patchWorkspace(workspace, this.#inputs.files, this.#inputs.protection),
      apply: workspace.apply,
      store: journal.changes ?? memoryChangeStore(),
      applying: (changes) => this.errors.before(changes),
      acceptance: () => ({ at: deps.now(), proof: [...proofOf(this.checks?.results ?? [])] }),
      decided: (calls) => this.#drawRows(calls),
      nameOf: (file) => pathOf(file, workspace.folders),
      quotable,
      secretsIn: (text) => takeOutSecrets(text).removed,
      isFull: (error) => error instanceof BlobsFull,
    });
    this.errors = new AppliedErrors({
      ...{ workspace, log: deps.log },
      nameOf: (file) => pathOf(file, workspace.folders),
      isApplied: (call) => [...this.changes.fatesOf(call).values()].includes("applied"),
    });
    if (journal.changes !== undefined) void this.#readChanges();
    const [inputs, { recorder, changes, errors, decisions }] = [this.#inputs, this];
    const host = deps.checkHost;
    this.checks =
      host &&
      new SessionChecks({
        ...{ host, changes, log: deps.log },
        clean: async (text) => (await cleanText(text)).text,
        nameOf: (file) => pathOf(file, workspace.folders),
      });
    const { checks } = this;
    const requests = new TurnRequests(deps, { recorder, inputs, changes, errors });
    this.requests = requests;
    this.#runner = new TurnRunner(deps, { recorder, inputs, changes, checks, requests, decisions });
    this.#compactor = new Compactor(deps, { recorder, requests, runner: this.#runner });
  }

  get state(): Conversation {
    return this.#transcript.state;
  }

  get choices(): Chosen {
    return this.#transcript.choices;
  }

  choose(chosen: Chosen): void {
    void this.recorder.keep({ type: "choices", at: this.#deps.now(), ...chosen });
  }

  /** Resolves with its turn once that has ended; without one where there was nothing to ask, or one runs already. */
  async send(
    asked: Asked,
    options: AskOptions,
    { turn, kept }: Pick<Wish, "turn" | "kept"> = {},
  ): Promise<Turn | undefined> {
    const { prompt, command, attachments = [] } = asked;
    if (prompt.trim() === "" && command === undefined && attachments.length === 0) return undefined;
    const { model } = options;
    const read = (signal: AbortSignal) => this.#inputs.read(asked, model, signal);
    const trim = (labels: ReadonlySet<string>, signal: AbortSignal) =>
      this.#inputs.read(withoutLabels(asked, labels), model, signal);
    return this.#ask({ words: promptOf(asked), read, trim, ...present({ turn, kept }) }, options);
  }

  /** What going back to a turn would cost, as things stand now. */
  costOfGoingBack(turn: string, model: string): GoingBack {
    const { counts, now, settings } = this.#deps;
    const { opened, choices, state } = this.#transcript;
    const { instructions = "", tools = [], cacheId = "" } = opened ?? {};
    const request = { instructions, tools, input: [], cacheId, model };
    const beginning = counts.aboutRequest({ route: "responses", model, request }).tokens;
    const rows = rowsInCache(state.turns, model);
    const tier = limitsOf(settings().limits, choices).cacheTtl;
    return costOfGoingBack(state.turns, turn, { rows, now: now(), tier, beginning });
  }

  /** What the journal keeps of a turn's requests, in any window: its frozen beginning and its raw items. */
  async keptOf(turn: string): Promise<KeptOfTurn> {
    await this.recorder.remember();
    const transcript = this.#transcript;
    const { opened } = transcript;
    const goesOn = transcript.turn(turn)?.continues ?? false;
    const [before, items] = [transcript.history({ insteadOf: turn, goesOn }), transcript.itemsOf(turn)];
    return { opened, before, asked: transcript.asked(turn), items };
  }

  /** After the last turn, or in the place of the one that is named; nothing where there is nothing to ask again. */
  async again(way: Again, options: AskOptions, turn?: string): Promise<Turn | undefined> {
    const last = this.state.turns.at(-1);
    if (way === "compact") return this.#compactAndAsk(options);
    if (last === undefined) return undefined;
    if (way === "regenerate") return this.#regenerate(turn ?? last.id, options);
    if (way === "remove-attachments") return this.#askAgain(last.id, options, withoutAttachments);
    if (way === "continue" || way === "raise-limit") return this.#goOn(last, options);
    // What only the service itself could read is left out of the history from now on.
    if (way === "drop-reasoning") await this.requests.agreeToRetell();
    return this.#retry(last, options, way !== "retry-whole");
  }

  /** A person has this turn left out of what is sent from now on. */
  async exclude(id: string): Promise<void> {
    const turn = this.#transcript.turn(id);
    if (turn === undefined || !isExcludable(turn)) return;
    await this.recorder.take({ type: "excluded", turn: id, at: this.#deps.now() });
  }

  /** Has all of it summarized, once a person has agreed to what that sends; the history goes on from the summary. */
  async compact(options: AskOptions, insteadOf?: string): Promise<Turn | undefined> {
    const wish = { read: () => handOverQuestion, ...present({ insteadOf }) };
    return this.#ask(wish, options);
  }

  /** Asks the question of a turn again with other words; what was attached stays. */
  async edit(
    turn: string,
    prompt: string,
    options: AskOptions,
    kept?: () => void,
  ): Promise<Turn | undefined> {
    if (prompt.trim() === "" || this.#transcript.turn(turn)?.compacts) return undefined;
    const read = (asked: AskedBefore) => inOtherWords(asked, prompt, this.#inputs.commands);
    return this.#askAgain(turn, options, read, { words: prompt, ...present({ kept }) });
  }

  /** A patch that a person has made of an answer's code. @throws HumanError where it does not fit the files. */
  async propose(turn: string, patch: string): Promise<string> {
    const call = `person-${this.#deps.newId()}`;
    const overlay = () => this.#inputs.world(this.changes);
    // No model is told anything: what it would hear is not kept.
    const show = async ({ output: _, ...shown }: PatchShown) => {
      if (shown.status === "failed") throw new MessageError(shown.message ?? message("patchAsItIs"));
      await this.recorder.take({ type: "patch", turn, id: call, call, by: "person", ...shown });
    };
    const { protection } = this.#inputs;
    const origin = (id: string) => originOf(this.#transcript.turn(id));
    await proposePatch(patch, { turn, call, overlay, changes: this.changes, protection, origin, show });
    return call;
  }

  /** What waits from an earlier window; where that went away between two words, the rows are told the second one. */
  async #readChanges(): Promise<void> {
    try {
      await this.changes.refresh();
      await this.#drawRows();
    } catch (error) {
      this.#deps.log.error("Proposed changes could not be read.", error);
    }
  }

  /** What has become of these patches, or of all, in their rows. */
  async #drawRows(calls?: ReadonlySet<string>): Promise<void> {
    const { halfWritten } = this.changes;
    for (const { id: turn, parts } of this.state.turns)
      for (const part of parts) {
        if (part.type !== "patch" || calls?.has(part.call) === false) continue;
        const { call } = part;
        const half = halfWritten?.calls.includes(call) === true ? halfWritten : undefined;
        const [fates, note] = [this.changes.fatesOf(call), this.changes.noteOf(call)];
        const news = rowNews(part, { fates, note, halfWritten: half });
        if (news !== undefined) await this.recorder.take({ ...news, turn });
      }
  }

  /** Once nothing runs any more. Resolves when everything said is saved. */
  async close(): Promise<void> {
    this.checks?.dispose();
    this.errors.dispose();
    await this.changes.close();
    await this.recorder.flush();
  }

  get #transcript(): Transcript {
    return this.recorder.transcript;
  }

  /** Resolves with the turn once that has ended. Whoever asks sees to it that one runs at a time. */
  async #ask(wish: Wish, options: AskOptions): Promise<Turn | undefined> {
    const { turn = this.#deps.newId(), kept } = wish;
    if (options.signal.aborted) kept?.();
    else await this.#agreeAndRun(turn, wish, options);
    const own = this.#transcript.turn(turn);
    // What was too long may have been gone on with.
    return own?.status === "failed" ? this.state.turns.at(-1) : own;
  }

  async #agreeAndRun(turn: string, wish: Wish, { model, signal }: AskOptions): Promise<void> {
    const { recorder, requests } = this;
    const [runner, compactor] = [this.#runner, this.#compactor];
    const { words = "", read, insteadOf, stream = true, kept } = wish;
    await recorder.remember();
    if (!(await this.#inputs.mayUse(words, this.#deps.ask, signal))) return kept?.();
    const ready = await requests.settle(model);
    const question = await read(signal);
    if (signal.aborted) return kept?.();
    const wanted = requests.make(question, model, ready, insteadOf);
    const agreed = wanted.compacts
      ? await compactor.agree(wanted, signal)
      : await runner.agree(wanted, wish, ready, signal);
    // Stopped until here, nothing is cut, kept or sent.
    if (agreed === undefined || signal.aborted) return kept?.();
    if (agreed === "compact") {
      if (!(await compactor.compact(model, [], signal))) return kept?.();
      const now = await requests.settle(model);
      return runner.run({ ...requests.make(question, model, now), turn, stream }, now, signal);
    }
    if (insteadOf !== undefined) await runner.giveUp(insteadOf, turn, question);
    await runner.run({ ...agreed, turn, stream }, ready, signal);
    if (!signal.aborted) await compactor.relieve(turn, question, model, wish, signal);
  }

  /** Where tools have acted, it goes on from there: what is done is done, only the answer to it is missing (faults, row 59). */
  async #retry(last: Turn, options: AskOptions, stream: boolean): Promise<Turn | undefined> {
    const acted = last.parts.some(
      (part) => part.type === "tool" || (part.type === "patch" && !isPersons(part)),
    );
    return acted ? this.#goOn(last, options, stream) : this.#regenerate(last.id, options, stream);
  }

  /** With an answer that did not come to its end; there is nothing to go on with after one that did. */
  async #goOn(last: Turn, options: AskOptions, stream = true): Promise<Turn | undefined> {
    if (last.status === "done") return undefined;
    if (last.compacts) return this.compact(options, last.id);
    const read = () => restOf(this.#transcript.history({ goesOn: true }));
    return this.#ask({ read, stream }, options);
  }

  async #regenerate(turn: string, options: AskOptions, stream = true): Promise<Turn | undefined> {
    if (this.#transcript.turn(turn)?.compacts) return this.compact(options, turn);
    return this.#askAgain(turn, options, sameAgain, { stream });
  }

  /** What was too long is asked again, or gone on with, once all of it is summarized. */
  async #compactAndAsk(options: AskOptions): Promise<Turn | undefined> {
    const last = this.state.turns.at(-1);
    if (last?.status !== "failed" || last.compacts) return this.compact(options);
    const asked = sentAgain(last) === "nothing" ? await this.#asked(last.id) : undefined;
    const summary = await this.compact(options);
    if (summary?.status !== "done") return summary;
    return this.#ask({ read: () => (asked === undefined ? goOnQuestion : sameAgain(asked)) }, options);
  }

  /** Asks the question of a turn again; that turn and what followed it are no longer part of the conversation. */
  async #askAgain(
    turn: string,
    options: AskOptions,
    read: (asked: AskedBefore) => Question,
    more: Pick<Wish, "words" | "stream" | "kept"> = {},
  ): Promise<Turn | undefined> {
    const asked = await this.#asked(turn);
    if (asked !== undefined) return this.#ask({ read: () => read(asked), insteadOf: turn, ...more }, options);
    // It is gone by now; what was typed in its place is not.
    more.kept?.();
    return undefined;
  }

  async #asked(id: string): Promise<AskedBefore | undefined> {
    await this.recorder.remember();
    const turn = this.#transcript.turn(id);
    return turn && { turn, items: this.#transcript.asked(id) };
  }
}
