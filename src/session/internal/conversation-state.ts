// What one conversation is while it is alive: what was said in it, what is proposed and checked, what waits for a person,
// and the requests that follow from that. Asks nothing and runs nothing itself: that is run-turn.ts.

import { ChangeSet } from "../../changes/change-set.ts";
import { memoryChangeStore } from "../../changes/change-store.ts";
import { type Waiting, waitingIn } from "../../changes/pending-changes.ts";
import { AppliedErrors } from "../../checks/applied-errors.ts";
import { proofOf } from "../../checks/report.ts";
import { checksForModel, SessionChecks } from "../../checks/session-checks.ts";
import { SessionCommands } from "../../commands/session-commands.ts";
import { MessageError } from "../../conversation/english.ts";
import type { Chosen, ConversationEvent, Opened } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { attachmentsOf, isExcludable, promptsOf, waitingTools } from "../../conversation/reduce.ts";
import type { Conversation, Plan, PlanEdit, Turn } from "../../conversation/state.ts";
import { contradictions } from "../../evidence/change-evidence.ts";
import { claimsOfResponse } from "../../evidence/response-facts.ts";
import { BreakingChanges } from "../../evidence/what-breaks.ts";
import { cleanText, takeOutSecrets } from "../../files/privacy.ts";
import { pathOf } from "../../files/refusal.ts";
import type { FileName } from "../../patch/model.ts";
import { isInScope, namesFiles, namesIn } from "../../risk/file-risk.ts";
import type { Composable } from "../../service/request.ts";
import { BlobsFull } from "../../store/documents.ts";
import { patchWorkspace, proposePatch, redactForModel } from "../../tools/apply-patch.ts";
import type { PatchShown, ToolContext, ToolResult } from "../../tools/tool.ts";
import { type RewindCost, rewindCost } from "../../usage/price.ts";
import { rowsInCache } from "../../usage/usage-rows.ts";
import { createMutex } from "../../util/concurrency.ts";
import { present } from "../../util/present.ts";
import { type KeptTurn, limitsOf, type ToldFiles } from "../session-context.ts";
import { type AskPerson, SpendGuard } from "../spend-guard.ts";
import { type RequestDeps, TurnRequests } from "./build-request.ts";
import { type SummaryOffer, summaryOffer } from "./compaction.ts";
import { patchRowUpdate } from "./decision-report.ts";
import { editedFiles } from "./edited-patch-row.ts";
import { frozenFor } from "./opening.ts";
import { editedSteps, planShown, refuseUntold } from "./plan.ts";
import type { PromptQueue } from "./prompt-queue.ts";
import { type ConversationJournal, Recorder } from "./recorder.ts";
import { planRewind } from "./rewind.ts";
import { PendingDecisions } from "./run-tool-call.ts";
import type { SentQuestion } from "./session-draft.ts";
import { repeatedCallName, type Transcript } from "./transcript.ts";
import { chatMessages } from "./turn-request.ts";

interface ConversationDeps extends RequestDeps {
  readonly journal: ConversationJournal;
  /** What was said before; absent: what the journal's records say. */
  readonly transcript?: Transcript;
  /** Receives each event once it is saved as required. */
  emit(event: ConversationEvent): void;
  /** Asks a person before something is sent. */
  readonly ask: AskPerson;
  /** Keeps a question on the disk until its turn contains it. */
  hold(question: SentQuestion): Promise<void>;
  /** What is said while a turn runs. */
  readonly queue: PromptQueue;
}

/** The state as shown to somebody who does not have it open. */
export type SessionStatus = "running" | "needs-review" | "failed" | "idle";

export class ConversationState {
  readonly #oneDrawing = createMutex();
  readonly #onePlan = createMutex();
  readonly deps: ConversationDeps;
  readonly recorder: Recorder;
  readonly requests: TurnRequests;
  readonly spending: SpendGuard;
  /** Tools and patches that wait for a confirmation. */
  readonly decisions = new PendingDecisions();
  /** What the conversation proposes for files. */
  readonly changes: ChangeSet;
  /** The person's own checks on the proposals; absent if none can run here. */
  readonly checks: SessionChecks | undefined;
  /** What of the proposals breaks those checks. */
  readonly breaking: BreakingChanges | undefined;
  /** Errors the editor reports in files where changes were applied. */
  readonly errors: AppliedErrors;

  constructor(deps: ConversationDeps) {
    this.deps = deps;
    this.recorder = new Recorder(deps);
    const { workspace, journal, settings, log } = deps;
    const nameOf = (file: FileName) => pathOf(file, workspace.folders);
    this.changes = new ChangeSet({
      ...deps,
      world: () => patchWorkspace(workspace, this.requests.files, this.requests.protection),
      isTrusted: () => workspace.trusted,
      apply: workspace.apply,
      store: journal.changes ?? memoryChangeStore(),
      applying: (changes) => this.errors.before(changes),
      acceptance: (hunks) => ({ at: deps.now(), proof: this.#proof(hunks, nameOf) }),
      decided: (calls) => this.drawRows(calls),
      nameOf,
      redact: redactForModel,
      isFull: (error) => error instanceof BlobsFull,
    });
    const { changes, recorder } = this;
    this.errors = new AppliedErrors({
      ...{ workspace, log, nameOf },
      isApplied: (call) => [...changes.statusesOf(call).values()].includes("applied"),
    });
    const { errors } = this;
    const host = deps.checkHost;
    const clean = async (text: string) => (await cleanText(text)).text;
    this.checks = host && new SessionChecks({ host, changes, log, clean, nameOf });
    const { checks } = this;
    this.breaking = checks && new BreakingChanges({ checks, changes, log, nameOf });
    const isTask = () => journal.isTask === true;
    this.requests = new TurnRequests(deps, { recorder, changes, errors, isTask });
    this.spending = new SpendGuard({
      ...deps,
      limit: () => settings().askAboveTokens,
      runLimit: () => settings().stopRunAboveTokens,
    });
    if (journal.changes !== undefined) void this.#readChanges();
  }

  /** What goes with accepted changes: results of the checks, and what the response claimed against them. */
  #proof(hunks: ReadonlySet<string>, nameOf: (file: FileName) => string): readonly Message[] {
    const passing = this.breaking?.proofOf(hunks);
    if (passing !== undefined) return proofOf(passing);
    const results = this.checks?.results ?? [];
    const { pending } = this.changes;
    const claims = claimsOfResponse({ turns: this.state.turns, pending, results, nameOf });
    return [...proofOf(results), ...contradictions({ claims, results })];
  }

  get state(): Conversation {
    return this.#transcript.state;
  }

  get choices(): Chosen {
    return this.#transcript.choices;
  }

  /** The beginning of its requests, once there is one. */
  get opened(): Opened | undefined {
    return this.#transcript.opened;
  }

  choose(chosen: Chosen): void {
    void this.recorder.keep({ type: "choices", at: this.deps.now(), ...chosen });
  }

  /** Excludes a turn from future requests. */
  async exclude(id: string): Promise<void> {
    const turn = this.#transcript.turn(id);
    if (turn === undefined || !isExcludable(turn)) return;
    await this.recorder.take({ type: "excluded", turn: id, at: this.deps.now() });
  }

  /** Called when nothing runs any more. Resolves when everything is saved. */
  async close(): Promise<void> {
    this.breaking?.dispose();
    this.checks?.dispose();
    this.errors.dispose();
    await this.changes.close();
    await this.recorder.flush();
  }

  statusOf(isRunning: boolean): SessionStatus {
    const { turns } = this.state;
    if (turns.some((turn) => waitingTools(turn).length > 0)) return "needs-review";
    if (isRunning) return "running";
    if (this.changes.pending.length > 0) return "needs-review";
    const last = turns.at(-1)?.status;
    return last === "failed" || last === "interrupted" ? "failed" : "idle";
  }

  // What was said.

  /** What going back to a turn would cost at this moment. */
  rewindCost(turn: string, model: string): RewindCost {
    const { counts, now, settings } = this.deps;
    const { opened, choices, state } = this.#transcript;
    const { instructions = "", tools = [], cacheId = "" } = opened ?? {};
    const request = { instructions, tools, input: [], cacheId, model };
    const beginning = counts.aboutRequest({ route: "responses", model, request }).tokens;
    const rows = rowsInCache(state.turns, model);
    const tier = limitsOf(settings().limits, choices).cacheTtl;
    return rewindCost(state.turns, turn, { rows, now: now(), tier, beginning });
  }

  /** What a summary would save, once the cache no longer has the history. */
  summaryOffer(model: string): SummaryOffer | undefined {
    const { now, settings } = this.deps;
    const { choices, state } = this.#transcript;
    return summaryOffer(state.turns, model, now(), limitsOf(settings().limits, choices).cacheTtl);
  }

  /** What going back to before a turn would take along. */
  planRewind(turn: string): ReturnType<typeof planRewind> {
    return planRewind(this, turn);
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
      const messages = chatMessages(frozenFor("chat", opened), items);
      return { route: "chat", request: { model: turn.model, messages } };
    }
    const { instructions, tools, cacheId } = opened;
    return { route: "responses", request: { input: items, instructions, tools, cacheId } };
  }

  /** What a model is told of files by itself. */
  toldFiles(): Promise<ToldFiles> {
    return this.requests.instructions.toldFiles();
  }

  /** Whether the model has not yet been told what a person said with a decision. */
  async isUntold(words: string): Promise<boolean> {
    await this.recorder.remember();
    const said = JSON.stringify(takeOutSecrets(words).text).slice(1, -1);
    return this.requests.news(this.#transcript.history()).some((item) => item.includes(said));
  }

  // What is proposed.

  /** Counts of the pending changes; undefined if there are none. */
  get waiting(): Waiting | undefined {
    return waitingIn(this.changes, (file) => pathOf(file, this.deps.workspace.folders));
  }

  /** The calls of a turn's patches. */
  patchesOf(turn: string): readonly string[] {
    return patchesOf(this.#transcript.turn(turn));
  }

  /** The calls of the patches of this turn and those after it; none if it isn't there. */
  patchesFrom(turn: string): readonly string[] {
    const { turns } = this.state;
    const at = turns.findIndex(({ id }) => id === turn);
    return at < 0 ? [] : turns.slice(at).flatMap(patchesOf);
  }

  /** Withdraws pending changes of a turn and those after it; accepted ones stay. */
  async withdraw(turn: string): Promise<void> {
    const calls = this.patchesFrom(turn);
    if (calls.length > 0) await this.changes.withdraw(calls);
  }

  /** Proposes a patch a person has made from a response's code. @throws HumanError if it does not fit the files. */
  async propose(turn: string, patch: string): Promise<string> {
    const { requests, changes } = this;
    const call = `person-${this.deps.newId()}`;
    const overlay = () => requests.world();
    // The output for a model is dropped, because no model asked for the patch.
    const show = async ({ output: _, ...shown }: PatchShown) => {
      if (shown.status === "failed") throw new MessageError(shown.message ?? message("patchAsItIs"));
      await this.recorder.take({ type: "patch", turn, id: call, call, by: "person", ...shown });
    };
    const { protection } = requests;
    const origin = (id: string) => this.#originOf(id);
    await proposePatch(patch, { turn, call, overlay, changes, protection, origin, show });
    return call;
  }

  /** What tools of a turn work with: the files with the proposals of this conversation on top. */
  async toolContext(): Promise<ToolContext> {
    const { requests, changes, checks } = this;
    const { checkHost, commandHost } = this.deps;
    const overlay = () => requests.world();
    const workspace = async () => (await overlay()).workspace;
    const commands =
      checkHost &&
      commandHost &&
      new SessionCommands({ host: commandHost, checks: checkHost, changes, workspace });
    const own = checks && { checks: checksForModel(checks, async () => (await overlay()).files) };
    const scopeOf = (turn: string, paths: readonly string[]) => this.scopeOf(turn, paths);
    const origin = (turn: string) => this.#originOf(turn);
    return {
      ...(await overlay()),
      ...{ overlay, changes, protection: requests.protection, scopeOf, origin },
      skills: requests.instructions.skillReader,
      ...own,
      ...present({ commands }),
    };
  }

  /** Shows a plan of the model (tools/tool.ts), after the person's edits before it. */
  showPlan(turn: string, steps: Plan["steps"]): Promise<ToolResult> {
    return this.#onePlan(async () => {
      refuseUntold(this.state.turns, this.#transcript.history());
      await this.recorder.take({ type: "plan", turn, steps });
      return { output: planShown };
    });
  }

  /** A person's edit of the plan; without effect if what they edited is gone. Each builds on the one before it. */
  editPlan(edit: PlanEdit): Promise<void> {
    return this.#onePlan(async () => {
      const turn = this.state.turns.findLast(({ plan }) => plan !== undefined);
      const steps = turn?.plan && editedSteps(turn.plan.steps, edit);
      if (turn === undefined || steps === undefined) return;
      await this.recorder.take({ type: "plan", turn: turn.id, steps, by: "person" });
    });
  }

  /** The name of a patch here, because some models restart their call ids with every reply. */
  nameOfPatch(callId: string, place: { readonly turn: string; readonly part: string }): string {
    const isTaken = (name: string) =>
      this.changes.statusesOf(name).size > 0 ||
      this.state.turns.some(({ id, parts }) =>
        parts.some((each) => {
          const isItself = id === place.turn && each.id === place.part;
          return each.type === "patch" && each.call === name && !isItself;
        }),
      );
    let name = callId;
    for (let number = 2; isTaken(name); number++) name = repeatedCallName(callId, number);
    return name;
  }

  /** The origin of what a turn proposes: its model, and the receipt of its request. */
  #originOf(turn: string): { model?: string; receipt?: string } {
    const { model, receipts = [] } = this.#transcript.turn(turn) ?? {};
    return present({ model, receipt: receipts.at(-1)?.nonce });
  }

  /**
   * Whether a file was named or attached in this turn or an earlier one, or read by its tools. If no file was meant,
   * all are in scope. `turns`: with that turn.
   */
  scopeOf(
    turn: string,
    paths: readonly string[],
    turns: readonly Turn[] = this.state.turns,
  ): (file: FileName, path: string) => boolean {
    const { isOpened } = this.deps.workspace;
    const before = turns.slice(0, turns.findIndex(({ id }) => id === turn) + 1);
    const named = before.flatMap(promptsOf).flatMap(namesIn);
    const attached = before.flatMap((turn) =>
      attachmentsOf(turn)
        .filter(({ kind }) => kind !== "instructions")
        .flatMap(({ kind, path: at, label }) =>
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

  /**
   * Loads pending changes of an earlier window. If that was closed between saving a decision and updating the rows,
   * they are updated now.
   */
  async #readChanges(): Promise<void> {
    try {
      await this.changes.refresh();
      await this.drawRows();
    } catch (error) {
      this.deps.log.error("Proposed changes could not be read.", error);
    }
  }

  /** Updates the rows of these patches, or of all. One update at a time, so that the latest decision is shown last. */
  drawRows(calls?: ReadonlySet<string>): Promise<void> {
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
          nameOf: (file) => pathOf(file, this.deps.workspace.folders),
          redact: redactForModel,
        });
        const news = patchRowUpdate(part, { statuses, note, halfWritten: half, files });
        if (news !== undefined) await this.recorder.take({ ...news, turn });
      }
  }

  get #transcript(): Transcript {
    return this.recorder.transcript;
  }
}

const patchesOf = (turn: Turn | undefined): readonly string[] =>
  (turn?.parts ?? []).flatMap((part) => (part.type === "patch" ? [part.call] : []));

/** The files in the summary of a call's row. */
const namedBy = (summary: string | Message): readonly string[] =>
  typeof summary === "string"
    ? [summary]
    : Object.values(summary.args ?? {}).flatMap((each) => (typeof each === "string" ? [each] : []));
