// What a conversation finds around it at this moment, made of what it was handed: the files behind their guard, the
// tools that are allowed, the ways to ask, and how questions and beginnings are read from all that. Keeps nothing.
import type { Choices, Opened } from "./conversation/record.ts";
import type { Turn } from "./conversation/state.ts";
import type { ConversationSettings } from "./conversation-settings.ts";
import { type GuardedFiles, guardFiles } from "./tools/guarded-files.ts";
import { type HostTool, hostTool } from "./tools/host-tool.ts";
import { ownTools } from "./tools/own-tools.ts";
import { createToolTable, type ToolTable } from "./tools/tool-table.ts";
import { allCommands, type SavedPrompt } from "./turn/commands.ts";
import { type Settled, settle } from "./turn/opening.ts";
import { type Asked, type Question, readQuestion } from "./turn/question.ts";
import type { Workspace } from "./workspace.ts";

export interface WorldNeeds {
  readonly workspace: Workspace;
  settings(): ConversationSettings;
  /** Tools of other extensions and of MCP servers, as they are now. */
  hostTools?(): readonly HostTool[];
  /** For attachments; `undefined` when that conversation is gone. */
  turnsOf(conversation: string): Promise<readonly Turn[] | undefined>;
  now(): number;
  newId(): string;
}

export class ConversationWorld {
  readonly #needs: WorldNeeds;

  constructor(needs: WorldNeeds) {
    this.#needs = needs;
  }

  get files(): GuardedFiles {
    const { workspace, settings } = this.#needs;
    return guardFiles(workspace, () => settings().privacy);
  }

  get table(): ToolTable {
    const { settings, hostTools } = this.#needs;
    return createToolTable([...ownTools, ...(hostTools?.() ?? []).map(hostTool)], settings().tools);
  }

  get commands(): readonly SavedPrompt[] {
    return allCommands(this.#needs.settings().prompts);
  }

  read(asked: Asked, signal: AbortSignal): Promise<Question> {
    const { settings, turnsOf } = this.#needs;
    const sources = { files: this.files, mostBytes: settings().attachmentBytes, turnsOf };
    return readQuestion(asked, this.commands, sources, signal);
  }

  /** What a conversation begins with stays as it is, byte for byte, until the user changes what is offered. */
  settle(
    opened: Opened | undefined,
    choices: Omit<Choices, "type" | "at">,
    table: ToolTable,
  ): Promise<Settled> {
    const { workspace, settings, now, newId } = this.#needs;
    const { webSearch, instructions: standing } = settings();
    const offered = workspace.trusted && workspace.folders.length > 0 ? table.definitions() : [];
    const wantsSearch = choices.webSearch ?? webSearch;
    const needs = { workspace, files: this.files, offered, wantsSearch, standing };
    return settle(opened, needs, { at: now(), cacheId: newId() });
  }
}
