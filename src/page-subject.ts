// What a page shows and can ask for, made of the assistant and of what the editor can do. Nothing is decided here:
// every wish of the page is somebody's one function.

import type { CodeColours } from "./bridge/code-colours.ts";
import type { PageSubject } from "./bridge/page-subject.ts";
import type { CodeUse, PageAct, PageCommand, PageFocus, ReviewAction } from "./bridge/protocol.ts";
import { Ability, type AttachKind, type Preferences, type Surroundings } from "./bridge/surroundings.ts";
import { unable } from "./bridge/unable.ts";
import type { Assistant } from "./core/assistant.ts";
import type { Attachment } from "./core/conversation/attachment.ts";
import type { Problem, ProblemAction } from "./core/conversation/problem.ts";
import type { ConversationSettings } from "./core/conversation-settings.ts";
import { createFileSuggestions } from "./core/file-suggestions.ts";
import type { OpenTitle } from "./core/open-title.ts";
import { sendCurrent } from "./core/send-current.ts";
import type { TokenCounts } from "./core/token-counts.ts";
import { createGoingAgain, type GoingAgain } from "./core/tokens/going-again.ts";
import type { Disposable } from "./core/util/disposables.ts";
import { Emitter } from "./core/util/emitter.ts";
import { isHumanError } from "./core/util/human-error.ts";
import type { Log } from "./core/util/log.ts";
import { present } from "./core/util/present.ts";
import type { Workspace } from "./core/workspace.ts";

export interface PageNeeds {
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
  /** One sentence each, about where this window is. */
  notices(): readonly string[];
  readonly editor: PageEditor;
  readonly counts: TokenCounts;
  readonly title: OpenTitle;
  /** What so many tokens cost that are no longer read from the cache; `undefined`: nobody knows. */
  priceOfLoss(tokens: number): string | undefined;
  /** What the buttons of a problem do where the assistant does not know it. */
  act(action: ProblemAction): void;
  /** Shows a patch, or takes it back. */
  actOnCall(call: string, action: ReviewAction): void;
  /** What commands of the editor have the page do. */
  readonly acts: Pick<Emitter<PageAct>, "on" | "fire">;
  /** A person is in a page with this conversation. */
  use(): void;
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
  setFocus(focus: PageFocus): void;
  /** One sentence for the person in front. */
  tell(sentence: string): void;
  /** What `pick` can bring besides the problems that the editor shows. */
  readonly attachKinds: readonly AttachKind[];
  /** Lets a person choose what to attach, or takes what is at hand. */
  pick(kind: AttachKind): Promise<readonly Attachment[]>;
  /** Files that were dropped into the page, as far as they may be attached. */
  attachmentsOf(uris: readonly string[]): Promise<readonly Attachment[]>;
}

export interface HostedPage extends Disposable {
  readonly subject: PageSubject;
  /** Key, address or another surrounding has changed: pages are told. */
  surroundingsChanged(): void;
}

export function createPageSubject(assistant: Assistant, needs: PageNeeds, now: () => number): HostedPage {
  const { log, settings, workspace, editor } = needs;
  const surroundings = new Emitter<void>();
  assistant.onChange(() => surroundings.fire());
  assistant.onEvent(({ type }) => type === "ended" && surroundings.fire());
  const suggest = createFileSuggestions(workspace, () => settings.conversation().privacy, now);
  const inBackground = (work: Promise<unknown> | undefined, sentence: string) => {
    work?.catch((error: unknown) => {
      log.error(sentence, error);
      // What was meant for people is shown to whoever clicked.
      if (isHumanError(error)) editor.tell(error.message);
    });
  };
  const goingAgain = createGoingAgain((model, contents) => needs.counts.about(model, contents).tokens);
  const attachAll = async (wishes: Promise<readonly Attachment[]>) => {
    for (const wish of await wishes) assistant.attach(wish);
  };
  const attachLater = (wishes: Promise<readonly Attachment[]>) =>
    inBackground(attachAll(wishes), "Nothing could be attached.");

  assistant.onChange(() => needs.counts.propose(assistant.model, assistant.draftContents));
  const counting = needs.counts.onCount(() => surroundings.fire());
  needs.title.onChange(() => surroundings.fire());

  /** A person clicked on the estimate. */
  async function countDraft(): Promise<void> {
    const { model, draftContents } = assistant;
    const count = await needs.counts.byService(model, draftContents, AbortSignal.timeout(60_000));
    if ("problem" in count) editor.tell(count.problem.message);
  }

  const lookForPrompts = () =>
    inBackground(assistant.lookForPrompts(), "The prompts of the workspace could not be looked for.");
  lookForPrompts();

  let inUse: object | undefined;
  const subject: PageSubject = {
    ...unable,
    use(page) {
      inUse = page;
      needs.use();
    },
    isInUse: (page) => inUse === undefined || inUse === page,
    leave(page) {
      if (inUse === page) inUse = undefined;
    },
    get conversation() {
      return assistant.conversation;
    },
    get draft() {
      return assistant.draft;
    },
    get surroundings() {
      return surroundingsOf(assistant, needs, goingAgain);
    },
    onEvent: assistant.onEvent,
    onReset: assistant.onReset,
    onSurroundings: surroundings.on,
    send: (prompt, command) => inBackground(assistant.send({ prompt, command }), "A turn could not be run."),
    unqueue: assistant.unqueue,
    sendQueued: assistant.sendQueued,
    attach: assistant.attach,
    attachUris: (uris) => attachLater(editor.attachmentsOf(uris)),
    pick: (kind) => (kind === "problems" ? assistant.attach({ kind }) : attachLater(editor.pick(kind))),
    detach: assistant.detach,
    complete: suggest,
    costOfGoingBack(turn) {
      const { edit, branch } = assistant.costOfGoingBack(turn);
      const [editPrice, branchPrice] = [needs.priceOfLoss(edit), needs.priceOfLoss(branch)];
      return { edit, branch, ...present({ editPrice, branchPrice }) };
    },
    setWebSearch: assistant.chooseWebSearch,
    setCacheTier: assistant.chooseCacheTier,
    run(command) {
      if (command === "new-conversation")
        inBackground(assistant.newConversation(), "No new conversation could be begun.");
      else if (command === "count-tokens") inBackground(countDraft(), "The draft could not be counted.");
      else editor.run(command);
    },
    rename: (title) => inBackground(needs.title.rename(title), "The conversation could not be renamed."),
    stop: assistant.stop,
    setDraft(text) {
      assistant.setDraft(text);
      if (text.startsWith("/")) lookForPrompts();
    },
    chooseModel: assistant.chooseModel,
    act(action) {
      if (assistant.answer(action)) return;
      if (action === "retry-whole") assistant.retryWhole();
      else if (action === "drop-reasoning") assistant.retryPlainly();
      else if (action === "remove-attachments") assistant.askBare();
      else if (action === "raise-limit") assistant.raiseLimit();
      else if (action === "choose-model") needs.acts.fire("choose-model");
      else needs.act(action);
    },
    actOnTurn(turn, action) {
      if (action === "retry") assistant.retry();
      else if (action === "continue") assistant.goOn();
      else if (action === "regenerate") assistant.regenerate(turn);
      else if (action === "inspect") editor.inspectTurn(turn);
      else if (action === "branch")
        inBackground(assistant.branch(turn), "The conversation could not be branched.");
    },
    editTurn: assistant.edit,
    decide: assistant.decide,
    actOnCall(call, action) {
      if (action === "send-current") inBackground(sendCurrent(assistant, call), "A turn could not be run.");
      else needs.actOnCall(call, action);
    },
    openFile: editor.openFile,
    copy: editor.copy,
    openLink: editor.openLink,
    useCode: editor.useCode,
    setFocus: editor.setFocus,
    onPutBack: assistant.onPutBack,
    onAct: needs.acts.on,
  };
  return { subject, surroundingsChanged: () => surroundings.fire(), dispose: () => counting.dispose() };
}

/** What a turn says or is about to say is not said twice. */
function cautionFor(assistant: Assistant, caution: Problem | undefined): { caution?: Problem } {
  const last = assistant.conversation.turns.at(-1);
  const isSaid = last?.status === "running" || last?.problem?.kind === caution?.kind;
  return caution === undefined || isSaid ? {} : { caution };
}

/** The draft, and what the next request will be with it (requirements J8). */
function estimateOf({ model, draftContents, conversation }: Assistant, needs: PageNeeds, again: GoingAgain) {
  if (draftContents.length === 0) return undefined;
  const draft = needs.counts.best(model, draftContents);
  const before = again(conversation.turns, model);
  return before === 0 ? draft : { ...draft, altogether: Math.round(before + draft.tokens) };
}

function surroundingsOf(assistant: Assistant, needs: PageNeeds, again: GoingAgain): Surroundings {
  const { outputLimit, question } = assistant;
  const estimate = estimateOf(assistant, needs, again);
  return {
    model: assistant.model,
    models: assistant.models.map(({ id, label, route, vision, added }) =>
      present({ id, label, route, vision, added }),
    ),
    problem: needs.problem(),
    ...cautionFor(assistant, needs.caution()),
    notices: [...needs.notices(), assistant.readOnly, assistant.repaired].filter(
      (each) => each !== undefined,
    ),
    ...(question !== undefined && { question }),
    abilities: Ability.options.filter(
      (ability) =>
        (ability !== "count-tokens" || needs.settings.estimateMode() !== "local") &&
        (ability !== "code-propose" || needs.workspace.trusted),
    ),
    preferences: needs.settings.preferences(),
    ...(needs.title.text !== undefined && { title: needs.title.text }),
    codeColours: needs.codeColours(),
    attachments: [...assistant.attachments],
    attachKinds: ["problems", ...needs.editor.attachKinds],
    commands: assistant.commands.map(({ name, detail }) => ({ name, detail })),
    queue: [...assistant.queue],
    webSearch: assistant.webSearch,
    cacheTier: assistant.cacheTier,
    ...(outputLimit !== undefined && { outputLimit }),
    ...(estimate !== undefined && { estimate }),
  };
}
