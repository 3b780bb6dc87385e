// The host of one page: what it shows around the conversation, and what each of its messages does. Nothing is decided here:
// every message is somebody's one function.

import type { CodeColours } from "./bridge/code-colours.ts";
import type { Handlers, PageHost } from "./bridge/page-connection.ts";
import type { Act, ChangesAction, CodeUse, PageCommand, PageFocus, ReviewAction } from "./bridge/protocol.ts";
import type { AttachKind, Preferences, ViewState } from "./bridge/view-state.ts";
import type { ChatSurface } from "./chat-surface.ts";
import type { Workspace } from "./core/changes/workspace.ts";
import type { Attachment } from "./core/conversation/attachment.ts";
import type { Problem, ProblemAction } from "./core/conversation/problem.ts";
import type { Turn } from "./core/conversation/state.ts";
import { type HumanError, isHumanError } from "./core/messages/human-error.ts";
import type { Message } from "./core/messages/message.ts";
import { MessageError } from "./core/messages/message-error.ts";
import type { ConversationSettings } from "./core/session/conversation-settings.ts";
import type { Session } from "./core/session/session.ts";
import type { Titles } from "./core/session/titles.ts";
import type { WorkspacePrompts } from "./core/session/workspace-prompts.ts";
import type { FileSuggestions } from "./core/suggestions/file-suggestions.ts";
import { createGoingAgain, type GoingAgain } from "./core/tokens/next-input-estimate.ts";
import type { TokenCounts } from "./core/tokens/token-counts.ts";
import { factsOf } from "./core/tools/read-attachment.ts";
import { type Disposable, Disposables } from "./core/util/disposables.ts";
import { Emitter } from "./core/util/emitter.ts";
import type { Log } from "./core/util/log.ts";
import { present } from "./core/util/present.ts";

export interface PageHostDeps {
  readonly surface: ChatSurface;
  readonly log: Log;
  readonly workspace: Workspace;
  readonly settings: {
    conversation(): ConversationSettings;
    preferences(): Preferences;
    estimateMode(): "local" | "onDemand" | "auto";
  };
  /** Why nothing can be sent, as far as is known. */
  problem(): Problem | undefined;
  /** What was last heard of the service, where that was not good. */
  caution(): Problem | undefined;
  /** What the user's theme says about code. */
  codeColours(): CodeColours;
  /** About where this window is. */
  notices(): readonly Message[];
  readonly editor: PageEditor;
  readonly counts: TokenCounts;
  readonly titles: Titles;
  readonly prompts: WorkspacePrompts;
  /** What can be attached by name. */
  readonly suggestions: Pick<FileSuggestions, "suggest">;
  /** What so many tokens cost that are no longer read from the cache; `undefined`: nobody knows. */
  priceOfLoss(tokens: number, choices: Pick<Session["choices"], "model" | "cacheTier">): string | undefined;
  /** What the buttons of a problem do where the session does not know it. */
  act(action: ProblemAction): void;
  /** Shows a patch, or takes it back. */
  actOnCall(call: string, action: ReviewAction, reason?: string): void;
  /** Does this with all that waits, unless that is something else by now than what was shown. */
  actOnChanges(session: Session, action: ChangesAction, shown: number): void;
  /** Shows what a check has written, or runs it again. */
  actOnCheck(session: Session, check: string, action: "open" | "run"): void;
  /** What commands of the editor have the page do. */
  readonly acts: Pick<Emitter<Act>, "on" | "fire">;
  /** A person is in a page of this surface. */
  use(): void;
  newConversation(): Promise<void>;
  /** To what a question of the editor has taken the place of. */
  goBack(): Promise<void>;
  branch(turn: string): Promise<void>;
}

/** What a page asks of the editor; paths, addresses and code may come from the model. */
export interface PageEditor {
  openFile(path: string, line: number | undefined): void;
  openLink(url: string): void;
  copy(text: string): void;
  useCode(use: CodeUse, code: string, language: string): void;
  run(command: PageCommand): void;
  /** Shows what a turn sent and what came back. */
  inspectTurn(turn: string): void;
  setFocus(focus: PageFocus, page: object): void;
  /** For the person in front. */
  tell(problem: HumanError): void;
  /** The file or selection that a person most likely asks about. */
  readonly suggested: Attachment | undefined;
  /** What `pick` can bring besides the problems that the editor shows. */
  readonly attachKinds: readonly AttachKind[];
  /** Lets a person choose what to attach, or takes what is at hand. */
  pick(kind: AttachKind): Promise<readonly Attachment[]>;
  /** Files that were dropped into the page, as far as they may be attached. */
  attachmentsOf(uris: readonly string[]): Promise<readonly Attachment[]>;
}

export interface HostedPage extends Disposable {
  readonly host: PageHost;
  /** Key, URL or something else around the conversation has changed: pages are told. */
  viewStateChanged(): void;
}

export function createPageHost(deps: PageHostDeps): HostedPage {
  const { surface, counts, titles, prompts } = deps;
  const owned = new Disposables();
  const viewStates = new Emitter<void>();
  const changed = () => viewStates.fire();
  const goingAgain = createGoingAgain((model, contents) => counts.about(model, contents).tokens);
  owned.add(
    surface.follow((session) => {
      const listening = new Disposables();
      const propose = () => counts.propose(session.choices.model, session.draft.contents);
      listening.add(session.onChange(propose));
      listening.add(session.onChange(changed));
      listening.add(session.onEvent(({ type }) => type === "ended" && changed()));
      changed();
      return listening;
    }),
  );
  for (const on of [counts.onCount, titles.onChange, prompts.onChange]) owned.add(on(changed));

  let inUse: object | undefined;
  return {
    host: {
      get viewState() {
        return viewStateOf(surface.session, deps, goingAgain);
      },
      handlers: handlersOf(deps),
      complete: deps.suggestions.suggest,
      follow: surface.follow.bind(surface),
      onViewState: viewStates.on,
      onAct: deps.acts.on,
      use(page) {
        inUse = page;
        deps.use();
      },
      isInUse: (page) => inUse === undefined || inUse === page,
      leave(page) {
        if (inUse === page) inUse = undefined;
      },
    },
    viewStateChanged: changed,
    dispose: () => owned.dispose(),
  };
}

/** Problems offer these for the last turn; with `retry` and `continue` a page names the turn. */
const offeredAgain = [
  "retry-whole",
  "drop-reasoning",
  "remove-attachments",
  "raise-limit",
  "compact",
] as const;

function handlersOf(deps: PageHostDeps): Handlers {
  const { surface, log, editor, counts, prompts, titles } = deps;
  const session = () => surface.session;

  function inBackground(work: Promise<unknown>, sentence: string): void {
    work.catch((error: unknown) => {
      log.error(sentence, error);
      // What was meant for people is shown to whoever clicked.
      if (isHumanError(error)) editor.tell(error);
    });
  }
  const inTurn = (turn: Promise<Turn | undefined>) => inBackground(turn, "A turn could not be run.");
  /** What is asked about the turns of a conversation that is leaving is asked too late. */
  const ask = (turn: (session: Session) => Promise<Turn | undefined>) => {
    if (!surface.isMoving) inTurn(turn(session()));
  };
  const attachAll = async (wishes: Promise<readonly Attachment[]>) => {
    for (const wish of await wishes) session().draft.attach(wish);
  };
  const attachLater = (wishes: Promise<readonly Attachment[]>) =>
    inBackground(attachAll(wishes), "Nothing could be attached.");
  const lookForPrompts = () =>
    inBackground(prompts.look(), "The prompts of the workspace could not be looked for.");
  lookForPrompts();

  /** A person clicked on the estimate. */
  async function countDraft(): Promise<void> {
    const { choices, draft } = session();
    const count = await counts.byService(choices.model, draft.contents, AbortSignal.timeout(60_000));
    if ("problem" in count) editor.tell(new MessageError(count.problem.message));
  }

  return {
    send({ prompt, command }, page) {
      const taken = () => page.post({ type: "taken", prompt });
      inTurn(surface.settled().then((there) => there.send({ prompt, command }, taken)));
    },
    stop: () => session().stop(),
    draft({ text }) {
      session().draft.write(text);
      if (text.startsWith("/")) lookForPrompts();
    },
    "choose-model": ({ model }) => session().choices.chooseModel(model),
    unqueue: ({ id }) => session().unqueue(id),
    "send-queued": () => session().sendQueued(),
    attach: ({ attachment }) => session().draft.attach(attachment),
    "attach-uris": ({ uris }) => attachLater(editor.attachmentsOf(uris)),
    pick: ({ kind }) =>
      kind === "problems" ? session().draft.attach({ kind }) : attachLater(editor.pick(kind)),
    detach: ({ id }) => session().draft.detach(id),
    cost({ turn }, page) {
      const { edit, branch } = session().history.costOfGoingBack(turn, session().choices.model);
      const [editPrice, branchPrice] = [edit, branch].map((tokens) =>
        deps.priceOfLoss(tokens, session().choices),
      );
      page.post({ type: "cost", turn, edit, branch, ...present({ editPrice, branchPrice }) });
    },
    "set-options"({ effort, cacheTier, webSearch, json }) {
      const { choices } = session();
      if (effort !== undefined && choices.efforts.includes(effort)) choices.chooseEffort(effort);
      if (cacheTier !== undefined) choices.chooseCacheTier(cacheTier);
      if (webSearch !== undefined) choices.chooseWebSearch(webSearch);
      if (json !== undefined) choices.chooseJson(json);
    },
    run({ command }) {
      if (command === "new-conversation")
        inBackground(deps.newConversation(), "No new conversation could be begun.");
      else if (command === "go-back") inBackground(deps.goBack(), "The conversation could not be opened.");
      else if (command === "compact") ask((now) => now.compact());
      else if (command === "count-tokens") inBackground(countDraft(), "The draft could not be counted.");
      else editor.run(command);
    },
    rename({ title }) {
      if (title.trim() !== "")
        inBackground(titles.rename(session().id, title.trim()), "The conversation could not be renamed.");
    },
    act({ action }) {
      if (session().answer(action)) return;
      const way = offeredAgain.find((each) => each === action);
      if (way !== undefined) ask((now) => now.again(way));
      else if (action === "choose-model") deps.acts.fire("choose-model");
      else deps.act(action);
    },
    "act-on-turn"({ turn, action }) {
      if (action === "inspect") editor.inspectTurn(turn);
      else if (action === "exclude") inBackground(session().exclude(turn), "A turn could not be left out.");
      else if (action === "branch")
        inBackground(deps.branch(turn), "The conversation could not be branched.");
      else ask((now) => now.again(action, turn));
    },
    "edit-turn"({ turn, prompt }, page) {
      if (surface.isMoving) page.post({ type: "put-back", text: prompt });
      else ask((now) => now.edit(turn, prompt));
    },
    decide: ({ call, decision }) => session().decide(call, decision),
    "act-on-call"({ call, action, reason }) {
      if (action === "send-current") ask((now) => now.sendCurrent(call));
      else if (action === "fix-errors") ask((now) => now.fixErrors(call));
      else deps.actOnCall(call, action, reason);
    },
    "act-on-changes": ({ action, shown }) => deps.actOnChanges(session(), action, shown),
    "act-on-check": ({ check, action }) => deps.actOnCheck(session(), check, action),
    "open-file": ({ path, line }) => editor.openFile(path, line),
    copy: ({ text }) => editor.copy(text),
    "use-code": ({ use, code, language }) => editor.useCode(use, code, language),
    focus: ({ focus }, page) => editor.setFocus(focus, page),
    "open-link": ({ url }) => editor.openLink(url),
  };
}

/** The draft, and what the next request will be with it (requirements J8). */
function estimateOf(
  { choices: { model }, draft: { contents }, state }: Session,
  { counts }: PageHostDeps,
  again: GoingAgain,
) {
  if (contents.length === 0) return undefined;
  const draft = counts.best(model, contents);
  const before = again(state.turns, model);
  return before === 0 ? draft : { ...draft, altogether: Math.round(before + draft.tokens) };
}

/** How full the model's window would be with what goes again and the draft, where it is known. */
function windowOf({ choices: { model }, state, contextWindow }: Session, draft: number, again: GoingAgain) {
  const used = Math.round(again(state.turns, model) + draft);
  return contextWindow === undefined || used === 0 ? undefined : { used, size: contextWindow };
}

/** What is attached already is not suggested. */
function suggestionFor({ draft, readOnly }: Session, attachment: Attachment | undefined) {
  if (attachment === undefined || readOnly !== undefined) return undefined;
  const text = JSON.stringify(attachment);
  if (draft.wishes.some((wish) => JSON.stringify(wish) === text)) return undefined;
  const { kind, label } = factsOf(attachment);
  return { kind, label, attachment };
}

/** On one row. */
const maxErrors = 5;

function viewStateOf(session: Session, deps: PageHostDeps, again: GoingAgain): ViewState {
  const { choices, question } = session;
  const { outputLimit } = choices;
  const estimate = estimateOf(session, deps, again);
  const title = deps.titles.of(session.id);
  const window = windowOf(session, estimate?.tokens ?? 0, again);
  const { before } = deps.surface;
  return {
    model: choices.model,
    models: choices.models.map(({ id, label, route, vision, added }) =>
      present({ id, label, route, vision, added }),
    ),
    problem: deps.problem(),
    ...present({ caution: deps.caution() }),
    notices: [...deps.notices(), session.readOnly, ...session.repaired, session.unsaved].filter(
      (each) => each !== undefined,
    ),
    ...(before !== undefined && { before: deps.titles.of(before.id) ?? before.state.turns[0]?.prompt }),
    ...(question !== undefined && { question }),
    readOnly: session.readOnly !== undefined,
    ...present({ changes: session.waiting }),
    checks: (session.patches.checks?.results ?? []).map(({ id, name, state, seconds, findings, why }) =>
      present({ id, name, state, seconds, found: findings.length, why }),
    ),
    newErrors: session.patches.errors.list.map(({ call, errors }) => ({
      call,
      errors: errors.slice(0, maxErrors).map(({ path, line, text }) => present({ path, line, text })),
      count: errors.length,
    })),
    countsTokens: deps.settings.estimateMode() !== "local",
    proposesCode: deps.workspace.trusted,
    preferences: deps.settings.preferences(),
    ...(title !== undefined && { title }),
    codeColours: deps.codeColours(),
    attachments: [...session.draft.attachments],
    ...present({ suggested: suggestionFor(session, deps.editor.suggested) }),
    attachKinds: ["problems", ...deps.editor.attachKinds],
    commands: session.commands.map(({ name, detail }) => ({ name, detail })),
    queue: [...session.queue],
    webSearch: choices.webSearch,
    cacheTier: choices.cacheTier,
    effort: choices.effort,
    efforts: [...choices.efforts],
    json: choices.json,
    ...(outputLimit !== undefined && { outputLimit }),
    ...(estimate !== undefined && { estimate }),
    ...(window !== undefined && { window }),
  };
}
