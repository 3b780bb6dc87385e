// The turns of one conversation over its journal: a question asked, asked again, gone on with, stopped, one at a time. What
// happens in a turn is the runner's, what is kept is the recorder's; drafts, queues and who looks are the session's.

import type { Outgoing } from "../api/request.ts";
import { ChangeSet } from "../changes/change-set.ts";
import { memoryChangeStore } from "../changes/kept-changes.ts";
import { AppliedErrors } from "../checks/applied-errors.ts";
import { proofOf } from "../checks/report.ts";
import { SessionChecks } from "../checks/session-checks.ts";
import type { Decision } from "../conversation/decision.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { Chosen, ConversationRecord, Opened } from "../conversation/record.ts";
import { isPersons } from "../conversation/reduce.ts";
import { isExcludable, sentAgain } from "../conversation/sent-again.ts";
import type { Conversation, Turn } from "../conversation/state.ts";
import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { BlobsFull } from "../store/blobs.ts";
import { costOfGoingBack, type GoingBack } from "../tokens/rewind-cost.ts";
import { rowsInCache } from "../tokens/usage-rows.ts";
import { pathOf } from "../tools/locate.ts";
import { patchWorkspace } from "../tools/patch-workspace.ts";
import { proposePatch } from "../tools/propose-patch.ts";
import { quotable } from "../tools/quotable.ts";
import { cleanText, takeOutSecrets } from "../tools/secrets.ts";
import type { PatchShown } from "../tools/tool.ts";
import { goOnQuestion, handOverQuestion } from "../turn/compaction.ts";
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
import { limitsOf } from "./conversation-settings.ts";
import { rowNews } from "./patch-rows.ts";
import { type ConversationJournal, Recorder } from "./recorder.ts";
import { type TurnInputDeps, TurnInputs } from "./turn-inputs.ts";
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
  readonly #recorder: Recorder;
  readonly #inputs: TurnInputs;
  readonly #runner: TurnRunner;
  /** What it proposes for files. */
  readonly changes: ChangeSet;
  /** The person's own checks on that; absent: none can run here. */
  readonly checks: SessionChecks | undefined;
  /** What the editor finds wrong where it was applied. */
  readonly errors: AppliedErrors;

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
    this.#recorder = new Recorder(deps);
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
    const [recorder, inputs, changes] = [this.#recorder, this.#inputs, this.changes];
    const host = deps.checkHost;
    this.checks =
      host &&
      new SessionChecks({
        ...{ host, changes, log: deps.log },
        clean: async (text) => (await cleanText(text)).text,
        nameOf: (file) => pathOf(file, workspace.folders),
      });
    const { checks, errors } = this;
    this.#runner = new TurnRunner(deps, { recorder, inputs, changes, checks, errors });
  }

  get state(): Conversation {
    return this.#transcript.state;
  }

  get choices(): Chosen {
    return this.#transcript.choices;
  }

  choose(chosen: Chosen): void {
    void this.#recorder.keep({ type: "choices", at: this.#deps.now(), ...chosen });
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
    return this.#runner.ask({ words: promptOf(asked), read, trim, ...present({ turn, kept }) }, options);
  }

  /** What this question would send now; nothing is sent and nothing is kept. */
  async preview(asked: Asked, model: string, signal: AbortSignal): Promise<Outgoing> {
    await this.#recorder.remember();
    return this.#runner.compose(await this.#inputs.read(asked, model, signal), model);
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
    await this.#recorder.remember();
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
    if (way === "drop-reasoning") await this.#runner.agreeToRetell();
    return this.#retry(last, options, way !== "retry-whole");
  }

  /** A person has this turn left out of what is sent from now on. */
  async exclude(id: string): Promise<void> {
    const turn = this.#transcript.turn(id);
    if (turn === undefined || !isExcludable(turn)) return;
    await this.#recorder.take({ type: "excluded", turn: id, at: this.#deps.now() });
  }

  /** How many tokens the model takes, where the user or the service has said so. */
  contextWindow(model: string): number | undefined {
    return this.#runner.compactor.window(model);
  }

  /** Has all of it summarized, once a person has agreed to what that sends; the history goes on from the summary. */
  async compact(options: AskOptions, insteadOf?: string): Promise<Turn | undefined> {
    const wish = { read: () => handOverQuestion, compacts: true, ...present({ insteadOf }) };
    return this.#runner.ask(wish, options);
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

  /** What another window has said in it. */
  hear(records: readonly ConversationRecord[]): void {
    this.#recorder.hear(records);
  }

  /** False when nothing waits for this decision. */
  decide(call: string, decision: Decision): boolean {
    return this.#runner.decisions.decide(call, decision);
  }

  /** A patch that a person has made of an answer's code. @throws HumanError where it does not fit the files. */
  async propose(turn: string, patch: string): Promise<string> {
    const call = `person-${this.#deps.newId()}`;
    const overlay = () => this.#inputs.world(this.changes);
    // No model is told anything: what it would hear is not kept.
    const show = async ({ output: _, ...shown }: PatchShown) => {
      if (shown.status === "failed") throw new MessageError(shown.message ?? message("patchAsItIs"));
      await this.#recorder.take({ type: "patch", turn, id: call, call, by: "person", ...shown });
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
        if (news !== undefined) await this.#recorder.take({ ...news, turn });
      }
  }

  /** From now on the end of a turn is not the user's doing. */
  closing(): void {
    this.#recorder.closing();
  }

  /** Resolves when everything said so far is on the disk. */
  flush(): Promise<void> {
    return this.#recorder.flush();
  }

  /** Once nothing runs any more. Resolves when everything said is saved. */
  async close(): Promise<void> {
    this.checks?.dispose();
    this.errors.dispose();
    await this.changes.close();
    await this.#recorder.flush();
  }

  get #transcript(): Transcript {
    return this.#recorder.transcript;
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
    return this.#runner.ask({ read, stream }, options);
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
    return this.#runner.ask({ read: () => (asked === undefined ? goOnQuestion : sameAgain(asked)) }, options);
  }

  /** Asks the question of a turn again; that turn and what followed it are no longer part of the conversation. */
  async #askAgain(
    turn: string,
    options: AskOptions,
    read: (asked: AskedBefore) => Question,
    more: Pick<Wish, "words" | "stream" | "kept"> = {},
  ): Promise<Turn | undefined> {
    const asked = await this.#asked(turn);
    return asked && this.#runner.ask({ read: () => read(asked), insteadOf: turn, ...more }, options);
  }

  async #asked(id: string): Promise<AskedBefore | undefined> {
    await this.#recorder.remember();
    const turn = this.#transcript.turn(id);
    return turn && { turn, items: this.#transcript.asked(id) };
  }
}
