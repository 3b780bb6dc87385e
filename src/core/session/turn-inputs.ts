// What turns are made from at this moment: the files behind their guard, the tools that are allowed, the custom commands,
// and how questions and frozen beginnings are read from all that. Keeps nothing.

import type { ChangeSet } from "../changes/change-set.ts";
import { overlayOn } from "../changes/overlay.ts";
import type { Workspace } from "../changes/workspace.ts";
import type { Content } from "../conversation/content.ts";
import type { Chosen, Opened } from "../conversation/record.ts";
import type { SavedPrompt } from "../conversation/saved-prompt.ts";
import type { Turn } from "../conversation/state.ts";
import { type GuardedFiles, guardFiles } from "../files/guarded-files.ts";
import { createProtection, type Protection } from "../files/protected-files.ts";
import { message } from "../messages/message.ts";
import { hostTool } from "../tools/host-tool.ts";
import { ownTools } from "../tools/own-tools.ts";
import { runChecks } from "../tools/run-checks.ts";
import type { ToolWorld } from "../tools/tool.ts";
import { createToolTable, type ToolTable } from "../tools/tool-table.ts";
import { type Settled, settle } from "../turn/instructions.ts";
import { type Asked, type Question, readQuestion } from "../turn/question-items.ts";
import { allCommands, calledIn } from "../turn/slash-commands.ts";
import type { AskPerson } from "./confirmations.ts";
import type { SessionContext } from "./session-context.ts";

export interface TurnInputDeps extends SessionContext {
  /** For attachments; `undefined` when that conversation is gone. */
  turnsOf(conversation: string): Promise<readonly Turn[] | undefined>;
  /** Asked with its own words and what is attached alone: no tools, no search. */
  isBare?(): boolean;
}

export class TurnInputs {
  readonly #deps: TurnInputDeps;

  constructor(deps: TurnInputDeps) {
    this.#deps = deps;
  }

  get files(): GuardedFiles {
    return this.#filesOf(this.#deps.workspace);
  }

  /** What is read of another view of it; its rules are those of the files themselves. */
  #filesOf(view: Workspace): GuardedFiles {
    const { workspace, settings, heldBack } = this.#deps;
    return guardFiles(view, () => settings().privacy, heldBack, workspace);
  }

  /** What tools see: the files, and over them what is proposed. */
  async world(changes: Pick<ChangeSet, "overlaid">): Promise<ToolWorld> {
    const { workspace, proposed } = await overlayOn(this.#deps.workspace, changes);
    return { workspace, files: this.#filesOf(workspace), proposed };
  }

  get protection(): Protection {
    return createProtection(this.#deps.settings().protection);
  }

  table({ tools = {} }: Chosen): ToolTable {
    const { settings, hostTools, approvedTools, checkHost } = this.#deps;
    const checks = checkHost?.hasAny === true ? [runChecks] : [];
    const all = [...ownTools, ...checks, ...hostTools().map(hostTool)];
    return createToolTable(all, settings().tools, approvedTools, new Map(Object.entries(tools)));
  }

  get commands(): readonly SavedPrompt[] {
    const { settings, prompts } = this.#deps;
    return allCommands(settings().prompts, prompts.usable);
  }

  /** A prompt of the workspace is used by nobody who has not seen what it says. */
  async mayUse(words: string, ask: AskPerson, signal: AbortSignal): Promise<boolean> {
    const { prompts, settings } = this.#deps;
    const name = calledIn(words);
    const isOwn = allCommands(settings().prompts).some((each) => each.name === name);
    if (name === undefined || isOwn) return true;
    await prompts.look();
    const unseen = prompts.unseen(name);
    if (unseen === undefined) return true;
    const question = {
      kind: "limit",
      message: message("questionFirstUse", { name, path: unseen.path }),
      detail: unseen.prompt,
      actions: ["send-anyway", "keep-draft"],
    } as const;
    if ((await ask({ ...question, actions: [...question.actions] }, signal)) !== "send-anyway") return false;
    prompts.accept(unseen.prompt);
    return true;
  }

  read(asked: Asked, model: string, signal: AbortSignal): Promise<Question> {
    const { settings, turnsOf, countTokens } = this.#deps;
    const sources = {
      files: this.files,
      maxBytes: settings().attachmentBytes,
      turnsOf,
      countTokens: (content: Content) => countTokens(content, model),
    };
    return readQuestion(asked, this.commands, sources, signal);
  }

  /** What a conversation begins with stays as it is, byte for byte, until the user changes what is offered. */
  settle(opened: Opened | undefined, choices: Chosen, table: ToolTable, model: string): Promise<Settled> {
    const { workspace, settings, countTokens, isBare, now, newId } = this.#deps;
    const { webSearch, instructions: standing } = settings();
    const bare = isBare?.() === true;
    const hasTools = !bare && workspace.trusted && workspace.folders.length > 0;
    const offered = hasTools ? table.definitions() : [];
    const count = (text: string) => countTokens({ kind: "text", text }, model);
    const wantsSearch = !bare && (choices.webSearch ?? webSearch);
    const deps = { workspace, files: this.files, offered, wantsSearch, standing, count };
    return settle(opened, deps, { at: now(), cacheId: newId() });
  }
}
