// What a person has chosen for one conversation: its model, what it may search, how long its beginning is kept, how much is
// generated, what each tool may do. What was not chosen here is as the settings say at that moment.
import type { ServiceClient } from "../api/service-client.ts";
import { type Model, type Route, routeOf } from "../conversation/models.ts";
import { doubleOutputLimit } from "../conversation/output-limit.ts";
import type { Permission } from "../conversation/permission.ts";
import type { CacheTier, Chosen } from "../conversation/record.ts";
import { type OtherTool, otherTools } from "../tools/other-tools.ts";
import type { SessionContext } from "./session-context.ts";
import type { Turns } from "./turns.ts";

export interface SessionChoicesDeps
  extends Pick<SessionContext, "settings" | "defaultModel" | "hostTools" | "approvedTools"> {
  readonly client: Pick<ServiceClient, "acceptedEfforts">;
  /** The turns by now: what is chosen is kept with them. */
  turns(): Pick<Turns, "state" | "choices" | "choose">;
  changed(): void;
}

export class SessionChoices {
  readonly #deps: SessionChoicesDeps;
  #model: string | undefined;

  constructor(deps: SessionChoicesDeps) {
    this.#deps = deps;
  }

  get model(): string {
    const { turns, defaultModel } = this.#deps;
    return this.#model ?? turns().state.turns.at(-1)?.model ?? defaultModel();
  }

  /** Those to choose from. */
  get models(): readonly Model[] {
    return this.#deps.settings().models;
  }

  /** How the chosen one is spoken to. */
  get route(): Route {
    return routeOf(this.model, this.models);
  }

  get webSearch(): boolean {
    return this.#chosen.webSearch ?? this.#deps.settings().webSearch;
  }

  get cacheTier(): CacheTier {
    return this.#chosen.cacheTier ?? this.#deps.settings().limits.cacheTtl ?? "default";
  }

  /** Tokens to generate; absent: the service's own limit. */
  get outputLimit(): number | undefined {
    const { outputLimit = this.#deps.settings().limits.outputTokens } = this.#chosen;
    return outputLimit ?? undefined;
  }

  /** How much it reasons; empty: as the service does by itself. */
  get effort(): string {
    return this.#chosen.effort ?? this.#deps.settings().limits.effort ?? "";
  }

  /** Those to choose from, what the service is known to take first: the interface names none. */
  get efforts(): readonly string[] {
    const { settings, client } = this.#deps;
    const own = [settings().limits.effort ?? "", this.effort];
    return [...new Set(["", ...client.acceptedEfforts(), "low", "medium", "high", ...own])];
  }

  /** Responses are JSON. */
  get json(): boolean {
    return this.#chosen.json === true;
  }

  /** Tools of other extensions and of MCP servers, and what each may do in this conversation. */
  get otherTools(): readonly OtherTool[] {
    const { hostTools, settings, approvedTools } = this.#deps;
    return otherTools(hostTools(), settings().tools, approvedTools, this.#chosen.tools ?? {});
  }

  chooseModel(id: string): void {
    this.#model = id;
    this.#deps.changed();
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

  /** `undefined`: none. */
  chooseOutputLimit(tokens: number | undefined): void {
    this.#choose({ outputLimit: tokens ?? null });
  }

  /** An answer that reached the limit may become twice as long. */
  doubleOutputLimit(): void {
    this.chooseOutputLimit(doubleOutputLimit(this.outputLimit));
  }

  /** By their whole names; what is not named may do what the settings say. */
  chooseTools(tools: Readonly<Record<string, Permission>>): void {
    // Who lets a tool run by itself lets this one, as it is now.
    for (const { name, identity } of this.otherTools)
      if (tools[name] === "auto") this.#deps.approvedTools.add(identity);
    this.#choose({ tools });
  }

  get #chosen(): Chosen {
    return this.#deps.turns().choices;
  }

  #choose(chosen: Chosen): void {
    this.#deps.turns().choose(chosen);
    this.#deps.changed();
  }
}
