// The second host file, with everything that is needed only once Patchbay is used: the services (network, schemas)
// and the rooms of the editor that work with it. extension.ts loads it at the first command, page or view.

import { join } from "node:path";
import * as vscode from "vscode";
import type { Port } from "../bridge/page-connection.ts";
import { countPending } from "../changes/pending-changes.ts";
import { Origins } from "../changes/stored-origins.ts";
import { createCheckOffer } from "../checks/editor/check-offer.ts";
import { createCheckRuns } from "../checks/editor/check-runs.ts";
import { createChecks } from "../checks/editor/checks.ts";
import { createEditorColours } from "../code-colours/editor/colour-sources.ts";
import { createThemeColours } from "../code-colours/editor/theme-colours.ts";
import { createCommandHost } from "../commands/editor/commands.ts";
import { runInTerminal } from "../commands/editor/folder-terminal.ts";
import { allSentences, type Catalogue } from "../conversation/english.ts";
import type { Model } from "../conversation/models.ts";
import { createDiagrams } from "../diagrams/diagrams.ts";
import { createActions } from "../editor/actions/actions.ts";
import { type Companion, createContextNote } from "../editor/actions/ask.ts";
import type { CodeActions } from "../editor/actions/code-actions.ts";
import type { EditBoxes } from "../editor/actions/edit-box.ts";
import { createAttach } from "../editor/attach/attach.ts";
import { createAttachCommands } from "../editor/attach/attach-commands.ts";
import {
  createEditorLooks,
  createStarters,
  createSuggestedContext,
} from "../editor/attach/suggested-context.ts";
import { createReadTerminal } from "../editor/attach/terminal-text.ts";
import { createChatCommands } from "../editor/chat/chat-commands.ts";
import { createChatNavigation } from "../editor/chat/chat-navigation.ts";
import { createDeepLinkHandler } from "../editor/chat/deep-links.ts";
import { createPageActions, createPageFocus, placeNotices } from "../editor/chat/page-actions.ts";
import {
  createConnectionChecks,
  remoteOf,
  showDataDisclosure,
} from "../editor/connection/connection-checks.ts";
import type { ConnectionState } from "../editor/connection/connection-state.ts";
import type { AnonymousId } from "../editor/connection/credentials.ts";
import { createEditorNetwork } from "../editor/connection/vscode-network.ts";
import { createConversationCommands } from "../editor/conversations/conversation-commands.ts";
import { createConversationsView } from "../editor/conversations/conversations-view.ts";
import { pruneHistory } from "../editor/conversations/delete-old-conversations.ts";
import { createDiagnosticsCommands } from "../editor/data/diagnostics.ts";
import { createDataCommands } from "../editor/data/stored-data.ts";
import { showChatSteps } from "../editor/language-model/chat-set-up.ts";
import { createLanguageModelAnswers } from "../editor/language-model/serve-requests.ts";
import { localize, registerMessages } from "../editor/localize.ts";
import type { LogChannel } from "../editor/log.ts";
import { commands, focusOf } from "../editor/manifest.ts";
import { reportError, showWarning } from "../editor/notify.ts";
import { createCommitNotes } from "../editor/provenance/provenance.ts";
import { createReview } from "../editor/review/review.ts";
import { createSettings } from "../editor/settings/settings.ts";
import type { StartSettings } from "../editor/settings/start-settings.ts";
import { followConversation } from "../editor/status/notifications.ts";
import type { SelectionCount } from "../editor/status/selection-count.ts";
import type { RoomsStatus } from "../editor/status/status-bar.ts";
import { createReadOnlyDocuments } from "../editor/ui/documents.ts";
import { actOnProblem } from "../editor/ui/show-problem.ts";
import { createSampleReview, createStartCommands } from "../editor/walkthrough/samples.ts";
import { createFileFinder } from "../editor/workspace/file-finder.ts";
import { placeOfWorkspace } from "../editor/workspace/file-uris.ts";
import { createConfirmProtected, createSecretNameOffer } from "../editor/workspace/protected-files.ts";
import { createWorkspace } from "../editor/workspace/workspace.ts";
import { createBreakingActions } from "../evidence/editor/breaking-actions.ts";
import { createFindings } from "../findings/editor/findings.ts";
import { createFindingsView } from "../findings/editor/findings-view.ts";
import { createReviewCode } from "../findings/editor/review-code.ts";
import type { Tab } from "../host/chat-view-and-tabs.ts";
import { createService } from "../host/services.ts";
import { createInspect } from "../inspect/editor/inspect.ts";
import { createChooseTools } from "../tools/editor/choose-tools.ts";
import { createHostTools } from "../tools/editor/vscode-tools.ts";
import { createCompareModels } from "../trials/editor/compare-models-command.ts";
import { createTryViews } from "../trials/editor/try-views.ts";
import { createFiles } from "../uploaded-files/editor/uploaded-files.ts";
import { countTokens, createTokens } from "../usage/editor/count-tokens.ts";
import { createUsage } from "../usage/editor/usage.ts";
import { useThread } from "../util/background.ts";
import { type Register, runAll, withRollback } from "../util/disposables.ts";
import { WorkerThread } from "./internal/run-in-worker.ts";

interface RoomsDeps {
  /** Registers the messages in the activation bundle as well, which has its own copy of localize.ts. */
  registerMessages(catalogue: Catalogue): void;
  /** The extension's own storage folder. */
  readonly storage: vscode.Uri;
  readonly log: LogChannel;
  readonly settings: StartSettings;
  readonly connection: ConnectionState;
  readonly anonymousId: AnonymousId;
  readonly codeActions: CodeActions;
  readonly boxes: EditBoxes;
  readonly selection: SelectionCount;
  /** Id of the chat view that this version of VS Code shows. */
  readonly chatView: string;
  /** Removes the placeholders for the views; resolves when the real views may be registered. */
  removePlaceholders(): Promise<void>;
  readonly extension: vscode.Extension<unknown>;
  /** Small values kept for the next window. */
  readonly memory: vscode.Memento;
  /** The same, for this workspace only. */
  readonly placeMemory: vscode.Memento;
  forgetKeys(): Promise<void>;
  /** Whether a conversation is visible somewhere. */
  isChatVisible(): boolean;
  /** Shows how many decisions are pending. */
  badge(count: number): void;
  /** Called when the content of the status bar has changed. */
  statusChanged(): void;
}

/** Timeout for reading what an action attaches, to estimate its tokens. */
const secondsToLook = 10;

/** Key in the workspace state. */
const lastConversation = "conversation";

export type Container = Awaited<ReturnType<typeof openContainer>>;

/**
 * If opening fails, everything is rolled back, so a second attempt finds no leftover listeners or open conversations.
 */
export const openContainer = (deps: RoomsDeps) =>
  withRollback((register, close) => openRooms(deps, register, close));

async function openRooms(deps: RoomsDeps, register: Register, close: () => Promise<void>) {
  const { log, connection } = deps;
  const settings = createSettings(deps.settings);
  // The activation bundle has its own copy of localize.ts.
  for (const learn of [registerMessages, deps.registerMessages]) learn(allSentences);
  const place = placeOfWorkspace();
  const documents = register(createReadOnlyDocuments());
  const findings = register(createFindings());
  const workspace = register(
    createWorkspace(deps.storage, {
      agree: createConfirmProtected(documents),
      whileAccepting: (files, write) => findings.list.whileAccepting(files, write),
    }),
  );
  const finder = register(createFileFinder());
  const focus = createPageFocus();
  const chat = createChatNavigation({ surfaces: () => service.surfaces, view: deps.chatView });
  const readTerminal = createReadTerminal();
  const attach = createAttach({
    list: () => library.list(),
    // Reading the terminal moves the focus there.
    readTerminal: () => readTerminal().finally(chat.show),
    suggest: (query, signal) => service.suggestions.suggest(query, signal),
  });
  const suggested = register(createSuggestedContext(() => surfaces.viewStateChanged()));
  const starters = register(createStarters(() => surfaces.viewStateChanged()));
  const theme = register(createThemeColours(log));
  const colouring = register(createEditorColours(__dirname, log));
  const diagrams = createDiagrams({ file: join(__dirname, "diagrams.js"), log });
  register({ dispose: () => void diagrams.close() });
  const looks = register(createEditorLooks());
  const folders = () => workspace.folders;
  const focusedTurn = () => focus.turn;
  const report = (error: unknown) => reportError(error, log);
  const thread = new WorkerThread(join(__dirname, "worker.js"));
  register(useThread(thread));
  const checks = createChecks({
    storage: deps.storage.fsPath,
    memory: deps.placeMemory,
    rows: settings.checks,
    privacy: () => settings.conversation().privacy,
    copyThread: join(__dirname, "copies.js"),
    ...{ workspace, log, thread },
  });
  register({ dispose: () => runAll([checks.close, () => thread.close()]) });
  const offer = register(
    createCheckOffer({
      ...{ checks, report },
      memory: deps.placeMemory,
      changed: () => surfaces.viewStateChanged(),
    }),
  );
  const checkCommands = createCheckRuns({
    ...{ checks, offer, documents, log },
    session: () => surfaces.session,
    checkAt: (argument) => review.checkAt(argument),
    rowAt(argument) {
      const row = review.breakingAt(argument);
      if (row?.action === undefined) return undefined;
      const { session: of, action, shown } = row;
      return { act: () => actOnBreaking(of, action, shown) };
    },
  });
  const actOnBreaking = createBreakingActions({
    host: checks.host,
    accept: (...asked) => review.acceptExactly(...asked),
  });
  const commandHost = createCommandHost({
    permission: () => settings.conversation().tools.user.get("run_command"),
    memory: deps.placeMemory,
    ...{ workspace, runInTerminal },
  });
  register(commandHost.onDidChange(() => surfaces.viewStateChanged()));
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
    colouring,
    diagrams,
    notices: () => placeNotices(settings),
    settings,
    anonymousId: deps.anonymousId.get,
    act: actOnProblem,
    workspace,
    finder,
    hostTools: createHostTools(log),
    checkHost: checks.host,
    commandHost,
    lookAtEditor: looks.look,
    heldBack: createSecretNameOffer(() => settings.conversation().privacy, report),
    editor: createPageActions({
      workspace,
      ...{ attach, suggested, starters },
      ...{ focus, documents, log },
      turns: () => surfaces.session.state.turns,
      propose: (turn, patch) => surfaces.session.patches.propose(turn, patch),
      review: (call) => review.actOnCall(call, "review"),
    }),
    acts: chat.acts,
    tell: (message) => void showWarning(localize(message)),
    language: vscode.env.language,
    actOnCall: (...asked) => void review.actOnCall(...asked).catch(report),
    tellLeft: (undone) => void review.tellLeft(undone).catch(report),
    offeredCheck() {
      const { check, body } = offer.current ?? {};
      if (check === undefined) return undefined;
      const { command } = check;
      return { command, whole: body === undefined ? command : `${command} → ${body}` };
    },
    takeOfferedCheck: () => void checkCommands.takeOffer().catch(report),
    actOnCheck: (...asked) => void checkCommands.act(...asked).catch(report),
    evidence: (of) => review.evidenceOf(of),
    actOnRemarks: (...asked) => void review.actOnRemarks(...asked).catch(report),
    actOnBreaking: (...asked) => void actOnBreaking(...asked).catch(report),
    actOnTry: (...asked) => void tries.act(...asked).catch(report),
    actOnChanges: (...asked) => void review.actOnChanges(...asked).catch(report),
    showView: () => void vscode.commands.executeCommand(focusOf(deps.chatView)),
    last: {
      read: () => deps.placeMemory.get<string>(lastConversation),
      write: (conversation) => void deps.placeMemory.update(lastConversation, conversation),
    },
  });
  register({ dispose: service.close });
  const tries = register(createTryViews({ trials: service.trials, documents, host: checks.host }));
  const { surfaces, registry, client, counts, library, price, pricing } = service;
  /** Counts pending changes, even of a conversation that is not open in this window. */
  const waitingIn = async (id: string): Promise<number> => {
    const lease = await registry.open(id);
    try {
      const { changes } = lease.session.patches;
      await changes.refresh();
      return countPending(changes.pending).changes;
    } finally {
      void lease.release();
    }
  };
  const session = () => surfaces.session;
  const current = () => surfaces.session.id;

  await deps.removePlaceholders();
  async function weigh(companions: readonly Companion[]): Promise<number> {
    const signal = AbortSignal.timeout(secondsToLook * 1000);
    const read = companions.map(({ attachment }) => session().read(attachment, signal));
    const contents = (await Promise.all(read)).map(({ content }) => content);
    return counts.about(session().choices.model, contents).tokens;
  }

  const { threads } = deps.boxes;
  const findingsView = register(createFindingsView(findings));
  const kept = new Origins({
    list: async () => [...(await library.list()), ...(await library.tasks())],
    changes: library.changes.bind(library),
  });
  const receipt = async (nonce: string) =>
    (await service.ledgers.receipts.since(0)).find((row) => row.nonce === nonce);
  register(createCommitNotes({ kept, receipt, log }));
  const review = register(
    createReview({
      threads,
      kept,
      nameOfModel: (id) => surfaces.session.choices.models.find((each) => each.id === id)?.label ?? id,
      folders,
      isChatVisible: deps.isChatVisible,
      isChatFocused: () => focus.isInPage,
      stop: () => surfaces.session.stop(),
      nameOf: ({ id, state }) =>
        service.titles.of(id) ??
        state.turns[0]?.prompt.split("\n", 1)[0] ??
        vscode.l10n.t("This conversation"),
      ...{ report, log },
    }),
  );
  const conversations = register(
    createConversationsView({
      list: () => library.list(),
      current,
      activity: (id) => registry.activityOf(id),
      isRunning: (id) => registry.sessions.some((each) => each.id === id && each.isRunning),
      place,
    }),
  );
  const usage = register(createUsage(service, documents));
  const toReview = () => review.waiting;
  const tokens = register(
    createTokens({ service, settings, documents, selection: deps.selection, toReview }),
  );
  const files = register(createFiles({ files: service.files, documents, openConversation: chat.open }));

  const comparisons = register(
    createCompareModels({
      ...{ checks, service, settings, report },
      storage: deps.storage.fsPath,
    }),
  );
  const sample = createSampleReview(review, log, report);
  const inspect = register(
    createInspect({
      service,
      connection,
      clientSettings: settings.service,
      focusedTurn,
      showChat: chat.show,
    }),
  );
  const outside = register(
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
    review.onEvidence(() => surfaces.viewStateChanged()),
    review.onDidChange(outside.refresh),
    review.onDidChange(() => offer.follow(surfaces.session.patches.changes.pending.length)),
    review.follow(surfaces),
  ].forEach(register);
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
      [commands.chooseTools]: createChooseTools(session, commandHost),
      ...createActions({
        session,
        async begin(kind) {
          const { state, isRunning } = session();
          if (kind === "task" || state.turns.length > 0 || isRunning) await surfaces.openBeside(kind);
        },
        ...{ report, documents },
        quietTask: (tools) => registry.bareTask(tools),
        boxes: deps.boxes,
        placeOfFinding: findings.placeOf,
        acceptedEvidence: review.acceptedEvidence,
        reviewCode: (ask) =>
          createReviewCode({
            ...{ ask, session, weigh, report },
            editor: () => threads.editor,
            findings: findings.list,
            showList: findingsView.show,
          }),
        task: () => registry.task(),
        review: review.add,
        sessionAt: review.sessionAt,
        fold: review.fold,
        weigh,
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
      ...comparisons.commands,
      ...tokens.commands,
      ...usage.commands,
      [commands.stop]: () => session().stop(),
      [commands.stopAll]: () => {
        registry.stopAll();
        service.trials.stopAll();
      },
    },
    openPage: (port: Port, tab?: Tab) =>
      tab === undefined ? surfaces.openPage(port) : surfaces.openTab(port, tab),
    languageModel: createLanguageModelAnswers(service.languageModelChat, counts, service.prices),
    countTokens: (input: unknown) => countTokens(input, counts, settings.defaultModel()),
    checkKey: client.checkKey,
    connectionChecks: createConnectionChecks({
      client,
      connection,
      documents,
      remote: remoteOf(deps.extension),
    }),
    focusComposer: () => chat.inPage("focus"),
    showDataDisclosure: () => showDataDisclosure(deps.extension.extensionUri),
    showChatSteps: (models: readonly Model[]) => showChatSteps(deps.extension.id, models),
    viewStateChanged: () => surfaces.viewStateChanged(),
    get status(): RoomsStatus {
      return {
        session: session(),
        others: registry.others(session(), review.sessions),
        counts,
        price,
        pricing,
        toReview: toReview(),
        conflicts: review.conflicts,
      };
    },
    openLink: createDeepLinkHandler({ report, fill: chat.fill }).handleUri,
    close,
  };
}
