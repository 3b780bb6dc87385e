// The second host file: everything that is needed only once somebody uses Patchbay – the service (core, network,
// schemas) and the rooms of the editor that work with it. extension.ts opens them at the first command, page or view.
import * as vscode from "vscode";
import type { Port } from "./bridge/page-connection.ts";
import type { Tab } from "./chat-surfaces.ts";
import { Origins } from "./core/changes/origins.ts";
import type { Catalogue } from "./core/messages/catalogue.ts";
import { allSentences } from "./core/messages/english.ts";
import { type Own, openAllOrNothing } from "./core/util/open-all-or-nothing.ts";
import { createService } from "./services.ts";
import { actOnProblem } from "./shell/act-on-problem.ts";
import { createActions } from "./shell/actions/actions.ts";
import type { CodeActions } from "./shell/actions/code-actions.ts";
import { createContextNote } from "./shell/actions/context-note.ts";
import { createHeldBack } from "./shell/allow-secret-name.ts";
import { createAttach } from "./shell/attach/attach.ts";
import { createAttachCommands } from "./shell/attach/attach-commands.ts";
import { createSuggestedContext } from "./shell/attach/suggested-context.ts";
import { createReadTerminal } from "./shell/attach/terminal-text.ts";
import { createChatCommands } from "./shell/chat/chat-commands.ts";
import { createChatDoors } from "./shell/chat/chat-doors.ts";
import { createLinkHandler } from "./shell/chat/open-link.ts";
import { createPageActions } from "./shell/chat/page-actions.ts";
import { createPageFocus } from "./shell/chat/page-focus.ts";
import { placeNotices } from "./shell/chat/place-notices.ts";
import { createThemeColours } from "./shell/chat/theme-colours.ts";
import { createCheckRuns } from "./shell/checks/check-runs.ts";
import { createChecks } from "./shell/checks/checks.ts";
import type { AnonymousId } from "./shell/connection/anonymous-id.ts";
import { createCheckCommands } from "./shell/connection/check-commands.ts";
import type { ConnectionState } from "./shell/connection/connection.ts";
import { createEditorNetwork } from "./shell/connection/editor-network.ts";
import { showWhatLeaves } from "./shell/connection/what-leaves.ts";
import { createConversationCommands } from "./shell/conversations/conversation-commands.ts";
import { createConversationsView } from "./shell/conversations/conversations-view.ts";
import { pruneHistory } from "./shell/conversations/prune-history.ts";
import { createDataCommands } from "./shell/data-commands.ts";
import { createDiagnosticsCommands } from "./shell/diagnostics.ts";
import { createFindings } from "./shell/findings/findings.ts";
import { inReaderLanguage, learnSentences } from "./shell/in-reader-language.ts";
import { createInspect } from "./shell/inspect/inspect.ts";
import { createLanguageModelAnswers } from "./shell/language-model/language-model-answers.ts";
import type { LogChannel } from "./shell/log.ts";
import { commands, focusOf } from "./shell/manifest.ts";
import { showWarning } from "./shell/notify.ts";
import { createReadOnlyDocuments } from "./shell/read-only-documents.ts";
import { reportError } from "./shell/report-error.ts";
import { createReview } from "./shell/review/review.ts";
import type { Settings } from "./shell/settings.ts";
import { createSampleReview } from "./shell/start/sample-review.ts";
import { createStartCommands } from "./shell/start/start-commands.ts";
import { followConversation } from "./shell/status/follow-conversation.ts";
import type { SelectionCount } from "./shell/status/selection-count.ts";
import type { RoomsStatus } from "./shell/status/status-bar.ts";
import { createThreads } from "./shell/threads/threads.ts";
import { createTokens } from "./shell/tokens/tokens.ts";
import { createChooseTools } from "./shell/tools/choose-tools.ts";
import { countTokens } from "./shell/tools/count-tokens.ts";
import { createHostTools } from "./shell/tools/host-tools.ts";
import { createFiles } from "./shell/uploaded-files/uploaded-files.ts";
import { createUsage } from "./shell/usage/usage.ts";
import { createConfirmProtected } from "./shell/workspace/confirm-protected.ts";
import { createFileFinder } from "./shell/workspace/file-finder.ts";
import { placeOfWorkspace } from "./shell/workspace/file-uris.ts";
import { createWorkspace } from "./shell/workspace/workspace.ts";

export interface RoomsDeps {
  /** From here on activation can say every message. */
  learnSentences(catalogue: Catalogue): void;
  /** Our own folder. */
  readonly storage: vscode.Uri;
  readonly log: LogChannel;
  readonly settings: Settings;
  readonly connection: ConnectionState;
  readonly anonymousId: AnonymousId;
  readonly codeActions: CodeActions;
  readonly selection: SelectionCount;
  /** The chat view that this VS Code has. */
  readonly chatView: string;
  /** What stands in for the views until they are here; disposed just before. */
  readonly placeholders: vscode.Disposable;
  readonly extension: vscode.Extension<unknown>;
  /** Small things to know in the next window. */
  readonly memory: vscode.Memento;
  /** The same, of this workspace alone. */
  readonly placeMemory: vscode.Memento;
  forgetKeys(): Promise<void>;
  /** Whether a conversation can be seen somewhere. */
  isChatVisible(): boolean;
  /** How many decisions wait for a person. */
  badge(count: number): void;
  /** What the status bar shows is different. */
  statusChanged(): void;
}

/** What is attached to an action of the editor is weighed in a moment, or not at all. */
const secondsToLook = 10;

/** In the memory of the workspace. */
const lastConversation = "conversation";

export type Container = Awaited<ReturnType<typeof openContainer>>;

/** All of it, or nothing: whoever tries again finds no listener and no open conversation of the first time. */
export const openContainer = (deps: RoomsDeps) =>
  openAllOrNothing((own, close) => openRooms(deps, own, close));

async function openRooms(deps: RoomsDeps, own: Own, close: () => Promise<void>) {
  const { log, settings, connection } = deps;
  // Activation has a copy of its own of what says them.
  for (const learn of [learnSentences, deps.learnSentences]) learn(allSentences);
  const place = placeOfWorkspace();
  const documents = own(createReadOnlyDocuments());
  const workspace = own(createWorkspace(deps.storage, { agree: createConfirmProtected(documents) }));
  const finder = own(createFileFinder());
  const focus = createPageFocus();
  const chat = createChatDoors({ surfaces: () => service.surfaces, view: deps.chatView });
  const readTerminal = createReadTerminal();
  const attach = createAttach({
    list: () => library.list(),
    // Reading it moves the focus there.
    readTerminal: () => readTerminal().finally(chat.show),
    suggest: (query, signal) => service.suggestions.suggest(query, signal),
  });
  const suggested = own(createSuggestedContext(() => surfaces.viewStateChanged()));
  const theme = own(createThemeColours(log));
  const folders = () => workspace.folders;
  const focusedTurn = () => focus.turn;
  const report = (error: unknown) => reportError(error, log);
  const checks = createChecks({
    storage: deps.storage.fsPath,
    memory: deps.placeMemory,
    rows: settings.checks,
    privacy: () => settings.conversation().privacy,
    ...{ workspace, log },
  });
  own({ dispose: checks.close });
  const checkCommands = createCheckRuns({
    ...{ checks, documents, log },
    session: () => surfaces.session,
    checkAt: (argument) => review.checkAt(argument),
  });
  const service = await createService({
    folder: deps.storage.fsPath,
    place,
    log,
    connection: connection.current,
    editorNetwork: createEditorNetwork(vscode.env.appRoot),
    keyWatcher: connection.keyWatcher,
    problem: () => connection.problem,
    caution: () => connection.refusal ?? connection.unreached,
    codeColours: () => theme.current,
    notices: () => placeNotices(settings),
    settings,
    anonymousId: deps.anonymousId.get,
    act: actOnProblem,
    workspace,
    finder,
    hostTools: createHostTools(log),
    checkHost: checks.host,
    heldBack: createHeldBack(() => settings.conversation().privacy, report),
    editor: createPageActions({
      workspace,
      ...{ attach, suggested },
      focus,
      log,
      turns: () => surfaces.session.state.turns,
      propose: (turn, patch) => surfaces.session.patches.propose(turn, patch),
      review: (call) => review.actOnCall(call, "review"),
    }),
    acts: chat.acts,
    tell: (message) => void showWarning(inReaderLanguage(message)),
    language: vscode.env.language,
    actOnCall: (call, action, reason) => void review.actOnCall(call, action, reason).catch(report),
    actOnCheck: (of, check, action) => void checkCommands.act(of, check, action).catch(report),
    actOnChanges: (of, action, shown) => void review.actOnChanges(of, action, shown).catch(report),
    showView: () => void vscode.commands.executeCommand(focusOf(deps.chatView)),
    last: {
      read: () => deps.placeMemory.get<string>(lastConversation),
      write: (conversation) => void deps.placeMemory.update(lastConversation, conversation),
    },
  });
  own({ dispose: service.close });
  const { surfaces, registry, client, counts, library, price, pricing } = service;
  /** Also of one that nobody has opened in this window. */
  const waitingIn = async (id: string): Promise<number> => {
    const lease = await registry.open(id);
    try {
      const { changes } = lease.session.patches;
      await changes.refresh();
      return changes.pending.reduce((sum, { hunks, conflicts }) => sum + hunks.length + conflicts.length, 0);
    } finally {
      void lease.release();
    }
  };
  const session = () => surfaces.session;
  const current = () => surfaces.session.id;

  deps.placeholders.dispose();
  const threads = own(createThreads());
  const findings = own(createFindings());
  const review = own(
    createReview({
      ...{ threads, findings },
      kept: new Origins({
        list: async () => [...(await library.list()), ...(await library.tasks())],
        changes: library.changes.bind(library),
      }),
      nameOfModel: (id) => surfaces.session.choices.models.find((each) => each.id === id)?.label ?? id,
      folders,
      isChatVisible: deps.isChatVisible,
      stop: () => surfaces.session.stop(),
      nameOf: ({ id, state }) =>
        service.titles.of(id) ??
        state.turns[0]?.prompt.split("\n", 1)[0] ??
        vscode.l10n.t("This conversation"),
      ...{ report, log },
    }),
  );
  const conversations = own(
    createConversationsView({
      list: () => library.list(),
      current,
      activity: (id) => registry.activityOf(id),
      isRunning: (id) => registry.sessions.some((each) => each.id === id && each.isRunning),
      place,
    }),
  );
  const usage = own(createUsage(service, documents));
  const toReview = () => review.waiting;
  const tokens = own(createTokens({ service, settings, documents, selection: deps.selection, toReview }));
  const files = own(createFiles({ files: service.files, documents, openConversation: chat.open }));

  const sample = createSampleReview(review, log, report);
  const inspect = own(
    createInspect({
      service,
      connection,
      clientSettings: settings.service,
      focusedTurn,
      showChat: chat.show,
    }),
  );
  const outside = own(
    followConversation({
      ...deps,
      surfaces,
      registry,
      when: settings.notify,
      report,
      open: chat.open,
    }),
  );

  [
    surfaces.onSwitch(conversations.refresh),
    library.onDidChange(conversations.refresh),
    registry.onActivity(conversations.refresh),
    theme.onDidChange(() => surfaces.viewStateChanged()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => surfaces.viewStateChanged()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => surfaces.viewStateChanged()),
    review.onDidChange(outside.refresh),
    review.follow(surfaces),
  ].forEach(own);
  pruneHistory({
    ...deps,
    library,
    keepDays: settings.historyDays,
    isOpen: (id) => registry.find(id) !== undefined,
  }).catch((error: unknown) => log.error("Old conversations could not be removed.", error));
  service
    .removeFinishedTasks()
    .catch((error: unknown) => log.error("Tasks of earlier windows could not be removed.", error));

  return {
    commands: {
      ...createCheckCommands({ client, connection, documents }),
      ...createChatCommands({ ...chat, surfaces, report, focusedTurn }),
      ...createConversationCommands({
        view: conversations,
        library,
        current,
        open: chat.open,
        leave: (id) => registry.remove(id),
        stop: (id) => registry.find(id)?.stop(),
        waiting: (id) => waitingIn(id).catch(() => 0),
        read: service.read,
      }),
      ...files.commands,
      ...inspect.commands,
      ...createDataCommands({ ...deps, documents, close }),
      ...createDiagnosticsCommands({
        ...deps,
        more: () => [`Model: ${session().choices.model}, turns: ${session().state.turns.length}`],
      }),
      ...createStartCommands({
        sample,
        isConnected: () => connection.isProven,
        isAnswered: () => session().state.turns.some(({ status }) => status === "done"),
        folders,
      }),
      ...createAttachCommands({ attach, add: chat.bring }),
      ...review.commands,
      ...checkCommands.commands,
      ...findings.commands,
      [commands.chooseTools]: createChooseTools(session),
      ...createActions({
        session,
        async begin(kind) {
          const { state, isRunning } = session();
          if (kind === "task" || state.turns.length > 0 || isRunning) await surfaces.beginAside(kind);
        },
        report,
        quietTask: () => registry.task("bare"),
        ...{ threads, findings },
        showFindings: review.commands[commands.listReview],
        task: () => registry.task(),
        review: review.add,
        sessionAt: review.sessionAt,
        async weigh(companions) {
          const signal = AbortSignal.timeout(secondsToLook * 1000);
          const read = companions.map(({ attachment }) => session().read(attachment, signal));
          const contents = (await Promise.all(read)).map(({ content }) => content);
          return counts.about(session().choices.model, contents).tokens;
        },
        async continueInChat(task) {
          await task.continueInChat();
          await chat.open(task.id);
        },
        prompts: service.prompts,
        readTerminal,
        showChat: chat.showBeside,
        settings: settings.actions,
        noteContext: createContextNote(deps.memory, report),
        act: actOnProblem,
        placeOf: deps.codeActions.placeOf,
      }),
      ...tokens.commands,
      ...usage.commands,
      [commands.stop]: () => session().stop(),
      [commands.stopAll]: () => registry.stopAll(),
    },
    openPage: (port: Port, tab?: Tab) =>
      tab === undefined ? surfaces.openPage(port) : surfaces.openTab(port, tab),
    languageModel: createLanguageModelAnswers(service.languageModelChat, counts, service.prices),
    countTokens: (input: unknown) => countTokens(input, counts, settings.defaultModel()),
    checkKey: client.checkKey,
    focusComposer: () => chat.inPage("focus"),
    showWhatLeaves: () => showWhatLeaves(deps.extension.extensionUri),
    viewStateChanged: () => surfaces.viewStateChanged(),
    get status(): RoomsStatus {
      return {
        session: session(),
        others: registry.others(session()),
        counts,
        price,
        pricing,
        toReview: toReview(),
        conflicts: review.conflicts,
      };
    },
    openLink: createLinkHandler({ folders, report, fill: chat.fill }).handleUri,
    close,
  };
}
