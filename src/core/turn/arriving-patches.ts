// Patches while the model still writes them: which files, how many lines so far. For the eye only; nothing of it is
// ever applied, and a patch that stops arriving is shown as stopped.
import type { ReplyEvent } from "../api/reply.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { PatchFile } from "../conversation/tool-use.ts";
import type { FileSection } from "../patch/model.ts";
import { PatchParser } from "../patch/parse.ts";

interface Arriving {
  readonly parser: PatchParser;
  /** Sections and hunks that were told last. */
  told: number;
}

export class ArrivingPatches {
  readonly #patches = new Map<string, Arriving>();

  /** An event when there is news worth drawing: another file, or many more hunks. */
  take(turn: string, request: number, event: ReplyEvent): ConversationEvent | undefined {
    if (event.type === "call" && event.name === "apply_patch") {
      this.#patches.set(event.item, { parser: new PatchParser(), told: 0 });
      return {
        type: "patch",
        turn,
        part: `${request}/${event.item}`,
        call: "",
        status: "arriving",
        files: [],
      };
    }
    const patch = event.type === "call-input" ? this.#patches.get(event.item) : undefined;
    if (patch === undefined || event.type !== "call-input") return undefined;
    patch.parser.feed(event.delta);
    const { sections } = patch.parser;
    const news = sections.length + Math.floor(Math.log2(1 + hunksOf(sections)));
    if (news === patch.told) return undefined;
    patch.told = news;
    const files = sections.map(viewSection);
    return { type: "patch", turn, part: `${request}/${event.item}`, call: "", status: "arriving", files };
  }
}

const hunksOf = (sections: readonly FileSection[]): number =>
  sections.reduce((sum, section) => sum + (section.kind === "update" ? section.hunks.length : 0), 0);

function viewSection(section: FileSection): PatchFile {
  const { path, kind } = section;
  if (kind === "add") return { path, change: "add", added: section.lines.length, removed: 0, hunks: [] };
  if (kind === "delete") return { path, change: "delete", added: 0, removed: 0, hunks: [] };
  const lines = section.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: "added" | "removed") => lines.filter((line) => line.kind === sign).length;
  const counts = { added: count("added"), removed: count("removed"), hunks: [] };
  if (section.moveTo === undefined) return { path, change: "update", ...counts };
  return { path, change: "move", to: section.moveTo, ...counts };
}
