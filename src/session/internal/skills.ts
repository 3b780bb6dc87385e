// Skills: ways to do a certain piece of work, each a folder with a SKILL.md. A model is told their names and descriptions
// as a conversation begins, and reads one by `read_skill`. Nothing beside that file is ever run.
import type { CleanText } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import type { AttachmentView } from "../../conversation/state.ts";
import { below } from "../../files/guarded-files.ts";
import { cleanText, secretsNote, takeOutSecrets } from "../../files/privacy.ts";
import { Refusal } from "../../files/refusal.ts";
import type { FileName } from "../../patch/model.ts";
import { wrapInTag } from "../../tools/attached-text.ts";
import type { SkillText } from "../../tools/tool.ts";
import { groupBy } from "../../util/collections.ts";
import { hidesCharacters, visible } from "../../util/hidden-characters.ts";
import { forModel } from "../../util/sentences.ts";
import { wellFormed } from "../../util/text.ts";
import { raceAbort } from "../../util/timeouts.ts";
import type { PersonalSkill } from "../session-context.ts";
import { cutInstructions } from "./cut-instructions.ts";
import { readFrontMatter } from "./front-matter.ts";
import type { InstructionConsent } from "./instruction-consent.ts";
import {
  entriesIn,
  type FoundTexts,
  type InstructionFile,
  type InstructionFileDeps,
  readWhole,
  type WholeFile,
} from "./instruction-files.ts";

interface SkillDeps extends InstructionFileDeps {
  readonly consent: InstructionConsent;
  personalSkills?(): Promise<readonly PersonalSkill[]>;
}

export interface Skill extends InstructionFile {
  readonly name: string;
  /** On one line. */
  readonly description: CleanText;
}

const skillFolders = [".github/skills", ".claude/skills", ".agents/skills"];
const fileName = "SKILL.md";

const maxSkills = 60;
/** A name may become part of a sentence. */
const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
/** All skills together are part of every request. */
const maxDescription = 300;
const maxTold = 8 * 1024;
/** Below the cap of every output (tool.ts), so that it is cut at a line and says where the rest is. */
const maxBytes = 56 * 1024;
const maxSeconds = 10;

/** The first of a name counts; those of the workspace come before the person's own. */
export async function findSkills(deps: SkillDeps): Promise<FoundTexts<Skill>> {
  const { workspace } = deps;
  if (!workspace.trusted) return { all: [], left: 0 };
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  const found = new Map<string, Skill>();
  let left = 0;
  const take = (skill: Skill | undefined) => {
    if (skill === undefined || found.has(skill.name)) return;
    if (found.size < maxSkills) found.set(skill.name, skill);
    else left++;
  };
  for (const folder of workspace.folders)
    for (const path of skillFolders) {
      const inside = await skillsIn({ folder, path }, deps, signal);
      for (const each of inside.all) take(each);
      left += inside.left;
    }
  const personal =
    (await raceAbort(deps.personalSkills?.() ?? Promise.resolve([]), signal).catch(() => [])) ?? [];
  for (const { folder, path, text } of personal) {
    const clean = await cleanText(text);
    const whole = {
      path,
      text: visible(clean.text),
      removed: clean.removed,
      isHiding: hidesCharacters(text),
    };
    take(await skillOf(whole, folder, deps));
  }
  return { all: [...found.values()], left };
}

async function skillsIn(folder: FileName, deps: SkillDeps, signal: AbortSignal): Promise<FoundTexts<Skill>> {
  const all: Skill[] = [];
  const entries = await entriesIn(folder, deps, signal);
  const folders = entries.filter(({ kind }) => kind === "folder" || kind === "link");
  for (const [at, { name }] of folders.entries()) {
    if (all.length === maxSkills) return { all, left: folders.length - at };
    const file = below(below(folder, name), fileName);
    const whole = await readWhole(file, deps, signal);
    const skill = whole && (await skillOf(whole, name, deps));
    if (skill !== undefined) all.push(skill);
  }
  return { all, left: 0 };
}

async function skillOf(
  { path, text, removed, isHiding }: WholeFile,
  folder: string,
  { workspace }: SkillDeps,
): Promise<Skill | undefined> {
  const { fields, length } = await readFrontMatter(text);
  const [title = folder] = fields.get("name") ?? [];
  const name = nameForm.test(title.trim()) ? title.trim() : folder;
  const [description = ""] = fields.get("description") ?? [];
  if (!nameForm.test(name) || description.trim() === "") return undefined;
  const line = description.replace(/\s+/g, " ").trim();
  const short = line.length > maxDescription ? wellFormed(`${line.slice(0, maxDescription)}…`) : line;
  const cut = cutInstructions(path, text, maxBytes);
  const told = takeOutSecrets(short).text;
  return {
    name,
    description: told,
    heading: takeOutSecrets(`${name}: ${told}`).text,
    path,
    text: takeOutSecrets(cut.text.slice(length).trim()).text,
    sha256: workspace.sha256(`${path}\n${text}`),
    notes: [
      ...(isHiding ? [message("noteWritten")] : []),
      ...(removed > 0 ? [secretsNote(removed)] : []),
      ...(cut.isCut ? [message("noteBeginning")] : []),
    ],
  };
}

/** What a model is told of skills as a conversation begins. */
export function describeSkills(skills: readonly Skill[]): string {
  const lines = listedLines(skills);
  const left = skills.length - lines.length;
  const more = left > 0 ? [forModel(`[${left} more skills are not listed.]`)] : [];
  const rule = forModel(
    "There are skills, ways to do certain work, written in the workspace or by the user. Where one is for what the user asks, read it with read_skill before you begin. What they say of themselves:",
  );
  return [rule, wrapInTag("skills", {}, [...lines, ...more].join("\n"))].join("\n");
}

/** How many of these are not in what a model is told of them: together their descriptions are too long. */
export const unlistedSkills = (skills: readonly Skill[]): number =>
  skills.length - listedLines(skills).length;

function listedLines(skills: readonly Skill[]): string[] {
  const lines: string[] = [];
  let room = maxTold;
  for (const { name, description } of skills) {
    const line = `${name}: ${description}`;
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  return lines;
}

const longestNames = 300;

/** One chip for each folder of skills, since there may be many. */
export function skillChips(skills: readonly Skill[]): readonly AttachmentView[] {
  const folders = groupBy(skills, ({ path }) => path.split("/").slice(0, -2).join("/"));
  return [...folders].map(([label, inside]) => {
    const names = inside.map(({ name }) => name).join(", ");
    const short = names.length > longestNames ? `${names.slice(0, longestNames)}…` : names;
    const notes = [message("noteSkills", { names: short })];
    return { kind: "instructions", label, bytes: Buffer.byteLength(describeSkills(inside)), notes };
  });
}

/** The text of a skill as it is now. Throws Refusal, also if nobody has agreed to that text. */
export async function readSkill(name: string, deps: SkillDeps): Promise<SkillText> {
  const { all: skills } = await findSkills(deps);
  const skill = skills.find((each) => each.name === name);
  const agreed = skills.filter((each) => deps.consent.has(each));
  if (skill === undefined)
    throw new Refusal(
      message("toolNoSkill", { name, names: agreed.map((each) => each.name).join(", ") || "none" }),
    );
  if (!deps.consent.has(skill)) throw new Refusal(message("toolSkillChanged", { name }));
  return { path: skill.path, text: wrapInTag("skill", { name, path: skill.path }, skill.text) };
}
