// The second host file: everything with network, schemas and storage, loaded at first use (esbuild.mjs says why).
// Puts assistant, client, store and bridge together; what it needs of VS Code it is handed by extension.ts.
import { randomUUID } from "node:crypto";
import type { PageSubject } from "./bridge/page-subject.ts";
import { openSession, type Port } from "./bridge/session.ts";
import { defaultPreferences, type Surroundings } from "./bridge/surroundings.ts";
import { unable } from "./bridge/unable.ts";
import { type Connection, createServiceClient } from "./core/api/service-client.ts";
import { type Assistant, createAssistant } from "./core/assistant.ts";
import { builtInModels } from "./core/conversation/models.ts";
import type { Problem, ProblemAction } from "./core/conversation/problem.ts";
import { defaultConversationSettings } from "./core/conversation-settings.ts";
import { openLibrary, shelfOf } from "./core/conversation-shelf.ts";
import type { Disposable } from "./core/util/disposables.ts";
import { Emitter } from "./core/util/emitter.ts";
import type { Log } from "./core/util/log.ts";
import type { Workspace } from "./core/workspace.ts";

export interface ServiceNeeds {
  /** Where conversations are kept. */
  readonly folder: string;
  readonly log: Log;
  readonly workspace: Workspace;
  connection(): Promise<Connection | Problem>;
  /** Why nothing can be sent, as far as is known. */
  problem(): Problem | undefined;
  defaultModel(): string;
  act(action: ProblemAction): void;
  /** What a page asks of the editor; `path` and `url` may come from the model. */
  openFile(path: string, line: number | undefined): void;
  openLink(url: string): void;
  copy(text: string): void;
}

export interface Service {
  readonly assistant: Assistant;
  openPage(port: Port): Disposable;
  /** Key, address or another surrounding has changed: pages are told. */
  surroundingsChanged(): void;
  /** Ends the running turn, saves what is open, closes what was opened. */
  close(): Promise<void>;
}

export async function createService(needs: ServiceNeeds): Promise<Service> {
  const { log, folder } = needs;
  const client = createServiceClient({ connection: needs.connection, settings: () => ({}), log });
  const now = () => Date.now();
  const library = openLibrary(folder, now);
  const assistant = await createAssistant({
    client,
    shelf: shelfOf(library),
    workspace: needs.workspace,
    settings: () => defaultConversationSettings,
    log,
    defaultModel: needs.defaultModel,
    now,
    newId: randomUUID,
  });
  const surroundings = new Emitter<void>();
  assistant.onModel(() => surroundings.fire());

  const subject: PageSubject = {
    ...unable,
    get conversation() {
      return assistant.conversation;
    },
    get draft() {
      return assistant.draft;
    },
    get surroundings(): Surroundings {
      const models = builtInModels.map(({ id, label, route }) => ({ id, label, route }));
      return {
        model: assistant.model,
        models,
        problem: needs.problem(),
        abilities: [
          "copy",
          "open-link",
          "open-file",
          "regenerate",
          "retry",
          "continue",
          "edit-turn",
          "decide",
        ],
        preferences: defaultPreferences,
      };
    },
    onEvent: assistant.onEvent,
    onReset: assistant.onReset,
    onSurroundings: surroundings.on,
    send: (prompt) => assistant.send(prompt),
    stop: assistant.stop,
    setDraft: assistant.setDraft,
    chooseModel: assistant.chooseModel,
    act: needs.act,
    actOnTurn(turn, action) {
      if (action === "retry") assistant.retry();
      else if (action === "continue") assistant.goOn();
      else if (action === "regenerate") assistant.regenerate(turn);
    },
    editTurn: assistant.edit,
    decide: assistant.decide,
    openFile: needs.openFile,
    copy: needs.copy,
    openLink: needs.openLink,
  };

  return {
    assistant,
    openPage: (port) => openSession(port, subject, log),
    surroundingsChanged: () => surroundings.fire(),
    async close() {
      await assistant.close();
      await library.close();
      client.dispose();
    },
  };
}
