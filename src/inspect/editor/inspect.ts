// The inspector, assembled: its documents, the commands that show them, and turns sent again with changes.
import * as vscode from "vscode";
import type { ConnectionState } from "../../editor/connection/connection-state.ts";
import { createTextDocuments } from "../../editor/ui/documents.ts";
import type { Service } from "../../host/services.ts";
import type { Composed } from "../../service/request.ts";
import { type ClientSettings, completeSettings } from "../../service/settings.ts";
import type { Features } from "../../usage/text-features.ts";
import { maskedText } from "../../util/mask-secrets.ts";
import { createInspectCommands } from "./internal/inspect-commands.ts";
import { createReplayCommands } from "./internal/replay.ts";

const inspectScheme = "patchbay-inspect";

export interface Inspected {
  readonly text: string;
  /** File extension, which determines the language; JSON with comments by default. */
  readonly type?: "md";
  /** The first request it shows. */
  readonly composed?: Composed | undefined;
  /** The turn it shows. */
  readonly turn?: string | undefined;
}

export interface InspectDocuments extends vscode.Disposable {
  add(title: string, inspected: Inspected): vscode.Uri;
  show(title: string, inspected: Inspected): Promise<void>;
  of(uri: vscode.Uri | undefined): Inspected | undefined;
}

/**
 * Shows requests and responses as read-only documents that can be searched. Each is linked to the request it shows, so
 * that it can be copied as a command or sent again with changes.
 */
function createInspectDocuments(): InspectDocuments {
  const documents = createTextDocuments<Inspected>(inspectScheme);
  const add = (title: string, inspected: Inspected): vscode.Uri =>
    documents.add(title, inspected.type ?? "jsonc", inspected);
  return {
    add,
    async show(title, inspected) {
      await vscode.window.showTextDocument(add(title, inspected), { preview: true });
    },
    of: documents.of,
    dispose: () => documents.dispose(),
  };
}

interface InspectRoomDeps {
  readonly service: Service;
  readonly connection: Pick<ConnectionState, "current">;
  clientSettings(): ClientSettings;
  focusedTurn(): string | undefined;
  showChat(): Thenable<unknown>;
}

export function createInspect(room: InspectRoomDeps) {
  const documents = createInspectDocuments();
  const { service, connection, clientSettings } = room;
  const deps = {
    ...service,
    ...room,
    session: () => service.surfaces.session,
    async branch(conversation: string, turn: string) {
      await service.surfaces.open(conversation);
      await service.surfaces.branch(turn);
    },
    documents,
    about: (model: string, features: Features) => service.counts.aboutFeatures(model, features).tokens,
    editedSettings() {
      const { cacheKeyField, userIdField, extraBody } = completeSettings(clientSettings());
      return { cacheKeyField, userIdField, extraBody };
    },
    async hideKey(text: string) {
      const now = await connection.current();
      return "key" in now ? text.replaceAll(now.key, maskedText) : text;
    },
  };
  const replays = createReplayCommands(deps);
  return {
    commands: { ...createInspectCommands(deps), ...replays.commands },
    dispose: () => vscode.Disposable.from(replays, documents).dispose(),
  };
}
