// Builds the request of a turn before anybody has agreed to it, from what the conversation and its surroundings are at
// this moment: guarded files, allowed tools, custom commands, opening, history and its form, news the model has not been
// told, and the size of the context window. Asks nobody and sends nothing.
import type { ChangeSet } from "../../changes/change-set.ts";
import { overlayOn } from "../../changes/proposed-workspace.ts";
import type { AppliedErrors } from "../../checks/applied-errors.ts";
import { isForRoute, offersCommands } from "../../commands/command-host.ts";
import {
  type Chosen,
  type CleanText,
  type Content,
  type HistoryForm,
  type Opened,
  plainerForm,
} from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { type Route, routeOf } from "../../conversation/models.ts";
import type { Attachment, Turn } from "../../conversation/state.ts";
import { type GuardedFiles, guardFiles } from "../../files/guarded-files.ts";
import { createProtection, type Protection } from "../../files/privacy.ts";
import type { Workspace } from "../../files/workspace.ts";
import type { Capabilities } from "../../service/capabilities.ts";
import type { Outgoing } from "../../service/request.ts";
import { type AttachmentSources, type ReadAttachment, readAttachment } from "../../tools/read-attachment.ts";
import type { ToolWorld } from "../../tools/tool.ts";
import {
  createToolTable,
  hostTool,
  nameOfRunChecks,
  ownTools,
  type ToolTable,
} from "../../tools/tool-table.ts";
import { limitsOf, type SessionContext } from "../session-context.ts";
import { allCommands, calledIn, type SavedPrompt } from "../slash-commands.ts";
import type { AskPerson } from "../spend-guard.ts";
import { isListed, isSearchListed } from "./agent-tools.ts";
import { lengthOf, windowOf } from "./compaction.ts";
import { describeDecisions, describeNewErrors, isDecisionReport } from "./decision-report.ts";
import { isFormNoted } from "./history.ts";
import { frozenFor, type SettledOpening, settleOpening } from "./opening.ts";
import { describePlan, describePlanFirst } from "./plan.ts";
import type { ConversationJournal, Recorder } from "./recorder.ts";
import { describeEditor, surroundingsOf } from "./surroundings.ts";
import { notYetTold } from "./told-instructions.ts";
import { outgoingOf, type TurnRequest } from "./turn-request.ts";
import { type Question, readQuestion, type UserInput } from "./user-question.ts";
import { WorkspaceInstructions } from "./workspace-instructions.ts";

/** The opening of a request, and the form in which its history is sent to the current origin. */
export interface ReadyOpening extends SettledOpening {
  readonly form: HistoryForm;
}

export interface RequestDeps extends SessionContext {
  /** For attachments; `undefined` if that conversation no longer exists. */
  turnsOf(conversation: string): Promise<readonly Turn[] | undefined>;
  /**
   * If set, requests contain only the standing instructions, the question, its attachments and these tools, without
   * search; undefined: everything.
   */
  onlyTools?(): readonly string[] | undefined;
}

export interface SessionDeps extends Omit<RequestDeps, "onlyTools"> {
  /** The built-in tools available while it is a task; absent: all tools. */
  readonly onlyTools: readonly string[] | undefined;
  /** Opens the same conversation again from the store. */
  reopen(): Promise<ConversationJournal>;
}

interface RequestParts {
  readonly recorder: Recorder;
  readonly changes: ChangeSet;
  readonly errors: AppliedErrors;
  /** Whether it was started by an editor action and nobody has continued it. */
  isTask(): boolean;
}

/** Leaves room for estimation errors and for the response. */
const maxOfWindow = 0.85;

/** Surroundings gathered for a preview are reused when the question is sent shortly afterwards. */
const surroundingsKept = 60_000;

export class TurnRequests {
  /** What the workspace's own files say to models. */
  readonly instructions: WorkspaceInstructions;
  readonly #deps: RequestDeps;
  readonly #parts: RequestParts;
  /** Notes shown to the person with the next turn. */
  #announced: readonly Message[] = [];
  /** Context windows found in other conversations. */
  #windows: Capabilities["windows"];
  #formAgreed = false;
  /** Whether commands could run when the opening was last settled. */
  #offersCommands = false;
  #around:
    | { readonly key: string; readonly at: number; readonly text: Promise<CleanText | undefined> }
    | undefined;

  constructor(deps: RequestDeps, parts: RequestParts) {
    this.#deps = deps;
    this.#parts = parts;
    this.instructions = new WorkspaceInstructions(deps, () => this.files);
  }

  /** A person agreed after a refusal: from now on the service is sent only what the interface shows. */
  agreeToRetell(): Promise<void> {
    this.#formAgreed = true;
    return this.#parts.recorder.keep({ type: "simplified", at: this.#deps.now(), form: "plain" });
  }

  /** The request this question would send now; nothing is sent or stored. */
  async preview(asked: UserInput, model: string, signal: AbortSignal): Promise<Outgoing> {
    await this.#parts.recorder.remember();
    const question = await this.read(asked, model, signal);
    return outgoingOf(this.make(question, model, await this.settle(model)));
  }

  async settle(model: string): Promise<ReadyOpening> {
    const { recorder, errors } = this.#parts;
    await errors.refresh();
    const { opened, choices, form } = recorder.transcript;
    // Who reads a response to an editor action has no place in which a command could ask.
    const { commandHost, checkHost } = this.#deps;
    this.#offersCommands = !this.#parts.isTask() && (await offersCommands(commandHost, checkHost));
    await this.instructions.look(opened, choices);
    const found = await this.#deps.client.found();
    this.#windows = found?.windows;
    const settled = await this.#settleOpening(opened, choices, model);
    return { ...settled, form: plainerForm(form, found?.history ?? "whole") };
  }

  make(question: Question, model: string, ready: ReadyOpening, insteadOf?: string): TurnRequest {
    const { opened, chips, form } = ready;
    const { transcript } = this.#parts.recorder;
    const history = transcript.history({ insteadOf, goesOn: question.continues });
    const { outputTokens, instructions: _, ...asked } = question;
    const said = behind(question, history);
    const items = [...this.news(history, insteadOf), ...said.items];
    const { limits, models } = this.#deps.settings();
    const route = routeOf(model, models);
    return {
      ...asked,
      items,
      turn: "",
      endsWithPatch: this.#parts.isTask() && this.#isEdit(question),
      model,
      route,
      attachments: [...chips, ...said.attachments],
      notes: [],
      history,
      form,
      formNoted: isFormNoted(turnsBefore(transcript.state.turns, insteadOf), form),
      formAgreed: this.#formAgreed,
      makers: transcript.makersBefore(insteadOf),
      frozen: frozenFor(route, opened, isForRoute(this.#deps.commandHost, route)),
      limits: limitsOf(
        { ...limits, ...(outputTokens !== undefined && { outputTokens }) },
        transcript.choices,
      ),
    };
  }

  #isEdit({ prompt }: Question): boolean {
    const name = calledIn(prompt);
    return this.commands.some((each) => each.name === name && each.mode === "edit");
  }

  /** Called when the request is sent: stores a new opening and adds notes on what has changed in it. */
  async begin(request: TurnRequest, { isNew, opened, notes }: ReadyOpening): Promise<TurnRequest> {
    if (isNew) await this.#parts.recorder.keep(opened);
    this.#formAgreed = false;
    this.#announced = [...this.#announced, ...notes];
    // Only a Responses request has a cached prefix to lose; changes found by a chat turn are reported with the next
    // one.
    if (request.route !== "responses") return request;
    const announced = this.#announced;
    this.#announced = [];
    return { ...request, notes: [...request.notes, ...announced] };
  }

  /** News about patches, errors and the plan that the model has not been told in these items. */
  news(items: readonly string[], before?: string): readonly string[] {
    const { changes, errors, recorder } = this.#parts;
    const { transcript } = recorder;
    const decided = (call: string) => ({ statuses: changes.statusesOf(call), note: changes.noteOf(call) });
    const turns = turnsBefore(transcript.state.turns, before);
    const held = transcript.heldTurns({ insteadOf: before });
    return [
      ...describeDecisions(turns, items, decided, held),
      ...describeNewErrors(errors.news, items),
      ...describePlan(turns, items, held),
      ...describePlanFirst(transcript.choices.planFirst === true, items),
    ];
  }

  /** The estimated number of tokens. */
  tokens(request: TurnRequest): number {
    return this.#deps.counts.aboutRequest(outgoingOf(request)).tokens;
  }

  /**
   * The context window of a model in tokens: as set by the user, last reported in this conversation, or found
   * elsewhere.
   */
  window(model: string): number | undefined {
    const set = this.#deps.settings().models.find(({ id }) => id === model)?.contextWindow;
    const learned = this.#windows?.find((each) => each.model === model)?.tokens;
    return windowOf(this.#parts.recorder.transcript.state.turns, model, set) ?? learned;
  }

  /** Whether items of this length can be sent, as far as the context window is known. */
  fits(request: TurnRequest, window = this.window(request.model)): (items: readonly string[]) => boolean {
    const perCharacter = this.tokens(request) / Math.max(1, lengthOf([...request.history, ...request.items]));
    return (items) => window === undefined || lengthOf(items) * perCharacter <= maxOfWindow * window;
  }

  // What goes into a request.

  get files(): GuardedFiles {
    return this.#filesOf(this.#deps.workspace);
  }

  /** Files read through another view of the workspace, guarded by the rules of the workspace itself. */
  #filesOf(view: Workspace): GuardedFiles {
    const { workspace, settings, heldBack } = this.#deps;
    return guardFiles(view, () => settings().privacy, heldBack, workspace);
  }

  /** What tools see: the files with the proposals on top. */
  async world(): Promise<ToolWorld> {
    const { workspace, proposed } = await overlayOn(this.#deps.workspace, this.#parts.changes);
    return { workspace, files: this.#filesOf(workspace), proposed };
  }

  get protection(): Protection {
    return createProtection(this.#deps.settings().protection);
  }

  table({ tools = {} }: Chosen, route: Route): ToolTable {
    const { settings, hostTools, approvedTools, checkHost, commandHost, onlyTools, workspace } = this.#deps;
    const only = onlyTools?.();
    const there = {
      checks: checkHost?.hasAny === true,
      commands: this.#offersCommands && isForRoute(commandHost, route),
      languages: workspace.languages !== undefined,
      git: workspace.git !== undefined,
      skills: this.instructions.readsSkills,
    };
    const usable = ownTools.filter(({ needs }) => needs === undefined || there[needs]);
    const { listedTools } = this.instructions;
    const all =
      only === undefined
        ? [...usable, ...hostTools().map(hostTool)].filter(
            (tool) => listedTools === undefined || isListed(tool, listedTools),
          )
        : ownTools.filter(({ name }) => only.includes(name));
    return createToolTable(all, settings().tools, approvedTools, new Map(Object.entries(tools)));
  }

  get commands(): readonly SavedPrompt[] {
    const { settings, prompts } = this.#deps;
    return allCommands(settings().prompts, prompts.usable);
  }

  /** Reads an attachment as it would be sent now. */
  readAttachment(spec: Attachment, signal: AbortSignal): Promise<ReadAttachment> {
    return readAttachment(spec, this.#sources, signal);
  }

  /** `person`: asked about instructions for the attachments; absent: without those that nobody has agreed to. */
  async read(asked: UserInput, model: string, signal: AbortSignal, person?: AskPerson): Promise<Question> {
    const countTokens = (content: Content) => this.#deps.countTokens(content, model);
    const sources = { ...this.#sources, countTokens, around: await this.#editor(asked) };
    const question = await readQuestion(asked, this.commands, sources, signal);
    const paths = question.attachments.flatMap(({ kind, path, label }) =>
      kind === "folder" ? [label] : (path ?? []),
    );
    const ask = person && { person, signal };
    return { ...question, instructions: await this.instructions.tell(paths, [], model, ask) };
  }

  get #sources(): AttachmentSources {
    const { settings, turnsOf } = this.#deps;
    return { files: this.files, maxBytes: settings().attachmentBytes, turnsOf };
  }

  /** A command from the editor states its own location. */
  async #editor({ command }: UserInput): Promise<CleanText | undefined> {
    const { lookAtEditor, settings, workspace, onlyTools } = this.#deps;
    const isWanted = settings().surroundings.includes("editor") && command === undefined;
    if (lookAtEditor === undefined || !isWanted || !workspace.trusted || onlyTools?.() !== undefined)
      return undefined;
    const since = this.#parts.recorder.transcript.state.turns.at(-1)?.at ?? Number.POSITIVE_INFINITY;
    return describeEditor(lookAtEditor(since), { workspace, files: this.files });
  }

  /** The opening of a conversation stays the same, byte for byte, until the user changes what is offered. */
  async #settleOpening(opened: Opened | undefined, choices: Chosen, model: string): Promise<SettledOpening> {
    const { workspace, settings, countTokens, onlyTools, now, newId } = this.#deps;
    const { webSearch, instructions: standing, models } = settings();
    const table = this.table(choices, routeOf(model, models));
    const isBare = onlyTools?.() !== undefined;
    const hasTools = workspace.trusted && workspace.folders.length > 0;
    const offered = hasTools ? table.definitions() : [];
    const count = (text: string) => countTokens({ kind: "text", text }, model);
    const { skills, agent, listedTools } = this.instructions;
    const wantsSearch = !isBare && isSearchListed(listedTools) && (choices.webSearch ?? webSearch);
    const runChecks = table.tools.find(({ name }) => name === nameOfRunChecks);
    const canCheck = hasTools && runChecks !== undefined && table.permission(runChecks) !== "off";
    const surroundings = hasTools && !isBare ? () => this.#surroundings(canCheck) : async () => undefined;
    const workspaceInstructions = () => this.instructions.standing();
    const leftOut = opened === undefined && agent === undefined ? choices.agent : undefined;
    const deps = {
      workspaceInstructions,
      skills,
      agent,
      offered,
      wantsSearch,
      standing,
      count,
      surroundings,
    };
    const settled = await settleOpening(opened, deps, { at: now(), cacheId: newId() });
    if (typeof leftOut !== "string") return settled;
    return { ...settled, notes: [...settled.notes, message("noteAgentLeftOut", { path: leftOut })] };
  }

  #surroundings(canCheck: boolean): Promise<CleanText | undefined> {
    const { settings, checkHost, now } = this.#deps;
    const { surroundings: parts, privacy } = settings();
    const key = JSON.stringify([parts, privacy, canCheck]);
    if (this.#around?.key === key && Math.abs(now() - this.#around.at) < surroundingsKept)
      return this.#around.text;
    const names = async () => ((await checkHost?.checks([])) ?? []).map((check) => check.name);
    const checks = canCheck ? names : undefined;
    const text = surroundingsOf({ parts, files: this.files, checks, platform: process.platform });
    this.#around = { key, at: now(), text };
    return text;
  }
}

/** A question behind this history: its items, with instructions for its attachments that are not in it yet. */
export function behind(
  { items, attachments, instructions = [] }: Question,
  history: readonly string[],
): Pick<TurnRequest, "items" | "attachments"> {
  const told = notYetTold(instructions, history);
  const own = items.filter((item) => !isDecisionReport(item));
  return {
    // Behind the attachments that they are for.
    items: [...own.slice(0, 1), ...told.map(({ item }) => item), ...own.slice(1)],
    attachments: [...told.map(({ chip }) => chip), ...attachments],
  };
}

function turnsBefore(turns: readonly Turn[], id: string | undefined): readonly Turn[] {
  const end = turns.findIndex((turn) => turn.id === id);
  return end < 0 ? turns : turns.slice(0, end);
}
