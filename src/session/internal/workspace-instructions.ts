// What the workspace's own files say to models, as far as a person has agreed to it: instructions at the beginning and
// with the files that they are for, and skills.
import type { Opened } from "../../conversation/events.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import type { SkillReader } from "../../tools/tool.ts";
import { nameOfReadSkill } from "../../tools/tool-table.ts";
import { present } from "../../util/present.ts";
import type { SessionContext, ToldFile } from "../session-context.ts";
import type { AskPerson } from "../spend-guard.ts";
import { type FileRule, fileRules, type InstructionFile, standingInstructions } from "./instruction-files.ts";
import { findSkills, readSkill, type Skill } from "./skills.ts";
import { instructionsToTell, type ToldInstructions } from "./told-instructions.ts";

interface WorkspaceInstructionsDeps extends SessionContext {
  /** If set, nothing of the workspace's own is told. */
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
  async agree(ask: AskPerson, signal: AbortSignal): Promise<boolean> {
    if (!this.#deps.settings().instructions.workspaceFile) return true;
    const found = [
      ...(await standingInstructions(this.#readable)),
      ...(await fileRules(this.#readable)),
      ...(await findSkills(this.#readable)),
    ];
    return this.#deps.consent.settle(found, (question) => ask(question, signal), true);
  }

  /** Those of the beginning that a person has agreed to. */
  async standing(): Promise<readonly InstructionFile[]> {
    const files = await standingInstructions(this.#readable);
    return files.filter((file) => this.#deps.consent.has(file));
  }

  /** Looks which skills there are for a conversation; in one that began without, there are none. */
  async lookForSkills(opened: Opened | undefined): Promise<void> {
    const began = opened === undefined || opened.tools.length === 0;
    const isKnown = opened?.tools.some((tool) => tool.includes(`"name":"${nameOfReadSkill}"`)) === true;
    const { settings, consent } = this.#deps;
    const found =
      (began || isKnown) && settings().instructions.workspaceFile ? await findSkills(this.#readable) : [];
    this.#skills = found.filter((skill) => consent.has(skill));
    this.#readsSkills = isKnown || this.#skills.length > 0;
  }

  /** What a model is told of files, now or later, without instructions of folders, which are found with their files. */
  async toldFiles(): Promise<readonly ToldFile[]> {
    const { consent, prompts, settings } = this.#deps;
    const isWanted = settings().instructions.workspaceFile;
    const all = {
      always: isWanted ? await standingInstructions(this.#readable) : [],
      fitting: isWanted ? await fileRules(this.#readable) : [],
      needed: isWanted ? await findSkills(this.#readable) : [],
    };
    await prompts.look();
    const told = (["always", "fitting", "needed"] as const).flatMap((when) =>
      all[when].map((file) => ({
        path: file.path,
        when,
        applyTo: file.applyTo,
        isAgreed: consent.has(file),
      })),
    );
    return [...told, ...prompts.files.map((file) => ({ ...file, when: "used" as const }))];
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
      this.#lastRules = { at: now(), rules: fileRules(this.#readable) };
    return this.#lastRules.rules;
  }
}
