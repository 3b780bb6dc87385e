// What a person has chosen for one conversation: model, web search, cache lifetime, output limit, tool permissions. For
// anything not chosen here the current settings apply.

import type { CacheTier, Chosen } from "../../conversation/events.ts";
import {
  doubleOutputLimit,
  type Model,
  type Permission,
  type Route,
  routeOf,
} from "../../conversation/models.ts";
import type { ServiceClient } from "../../service/service-client.ts";
import { type OtherTool, otherTools } from "../../tools/tool-table.ts";
import type { SessionContext } from "../session-context.ts";
import type { ConversationState } from "./conversation-state.ts";
import { type CustomAgent, modelOfAgent, type WorkspaceAgents } from "./custom-agents.ts";

interface SessionChoicesDeps
  extends Pick<SessionContext, "settings" | "defaultModel" | "hostTools" | "approvedTools" | "agents"> {
  readonly client: Pick<ServiceClient, "acceptedEfforts">;
  /** The conversation as it is open now; its journal stores the choices. */
  conversation(): Pick<ConversationState, "state" | "choices" | "choose" | "opened" | "requests">;
  changed(): void;
}

export class SessionChoices {
  readonly #deps: SessionChoicesDeps;
  #model: string | undefined;

  constructor(deps: SessionChoicesDeps) {
    this.#deps = deps;
  }

  get model(): string {
    const { conversation, defaultModel } = this.#deps;
    return this.#model ?? conversation().state.turns.at(-1)?.model ?? defaultModel();
  }

  /** The models to choose from. */
  get models(): readonly Model[] {
    return this.#deps.settings().models;
  }

  /** The API route of the chosen model. */
  get route(): Route {
    return routeOf(this.model, this.models);
  }

  /** The model's context window in tokens, if the user or the service has specified it. */
  get contextWindow(): number | undefined {
    return this.#deps.conversation().requests.window(this.model);
  }

  get webSearch(): boolean {
    return this.#chosen.webSearch ?? this.#deps.settings().webSearch;
  }

  get cacheTier(): CacheTier {
    return this.#chosen.cacheTier ?? this.#deps.settings().limits.cacheTtl ?? "default";
  }

  /** Maximum output tokens; absent: the service's own limit. */
  get outputLimit(): number | undefined {
    const { outputLimit = this.#deps.settings().limits.outputTokens } = this.#chosen;
    return outputLimit ?? undefined;
  }

  /** Reasoning effort; empty: the service's default. */
  get effort(): string {
    return this.#chosen.effort ?? this.#deps.settings().limits.effort ?? "";
  }

  /**
   * The efforts to choose from. Those the service is known to accept come first, because the interface does not list
   * them.
   */
  get efforts(): readonly string[] {
    const { settings, client } = this.#deps;
    const own = [settings().limits.effort ?? "", this.effort];
    return [...new Set(["", ...client.acceptedEfforts(), "low", "medium", "high", ...own])];
  }

  /** Whether responses are JSON. */
  get json(): boolean {
    return this.#chosen.json === true;
  }

  /** Custom agents of the workspace. */
  get agents(): WorkspaceAgents {
    return this.#deps.agents;
  }

  /** The agent of this conversation. `isFixed`: it has begun, and stays with what it began with. */
  get agent(): { readonly path?: string; readonly name?: string; readonly isFixed: boolean } {
    const { opened } = this.#deps.conversation();
    if (opened !== undefined) return { ...opened.agent, isFixed: true };
    const chosen = this.agents.list.find(({ path }) => path === this.#chosen.agent);
    return { ...(chosen && { path: chosen.path, name: chosen.name }), isFixed: false };
  }

  /** The model that an agent is meant for, if it is here. */
  modelOf(agent: CustomAgent): Model | undefined {
    return modelOfAgent(agent, this.models);
  }

  /** Whether the model may only look and plan until the user says Go. */
  get planFirst(): boolean {
    return this.#chosen.planFirst === true;
  }

  /** Tools of other extensions and MCP servers with their permissions in this conversation. */
  get otherTools(): readonly OtherTool[] {
    const { hostTools, settings, approvedTools } = this.#deps;
    return otherTools(hostTools(), settings().tools, approvedTools, this.#chosen.tools ?? {});
  }

  chooseModel(id: string): void {
    this.#model = id;
    this.#deps.changed();
  }

  /** Takes the model that the agent is meant for, if there is one; `undefined`: no agent. */
  chooseAgent(path: string | undefined): void {
    const agent = this.agents.list.find((each) => each.path === path);
    if (this.agent.isFixed || (path !== undefined && agent === undefined)) return;
    this.#model = (agent && this.modelOf(agent)?.id) ?? this.#model;
    this.#choose({ agent: path ?? null });
  }

  chooseWebSearch(webSearch: boolean): void {
    this.#choose({ webSearch });
  }

  chooseCacheTier(cacheTier: CacheTier): void {
    this.#choose({ cacheTier });
  }

  chooseEffort(effort: string): void {
    this.#choose({ effort });
  }

  chooseJson(json: boolean): void {
    this.#choose({ json });
  }

  choosePlanFirst(planFirst: boolean): void {
    this.#choose({ planFirst });
  }

  /** `undefined`: no limit. */
  chooseOutputLimit(tokens: number | undefined): void {
    this.#choose({ outputLimit: tokens ?? null });
  }

  /** Allows a response that reached the limit to become twice as long. */
  doubleOutputLimit(): void {
    this.chooseOutputLimit(doubleOutputLimit(this.outputLimit));
  }

  /** Sets permissions by full tool name; tools that are not named follow the settings. */
  chooseTools(tools: Readonly<Record<string, Permission>>): void {
    // Allowing a tool to run without asking approves the tool as it is now.
    for (const { name, identity } of this.otherTools)
      if (tools[name] === "auto") this.#deps.approvedTools.add(identity);
    this.#choose({ tools });
  }

  get #chosen(): Chosen {
    return this.#deps.conversation().choices;
  }

  #choose(chosen: Chosen): void {
    this.#deps.conversation().choose(chosen);
    this.#deps.changed();
  }
}
