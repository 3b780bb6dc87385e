// The inspector, put together: its documents, what shows them, and turns sent again with changes.
import * as vscode from "vscode";
import { type ClientSettings, completeSettings } from "../../core/api/settings.ts";
import { maskedText } from "../../core/util/mask.ts";
import type { Service } from "../../service.ts";
import type { ConnectionState } from "../connection/connection.ts";
import { createInspectCommands } from "./inspect-commands.ts";
import { createInspectDocuments } from "./inspect-documents.ts";
import { createReplayCommands } from "./replay.ts";

export interface InspectRoomNeeds {
  readonly service: Service;
  readonly connection: Pick<ConnectionState, "current">;
  clientSettings(): ClientSettings;
  focusedTurn(): string | undefined;
  showChat(): Thenable<unknown>;
}

export function createInspect(room: InspectRoomNeeds) {
  const documents = createInspectDocuments();
  const { service, connection, clientSettings } = room;
  const needs = {
    ...service,
    ...room,
    session: () => service.surfaces.session,
    branch: (turn: string) => service.surfaces.branch(turn),
    documents,
    about: (model: string, text: string) => service.counts.about(model, [{ kind: "text", text }]).tokens,
    editedSettings() {
      const { cacheKeyField, userIdField, extraBody } = completeSettings(clientSettings());
      return { cacheKeyField, userIdField, extraBody };
    },
    async hideKey(text: string) {
      const now = await connection.current();
      return "key" in now ? text.replaceAll(now.key, maskedText) : text;
    },
  };
  const replays = createReplayCommands(needs);
  return {
    commands: { ...createInspectCommands(needs), ...replays.commands },
    dispose: () => vscode.Disposable.from(replays, documents).dispose(),
  };
}
