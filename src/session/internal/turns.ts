// The turns of one conversation: asking, asking again, continuing and stopping, one turn at a time. Until a person has
// agreed to what would be sent, nothing is cut, stored or sent. Requests are made by TurnRequests, turns run by
// TurnRunner, events stored by Recorder; drafts, queues and observers belong to the session.

import { ChangeSet } from "../../changes/change-set.ts";
import { memoryChangeStore } from "../../changes/change-store.ts";
import { AppliedErrors } from "../../checks/applied-errors.ts";
import { proofOf } from "../../checks/report.ts";
import { SessionChecks } from "../../checks/session-checks.ts";
import { MessageError } from "../../conversation/english.ts";
import type { Chosen, ConversationEvent } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import { isExcludable, isPersons, resendModeOf } from "../../conversation/reduce.ts";
import type { Conversation, Turn } from "../../conversation/state.ts";
import { cleanText, takeOutSecrets } from "../../files/privacy.ts";
import { pathOf } from "../../files/refusal.ts";
import type { Composable } from "../../service/request.ts";
import { BlobsFull } from "../../store/documents.ts";
import { type RewindCost, rewindCost } from "../../tokens/price.ts";
import { rowsInCache } from "../../tokens/usage-rows.ts";
import { patchWorkspace, proposePatch, redactForModel } from "../../tools/apply-patch.ts";
import type { PatchShown } from "../../tools/tool.ts";
import { createMutex } from "../../util/concurrency.ts";
import { present } from "../../util/present.ts";
import { type KeptTurn, limitsOf } from "../session-context.ts";
import { type TurnInputDeps, TurnInputs, TurnRequests } from "./build-request.ts";
import { continuePrompt, summaryPrompt } from "./compaction.ts";
import { patchRowUpdate } from "./decision-report.ts";
import { editedFiles } from "./edited-files.ts";
import { toMessages } from "./history.ts";
import { type ConversationJournal, Recorder } from "./recorder.ts";
import { Compactor } from "./run-compaction.ts";
import { PendingDecisions } from "./run-tool-call.ts";
import type { Transcript } from "./transcript.ts";
import { type AskOptions, originOf, TurnRunner, type TurnRunnerDeps, type TurnSpec } from "./turn-runner.ts";
import {
  type EarlierQuestion,
  promptOf,
  type Question,
  repeated,
  rephrased,
  restOf,
  type UserInput,
  withoutAttachments,
  withoutLabels,
} from "./user-question.ts";

interface TurnsDeps extends TurnRunnerDeps, TurnInputDeps {
  readonly journal: ConversationJournal;
  /** Receives each event once it is saved as required. */
  emit(event: ConversationEvent): void;
}

/**
 * How to ask again or continue. `retry` continues if tools have acted, otherwise asks the question again; `retry-whole`
 * does so without streaming, `drop-reasoning` without items only the service can read; `compact` summarizes first.
 */
export type RetryMode =
  | "retry"
  | "retry-whole"
  | "drop-reasoning"
  | "remove-attachments"
  | "raise-limit"
  | "continue"
  | "regenerate"
  | "compact";

export class Turns {
  readonly #deps: TurnsDeps;
  readonly #inputs: TurnInputs;
  readonly #runner: TurnRunner;
  readonly #compactor: Compactor;
  readonly #oneDrawing = createMutex();
  readonly recorder: Recorder;
  readonly requests: TurnRequests;
  /** Tools and patches that wait for a confirmation. */
  readonly decisions = new PendingDecisions();
  /** What the conversation proposes for files. */
  readonly changes: ChangeSet;
  /** The person's own checks on the proposals; absent if none can run here. */
  readonly checks: SessionChecks | undefined;
  /** Errors the editor reports in files where changes were applied. */
  readonly errors: AppliedErrors;

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
    this.recorder = new Recorder(deps);
    this.#inputs = new TurnInputs({ ...deps, askedAt: () => this.state.turns.at(-1)?.at });
    const { workspace, journal } = deps;
    this.changes = new ChangeSet({
      ...deps,
      world: () => patchWorkspace(workspace, this.#inputs.files, this.#inputs.protection),
      isTrusted: () => workspace.trusted,
      apply: workspace.apply,
      store: journal.changes ?? memoryChangeStore(),
      applying: (changes) => this.errors.before(changes),
      acceptance: () => ({ at: deps.now(), proof: [...proofOf(this.checks?.results ?? [])] }),
      decided: (calls) => this.#drawRows(calls),
      nameOf: (file) => pathOf(file, workspace.folders),
      redact: redactForModel,
      secretsIn: (text) => takeOutSecrets(text).removed,
      isFull: (error) => error instanceof BlobsFull,
    });
    this.errors = new AppliedErrors({
      ...{ workspace, log: deps.log },
      nameOf: (file) => pathOf(file, workspace.folders),
      isApplied: (call) => [...this.changes.statusesOf(call).values()].includes("applied"),
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
    const isTask = () => journal.isTask === true;
    const requests = new TurnRequests(deps, { recorder, inputs, changes, errors, isTask });
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

  /** Resolves with the turn once it has ended, or with undefined if there was nothing to ask. */
  async send(
    asked: UserInput,
    options: AskOptions,
    { turn, kept }: Pick<TurnSpec, "turn" | "kept"> = {},
  ): Promise<Turn | undefined> {
    const { prompt, command, attachments = [] } = asked;
    if (prompt.trim() === "" && command === undefined && attachments.length === 0) return undefined;
    const { model } = options;
    const read = (signal: AbortSignal) => this.#inputs.read(asked, model, signal);
    const trim = (labels: ReadonlySet<string>, signal: AbortSignal) =>
      this.#inputs.read(withoutLabels(asked, labels), model, signal);
    return this.#ask({ words: promptOf(asked), read, trim, ...present({ turn, kept }) }, options);
  }

  /** What going back to a turn would cost at this moment. */
  rewindCost(turn: string, model: string): RewindCost {
    const { counts, now, settings } = this.#deps;
    const { opened, choices, state } = this.#transcript;
    const { instructions = "", tools = [], cacheId = "" } = opened ?? {};
    const request = { instructions, tools, input: [], cacheId, model };
    const beginning = counts.aboutRequest({ route: "responses", model, request }).tokens;
    const rows = rowsInCache(state.turns, model);
    const tier = limitsOf(settings().limits, choices).cacheTtl;
    return rewindCost(state.turns, turn, { rows, now: now(), tier, beginning });
  }

  /** What the journal contains of a turn's requests, from any window: its opening and raw items. */
  async keptOf(turn: string): Promise<KeptTurn> {
    await this.recorder.remember();
    const transcript = this.#transcript;
    const { opened } = transcript;
    const goesOn = transcript.turn(turn)?.continues ?? false;
    const [before, items] = [transcript.history({ insteadOf: turn, goesOn }), transcript.itemsOf(turn)];
    return { opened, before, asked: transcript.asked(turn), items };
  }

  /** The first request of a turn, reconstructed from the journal. */
  async requestOf(id: string): Promise<Composable | undefined> {
    const turn = this.state.turns.find((each) => each.id === id);
    const { opened, before, asked } = await this.keptOf(id);
    if (turn === undefined || opened === undefined || asked.length === 0) return undefined;
    const items = [...before, ...asked];
    if (turn.route === "chat") {
      const request = { model: turn.model, messages: toMessages(opened.chatInstructions, items) };
      return { route: "chat", request };
    }
    const { instructions, tools, cacheId } = opened;
    return { route: "responses", request: { input: items, instructions, tools, cacheId } };
  }

  /** Whether the model has not yet been told what a person said with a decision. */
  async isUntold(words: string): Promise<boolean> {
    await this.recorder.remember();
    const said = JSON.stringify(takeOutSecrets(words).text).slice(1, -1);
    return this.requests.news(this.#transcript.history()).some((item) => item.includes(said));
  }

  /**
   * Asks again after the last turn, or in place of the given one; returns undefined if there is nothing to ask again.
   */
  async retry(way: RetryMode, options: AskOptions, turn?: string): Promise<Turn | undefined> {
    const last = this.state.turns.at(-1);
    if (way === "compact") return this.#compactAndAsk(options);
    if (last === undefined) return undefined;
    if (way === "regenerate") return this.#regenerate(turn ?? last.id, options);
    if (way === "remove-attachments") return this.#askAgain(last.id, options, withoutAttachments);
    if (way === "continue" || way === "raise-limit") return this.#goOn(last, options);
    // From now on the history leaves out what only the service can read.
    if (way === "drop-reasoning") await this.requests.agreeToRetell();
    return this.#retry(last, options, way !== "retry-whole");
  }

  /** Excludes a turn from future requests. */
  async exclude(id: string): Promise<void> {
    const turn = this.#transcript.turn(id);
    if (turn === undefined || !isExcludable(turn)) return;
    await this.recorder.take({ type: "excluded", turn: id, at: this.#deps.now() });
  }

  /**
   * Summarizes the conversation once a person has agreed to what that sends; the history continues from the summary.
   */
  async compact(options: AskOptions, insteadOf?: string, waiting?: Turn): Promise<Turn | undefined> {
    const spec = { read: () => summaryPrompt(waiting), ...present({ insteadOf }) };
    return this.#ask(spec, options);
  }

  /** Asks the question of a turn again in other words; its attachments are kept. */
  async edit(
    turn: string,
    prompt: string,
    options: AskOptions,
    kept?: () => void,
  ): Promise<Turn | undefined> {
    if (prompt.trim() === "" || this.#transcript.turn(turn)?.compacts) return undefined;
    const read = (asked: EarlierQuestion) => rephrased(asked, prompt, this.#inputs.commands);
    return this.#askAgain(turn, options, read, { words: prompt, ...present({ kept }) });
  }

  /** Proposes a patch a person has made from a response's code. @throws HumanError if it does not fit the files. */
  async propose(turn: string, patch: string): Promise<string> {
    const call = `person-${this.#deps.newId()}`;
    const overlay = () => this.#inputs.world(this.changes);
    // The output for a model is dropped, because no model asked for the patch.
    const show = async ({ output: _, ...shown }: PatchShown) => {
      if (shown.status === "failed") throw new MessageError(shown.message ?? message("patchAsItIs"));
      await this.recorder.take({ type: "patch", turn, id: call, call, by: "person", ...shown });
    };
    const { protection } = this.#inputs;
    const origin = (id: string) => originOf(this.#transcript.turn(id));
    await proposePatch(patch, { turn, call, overlay, changes: this.changes, protection, origin, show });
    return call;
  }

  /**
   * Loads pending changes of an earlier window. If that was closed between saving a decision and updating the rows,
   * they are updated now.
   */
  async #readChanges(): Promise<void> {
    try {
      await this.changes.refresh();
      await this.#drawRows();
    } catch (error) {
      this.#deps.log.error("Proposed changes could not be read.", error);
    }
  }

  /** Updates the rows of these patches, or of all. One update at a time, so that the latest decision is shown last. */
  #drawRows(calls?: ReadonlySet<string>): Promise<void> {
    return this.#oneDrawing(() => this.#drawRowsOf(calls));
  }

  async #drawRowsOf(calls: ReadonlySet<string> | undefined): Promise<void> {
    const { halfWritten } = this.changes;
    for (const { id: turn, parts } of this.state.turns)
      for (const part of parts) {
        if (part.type !== "patch" || calls?.has(part.call) === false) continue;
        const { call } = part;
        const half = halfWritten?.calls.includes(call) === true ? halfWritten : undefined;
        const [statuses, note] = [this.changes.statusesOf(call), this.changes.noteOf(call)];
        const files = await editedFiles(part.files, {
          written: await this.changes.editedChangesOf(call),
          statuses,
          nameOf: (file) => pathOf(file, this.#deps.workspace.folders),
          redact: redactForModel,
        });
        const news = patchRowUpdate(part, { statuses, note, halfWritten: half, files });
        if (news !== undefined) await this.recorder.take({ ...news, turn });
      }
  }

  /** Called when nothing runs any more. Resolves when everything is saved. */
  async close(): Promise<void> {
    this.checks?.dispose();
    this.errors.dispose();
    await this.changes.close();
    await this.recorder.flush();
  }

  get #transcript(): Transcript {
    return this.recorder.transcript;
  }

  /** Resolves with the turn once it has ended. Callers ensure that only one runs at a time. */
  async #ask(spec: TurnSpec, options: AskOptions): Promise<Turn | undefined> {
    const { turn = this.#deps.newId(), kept } = spec;
    if (options.signal.aborted) kept?.();
    else await this.#agreeAndRun(turn, spec, options);
    const own = this.#transcript.turn(turn);
    // A turn that was too long may have been continued in another one.
    return own?.status === "failed" ? this.state.turns.at(-1) : own;
  }

  async #agreeAndRun(turn: string, spec: TurnSpec, { model, signal }: AskOptions): Promise<void> {
    const { recorder, requests } = this;
    const [runner, compactor] = [this.#runner, this.#compactor];
    const { words = "", read, insteadOf, stream = true, kept } = spec;
    await recorder.remember();
    if (!(await this.#inputs.mayUse(words, this.#deps.ask, signal))) return kept?.();
    const ready = await requests.settle(model);
    const question = await read(signal);
    if (signal.aborted) return kept?.();
    const wanted = requests.make(question, model, ready, insteadOf);
    const agreed = wanted.compacts
      ? await compactor.agree(wanted, signal)
      : await runner.agree(wanted, spec, ready, signal);
    // If stopped before this point, nothing is cut, stored or sent.
    if (agreed === undefined || signal.aborted) return kept?.();
    if (agreed === "compact") {
      if (!(await compactor.compact(model, [], signal, { waiting: question }))) return kept?.();
      const now = await requests.settle(model);
      return runner.run({ ...requests.make(question, model, now), turn, stream }, now, signal);
    }
    if (insteadOf !== undefined) await runner.giveUp(insteadOf, turn, question);
    await runner.run({ ...agreed, turn, stream }, ready, signal);
    if (!signal.aborted) await compactor.relieve(turn, question, model, spec, signal);
  }

  /** If tools have acted, continues from there: their work is done and only the response is missing (faults, row 59). */
  async #retry(last: Turn, options: AskOptions, stream: boolean): Promise<Turn | undefined> {
    const acted = last.parts.some(
      (part) => part.type === "tool" || (part.type === "patch" && !isPersons(part)),
    );
    return acted ? this.#goOn(last, options, stream) : this.#regenerate(last.id, options, stream);
  }

  /** Continues an incomplete answer; there is nothing to continue after a complete one. */
  async #goOn(last: Turn, options: AskOptions, stream = true): Promise<Turn | undefined> {
    if (last.status === "done") return undefined;
    if (last.compacts) return this.compact(options, last.id);
    const read = () => restOf(this.#transcript.history({ goesOn: true }));
    return this.#ask({ read, stream }, options);
  }

  async #regenerate(turn: string, options: AskOptions, stream = true): Promise<Turn | undefined> {
    if (this.#transcript.turn(turn)?.compacts) return this.compact(options, turn);
    return this.#askAgain(turn, options, repeated, { stream });
  }

  /** Summarizes the conversation, then asks the question that was too long again, or continues. */
  async #compactAndAsk(options: AskOptions): Promise<Turn | undefined> {
    const last = this.state.turns.at(-1);
    if (last?.status !== "failed" || last.compacts) return this.compact(options);
    const asked = resendModeOf(last) === "nothing" ? await this.#asked(last.id) : undefined;
    const summary = await this.compact(options, undefined, asked?.turn);
    if (summary?.status !== "done") return summary;
    return this.#ask({ read: () => (asked === undefined ? continuePrompt : repeated(asked)) }, options);
  }

  /** Asks the question of a turn again; that turn and everything after it leave the conversation. */
  async #askAgain(
    turn: string,
    options: AskOptions,
    read: (asked: EarlierQuestion) => Question,
    more: Pick<TurnSpec, "words" | "stream" | "kept"> = {},
  ): Promise<Turn | undefined> {
    const asked = await this.#asked(turn);
    if (asked !== undefined) return this.#ask({ read: () => read(asked), insteadOf: turn, ...more }, options);
    // The turn no longer exists, but the text typed for it must not be lost.
    more.kept?.();
    return undefined;
  }

  async #asked(id: string): Promise<EarlierQuestion | undefined> {
    await this.recorder.remember();
    const turn = this.#transcript.turn(id);
    return turn && { turn, items: this.#transcript.asked(id) };
  }
}
