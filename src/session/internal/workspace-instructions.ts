// What the workspace's own files say to models, as far as a person has agreed to it: instructions at the beginning and
// with the files that they are for, skills, and the custom agent of a conversation.
import type { Chosen, Opened } from "../../conversation/events.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import type { SkillReader } from "../../tools/tool.ts";
import { hostTool, nameOfReadSkill } from "../../tools/tool-table.ts";
import { present } from "../../util/present.ts";
import type { SessionContext, ToldFile, ToldFiles } from "../session-context.ts";
import type { AskPerson } from "../spend-guard.ts";
import { type CustomAgent, findAgents, withAgentNotes } from "./custom-agents.ts";
import { type FileRule, fileRules, type InstructionFile, standingInstructions } from "./instruction-files.ts";
import { mayBeOpened } from "./opening.ts";
import { findSkills, readSkill, type Skill, unlistedSkills } from "./skills.ts";
import { instructionsToTell, type ToldInstructions } from "./told-instructions.ts";

interface WorkspaceInstructionsDeps extends SessionContext {
  /** If set, no agent is told, and nothing in the course of the conversation. */
  onlyTools?(): readonly string[] | undefined;
}

/** Milliseconds that rules are kept: they are asked for with each result of a tool. */
const rulesKept = 5000;

export class WorkspaceInstructions {
  readonly #deps: WorkspaceInstructionsDeps;
  readonly #files: () => GuardedFiles;
  /** Those that a person has agreed to, as last found. */
  #skills: readonly Skill[] = [];
  #lastRules: { readonly at: number; readonly rules: Promise<readonly FileRule[]> } | undefined;
  /** Whether the conversation has the tool for them. */
  #readsSkills = false;
  #agent: CustomAgent | undefined;
  #listedTools: readonly string[] | undefined;

  constructor(deps: WorkspaceInstructionsDeps, files: () => GuardedFiles) {
    this.#deps = deps;
    this.#files = files;
  }

  get skills(): readonly Skill[] {
    return this.#skills;
  }

  get readsSkills(): boolean {
    return this.#readsSkills;
  }

  /** The one that was chosen for a conversation that begins, if a person has agreed to it. */
  get agent(): CustomAgent | undefined {
    return this.#agent;
  }

  /** The tools that the agent of the conversation may use (agent-tools.ts); `undefined`: all. */
  get listedTools(): readonly string[] | undefined {
    return this.#listedTools;
  }

  /** For the tool that reads one. */
  get skillReader(): SkillReader {
    return { read: (name) => readSkill(name, this.#readable) };
  }

  /** Where they are read: from the workspace's files, without the proposals. */
  get #readable() {
    const { workspace, consent, personalSkills } = this.#deps;
    return { workspace, files: this.#files(), consent, ...present({ personalSkills }) };
  }

  /** Whether a person has agreed to what is told at the beginning of a conversation. */
  async agree(ask: AskPerson, signal: AbortSignal, { agent: chosen }: Chosen): Promise<boolean> {
    const { settings, consent, onlyTools } = this.#deps;
    if (!settings().instructions.workspaceFile) return true;
    const agent = onlyTools?.() === undefined ? await this.#chosenAgent(chosen) : undefined;
    // Choosing an agent again asks for consent again, even if its text was left out before.
    if (agent !== undefined) consent.reconsider(agent);
    const found = [
      ...(agent === undefined ? [] : [agent]),
      ...(await standingInstructions(this.#readable)),
      ...(await fileRules(this.#readable)).all,
      ...(await findSkills(this.#readable)).all,
    ];
    return consent.settle(found, (question) => ask(question, signal), true);
  }

  async #chosenAgent(chosen: string | null | undefined): Promise<CustomAgent | undefined> {
    if (chosen === undefined || chosen === null) return undefined;
    return (await findAgents(this.#readable)).all.find(({ path }) => path === chosen);
  }

  /** Those of the beginning that a person has agreed to. */
  async standing(): Promise<readonly InstructionFile[]> {
    const files = await standingInstructions(this.#readable);
    return files.filter((file) => this.#deps.consent.has(file));
  }

  /** Looks what there is for a conversation; one that has begun keeps its agent, and has skills only if it began so. */
  async look(opened: Opened | undefined, { agent: chosen }: Chosen): Promise<void> {
    const begins = mayBeOpened(opened);
    const isKnown = opened?.tools.some((tool) => tool.includes(`"name":"${nameOfReadSkill}"`)) === true;
    const { settings, consent, onlyTools, hostTools } = this.#deps;
    const isWanted = settings().instructions.workspaceFile;
    const { all: found } = (begins || isKnown) && isWanted ? await findSkills(this.#readable) : { all: [] };
    this.#skills = found.filter((skill) => consent.has(skill));
    this.#readsSkills = isKnown || this.#skills.length > 0;
    const isFree = opened === undefined && isWanted && onlyTools?.() === undefined;
    const agent = isFree ? await this.#chosenAgent(chosen) : undefined;
    const others = hostTools().map(hostTool);
    this.#agent =
      agent && consent.has(agent) ? withAgentNotes(agent, { models: settings().models, others }) : undefined;
    this.#listedTools = opened === undefined ? this.#agent?.tools : opened.agent?.tools;
  }

  /** What a model is told of files, now or later, without instructions of folders, which are found with their files. */
  async toldFiles(): Promise<ToldFiles> {
    const { consent, prompts, settings, hostTools } = this.#deps;
    const isWanted = settings().instructions.workspaceFile;
    const others = hostTools().map(hostTool);
    const none = { all: [], left: 0 };
    const standing = isWanted ? await standingInstructions(this.#readable) : [];
    const [rules, skills, agents] = isWanted
      ? [await fileRules(this.#readable), await findSkills(this.#readable), await findAgents(this.#readable)]
      : [none, none, none];
    await prompts.look();
    const all = {
      always: standing,
      fitting: rules.all,
      needed: skills.all,
      chosen: agents.all.map((agent) => withAgentNotes(agent, { models: settings().models, others })),
    };
    const told = (["always", "fitting", "needed", "chosen"] as const).flatMap((when) =>
      all[when].map(
        (file): ToldFile => ({
          path: file.path,
          when,
          applyTo: file.applyTo,
          notes: file.notes,
          isAgreed: consent.has(file),
        }),
      ),
    );
    return {
      files: [...told, ...prompts.files.map((file) => ({ ...file, when: "used" as const, notes: [] }))],
      left: { rules: rules.left, skills: skills.left, agents: agents.left },
      unlisted: unlistedSkills(skills.all.filter((skill) => consent.has(skill))),
    };
  }

  /** Instructions for these paths, which a model with these items has not been told. */
  async tell(
    paths: readonly string[],
    items: readonly string[],
    model: string,
    ask?: { readonly person: AskPerson; readonly signal: AbortSignal },
  ): Promise<readonly ToldInstructions[]> {
    const { settings, countTokens, onlyTools } = this.#deps;
    if (!settings().instructions.workspaceFile || onlyTools?.() !== undefined) return [];
    const count = (text: string) => countTokens({ kind: "text", text }, model);
    return instructionsToTell(paths, items, { ...this.#readable, count, rules: () => this.#rules() }, ask);
  }

  #rules(): Promise<readonly FileRule[]> {
    const { now } = this.#deps;
    if (this.#lastRules === undefined || Math.abs(now() - this.#lastRules.at) > rulesKept)
      this.#lastRules = { at: now(), rules: fileRules(this.#readable).then(({ all }) => all) };
    return this.#lastRules.rules;
  }
}
