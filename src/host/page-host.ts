// Host of one page: composes its view state and dispatches each of its messages to the function that handles it. Makes
// no decisions itself.

import type { Handlers, PageHost } from "../bridge/page-connection.ts";
import type {
  Act,
  BreakingAction,
  ChangesAction,
  CodeUse,
  PageCommand,
  PageFocus,
  RemarksAction,
  ReviewAction,
  TryAction,
} from "../bridge/protocol.ts";
import type { AttachKind } from "../bridge/view-state.ts";
import type { Colouring } from "../code-colours/colouring.ts";
import { MessageError } from "../conversation/english.ts";
import { type HumanError, isHumanError } from "../conversation/messages.ts";
import type { ProblemAction } from "../conversation/problem.ts";
import type { Attachment, Turn } from "../conversation/state.ts";
import type { Diagrams } from "../diagrams/diagrams.ts";
import type { FileSuggestions } from "../files/file-suggestions.ts";
import type { Workspace } from "../files/workspace.ts";
import type { Session } from "../session/session.ts";
import type { ConversationSettings } from "../session/session-context.ts";
import type { WorkspacePrompts } from "../session/slash-commands.ts";
import type { OpenQuestion } from "../session/spend-guard.ts";
import { createNextInputEstimate } from "../usage/token-counts.ts";
import { type Disposable, Disposables } from "../util/disposables.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import { trialHandlers } from "./internal/page-trials.ts";
import { type EditorOffers, offeredId, type ViewStateDeps, viewStateOf } from "./internal/page-view-state.ts";
import type { ChatSurface } from "./shown-conversation.ts";

export interface PageHostDeps extends ViewStateDeps {
  readonly surface: ChatSurface;
  readonly log: Log;
  readonly workspace: Workspace;
  readonly settings: ViewStateDeps["settings"] & { conversation(): ConversationSettings };
  /** Highlights code as the editor does. */
  readonly colouring: Pick<Colouring, "show" | "colour" | "leave">;
  readonly diagrams: Pick<Diagrams, "draw" | "leave">;
  readonly editor: PageEditor;
  readonly prompts: WorkspacePrompts;
  /** Suggestions of what can be attached by name. */
  readonly suggestions: Pick<FileSuggestions, "suggest">;
  /** The price of tokens that can no longer be read from the cache; `undefined` if it is unknown. */
  priceOfLoss(tokens: number, choices: Pick<Session["choices"], "model" | "cacheTier">): string | undefined;
  /** Handles the buttons of a problem that the session does not handle. */
  act(action: ProblemAction): void;
  /** Shows a patch or undoes it. */
  actOnCall(call: string, action: ReviewAction, path?: string): void;
  /** Tells what an undo of several calls has left as it was. */
  tellLeft(undone: NonNullable<Awaited<ReturnType<Session["rewind"]>>>): void;
  /** Acts on all pending changes, unless they are no longer those that were `shown`. */
  actOnChanges(session: Session, action: ChangesAction, shown: number, reason?: string): void;
  /** Adds the check that is offered. */
  takeOfferedCheck(): void;
  /** Shows the output of a check, or runs it again. */
  actOnCheck(session: Session, check: string, action: "open" | "run"): void;
  actOnRemarks(session: Session, action: RemarksAction): void;
  /** Looks for the changes that break a check, or decides about what was found and `shown`. */
  actOnBreaking(session: Session, action: BreakingAction, shown: number): void;
  /** Shows one of several tries, or asks about its checks. */
  actOnTry(session: Session, action: TryAction, candidate: number): void;
  /** Commands of the editor that the page carries out. */
  readonly acts: Pick<Emitter<Act>, "on" | "fire">;
  /** Called when the user is in a page of this surface. */
  use(): void;
  newConversation(): Promise<void>;
  /** Returns to the conversation that was replaced by a question asked in the editor. */
  goBack(): Promise<void>;
  branch(turn: string): Promise<void>;
}

/** What a page requests of the editor. Paths, URLs and code may come from the model. */
export interface PageEditor extends EditorOffers {
  openFile(path: string, line: number | undefined): void;
  openLink(url: string): void;
  copy(text: string): void;
  useCode(use: CodeUse, code: string, language: string): void;
  run(command: PageCommand): void;
  /** Shows what a turn sent and received. */
  inspectTurn(turn: string): void;
  setFocus(focus: PageFocus, page: object): void;
  /** Shows texts that the user is asked about, for reading. */
  showTexts(texts: NonNullable<OpenQuestion["texts"]>): void;
  /** Shows a problem to the user. */
  tell(problem: HumanError): void;
  /** Lets the user choose what to attach, or takes what is available without asking. */
  pick(kind: AttachKind): Promise<readonly Attachment[]>;
  /** Attachments for files dropped into the page, as far as they may be attached. */
  attachmentsOf(uris: readonly string[]): Promise<readonly Attachment[]>;
}

export interface HostedPage extends Disposable {
  readonly host: PageHost;
  /** Tells the pages that something around the conversation (key, URL, settings) has changed. */
  viewStateChanged(): void;
}

export function createPageHost(deps: PageHostDeps): HostedPage {
  const { surface, counts, titles, prompts } = deps;
  const owned = new Disposables();
  const viewStates = new Emitter<void>();
  const changed = () => viewStates.fire();
  const goingAgain = createNextInputEstimate((model, contents) => counts.about(model, contents).tokens);
  owned.add(
    surface.follow((session) => {
      const listening = new Disposables();
      const propose = () => counts.propose(session.choices.model, session.draft.contents);
      listening.add(session.onChange(propose));
      listening.add(session.onChange(changed));
      listening.add(session.choices.agents.onChange(changed));
      lookForAgents(session, deps.log);
      lookForTrial(session, deps);
      listening.add(session.onEvent(({ type }) => type === "ended" && changed()));
      changed();
      return listening;
    }),
  );
  if (deps.trials !== undefined)
    owned.add(deps.trials.onChange((id) => id === surface.session.id && changed()));
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
      leave(page, sender) {
        if (inUse === page) inUse = undefined;
        deps.colouring.leave(sender);
        deps.diagrams.leave(sender);
      },
    },
    viewStateChanged: changed,
    dispose: () => owned.dispose(),
  };
}

/** Retry modes that a problem offers for the last turn. For `retry` and `continue` a page names the turn. */
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
      // Errors meant for people are shown to the user who clicked.
      if (isHumanError(error)) editor.tell(error);
    });
  }
  const inTurn = (turn: Promise<Turn | undefined>) => inBackground(turn, "A turn could not be run.");
  /** Ignores requests about turns while the surface is switching to another conversation: they come too late. */
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

  /** Runs when the user clicks the estimate. */
  async function countDraft(): Promise<void> {
    const { choices, draft } = session();
    const count = await counts.byService(choices.model, draft.contents, AbortSignal.timeout(60_000));
    if ("problem" in count) editor.tell(new MessageError(count.problem.message));
  }

  return {
    send({ prompt, command }, page) {
      const taken = () => page.post({ type: "taken", prompt });
      inTurn(surface.settled().then((there) => there.send({ prompt, command, delivery: "step" }, taken)));
    },
    stop: () => session().stop(),
    draft({ text }) {
      session().draft.write(text);
      if (text.startsWith("/")) lookForPrompts();
    },
    "choose-model": ({ model }) => session().choices.chooseModel(model),
    "choose-agent": ({ agent }) => session().choices.chooseAgent(agent),
    unqueue: ({ id }) => session().unqueue(id),
    deliver: ({ id, delivery }) => session().deliver(id, delivery),
    "send-queued": () => session().sendQueued(),
    attach: ({ attachment }) => session().draft.attach(attachment),
    "attach-uris": ({ uris }) => attachLater(editor.attachmentsOf(uris)),
    pick: ({ kind }) =>
      kind === "problems" ? session().draft.attach({ kind }) : attachLater(editor.pick(kind)),
    detach: ({ id }) => session().draft.detach(id),
    cost({ turn }, page) {
      const { edit, branch } = session().history.rewindCost(turn, session().choices.model);
      const [editPrice, branchPrice] = [edit, branch].map((tokens) =>
        deps.priceOfLoss(tokens, session().choices),
      );
      page.post({ type: "cost", turn, edit, branch, ...present({ editPrice, branchPrice }) });
    },
    "plan-rewind"({ turn }, page) {
      const { choices, history } = session();
      const tokens = history.rewindCost(turn, choices.model).edit;
      const price = tokens === 0 ? undefined : deps.priceOfLoss(tokens, choices);
      const tell = history
        .planRewind(turn)
        .then((plan) => page.post({ type: "rewind-plan", turn, ...plan, tokens, ...present({ price }) }));
      inBackground(tell, "What going back would undo could not be found out.");
    },
    rewind({ turn, scope }) {
      if (surface.isMoving) return;
      const going = session().rewind(turn, scope);
      inBackground(
        going.then((undone) => undone && deps.tellLeft(undone)),
        "Going back to before a question has failed.",
      );
    },
    "set-options"({ effort, cacheTier, webSearch, json, planFirst }) {
      const { choices } = session();
      if (effort !== undefined && choices.efforts.includes(effort)) choices.chooseEffort(effort);
      if (cacheTier !== undefined) choices.chooseCacheTier(cacheTier);
      if (webSearch !== undefined) choices.chooseWebSearch(webSearch);
      if (json !== undefined) choices.chooseJson(json);
      if (planFirst !== undefined) choices.choosePlanFirst(planFirst);
    },
    go: ({ prompt }) => ask((now) => now.go(prompt)),
    "edit-plan": ({ edit }) => inBackground(session().editPlan(edit), "The plan could not be edited."),
    run({ command }) {
      if (command === "new-conversation")
        inBackground(deps.newConversation(), "No new conversation could be begun.");
      else if (command === "go-back") inBackground(deps.goBack(), "The conversation could not be opened.");
      else if (command === "take-over")
        inBackground(session().takeOver.ask(), "The conversation could not be taken over.");
      else if (command === "compact") ask((now) => now.compact());
      else if (command === "count-tokens") inBackground(countDraft(), "The draft could not be counted.");
      else editor.run(command);
    },
    rename({ title }) {
      if (title.trim() !== "")
        inBackground(titles.rename(session().id, title.trim()), "The conversation could not be renamed.");
    },
    answer({ question, action }) {
      if (action === "read-whole") editor.showTexts(session().question?.texts ?? []);
      else session().answer(action, question);
    },
    act({ action }) {
      const way = offeredAgain.find((each) => each === action);
      if (way !== undefined) ask((now) => now.retry(way));
      else if (action === "choose-model") deps.acts.fire("choose-model");
      else deps.act(action);
    },
    "act-on-turn"({ turn, action }) {
      if (action === "inspect") editor.inspectTurn(turn);
      else if (action === "exclude") inBackground(session().exclude(turn), "A turn could not be left out.");
      else if (action === "branch")
        inBackground(deps.branch(turn), "The conversation could not be branched.");
      else ask((now) => now.retry(action, turn));
    },
    "edit-turn"({ turn, prompt }, page) {
      if (surface.isMoving) page.post({ type: "put-back", text: prompt });
      else ask((now) => now.edit(turn, prompt));
    },
    decide: ({ call, decision }) => inTurn(session().decide(call, decision)),
    "ask-again-in": ({ folder }) =>
      inBackground(
        deps.commandHost?.askIn(folder) ?? Promise.resolve(),
        "A permission could not be withdrawn.",
      ),
    "act-on-call"({ call, action, path }) {
      if (action === "send-current") ask((now) => now.sendCurrent(call));
      else if (action === "fix-errors") ask((now) => now.fixErrors(call));
      else deps.actOnCall(call, action, path);
    },
    "act-on-changes": ({ action, shown, reason }) => deps.actOnChanges(session(), action, shown, reason),
    ...trialHandlers({
      ...{ trials: deps.trials, session, inBackground, actOnTry: deps.actOnTry },
      isMoving: () => surface.isMoving,
    }),
    "act-on-check": ({ check, action }) =>
      check === offeredId ? deps.takeOfferedCheck() : deps.actOnCheck(session(), check, action),
    "act-on-remarks": ({ action }) => deps.actOnRemarks(session(), action),
    "act-on-breaking": ({ action, shown }) => deps.actOnBreaking(session(), action, shown),
    "open-file": ({ path, line }) => editor.openFile(path, line),
    copy: ({ text }) => editor.copy(text),
    "use-code": ({ use, code, language }) => editor.useCode(use, code, language),
    focus({ focus }, page) {
      lookForAgents(session(), log);
      editor.setFocus(focus, page);
    },
    "open-link": ({ url }) => editor.openLink(url),
    "show-code": ({ theme }, page) => deps.colouring.show(theme, page),
    "colour-code": (wanted, page) => deps.colouring.colour(wanted, page),
    "draw-diagram": ({ source }, page) => deps.diagrams.draw(source, page),
  };
}

/** Finds tries that an earlier window has left. */
function lookForTrial(session: Session, { trials, log }: PageHostDeps): void {
  trials
    ?.look(session)
    .catch((error: unknown) => log.error("Tries of an earlier window could not be read.", error));
}

function lookForAgents({ choices }: Session, log: Log): void {
  choices.agents
    .look()
    .catch((error: unknown) => log.error("The agents of the workspace could not be looked for.", error));
}
