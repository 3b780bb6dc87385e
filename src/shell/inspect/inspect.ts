// The inspector, put together: its documents, what shows them, and turns sent again with changes.
import * as vscode from "vscode";
import { type ClientSettings, completeSettings } from "../../core/api/settings.ts";
import type { Features } from "../../core/tokens/text-features.ts";
import { maskedText } from "../../core/util/mask.ts";
import type { Service } from "../../services.ts";
import type { ConnectionState } from "../connection/connection.ts";
import { createInspectCommands } from "./inspect-commands.ts";
import { createInspectDocuments } from "./inspect-documents.ts";
import { createReplayCommands } from "./replay.ts";

export interface InspectRoomDeps {
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
