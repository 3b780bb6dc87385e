// Patches while the model still writes them: which files, how many lines so far. For the eye only; nothing of it is
// ever applied, and a patch that stops arriving is shown as stopped.
import type { ReplyEvent } from "../api/reply.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { PatchFile, PatchHunk } from "../conversation/tool-use.ts";
import type { FileSection, Hunk } from "../patch/model.ts";
import { PatchParser } from "../patch/parse.ts";
import { hunkName } from "../tools/patch-view.ts";

interface Arriving {
  readonly parser: PatchParser;
  /** How many characters of it were read. */
  read: number;
  /** How much of it was told last. */
  reported: number;
  settled: Settled;
}

/** The files that were told as they will stay: what else arrives comes after them. */
interface Settled {
  readonly files: number;
  readonly hunks: number;
  readonly lines: number;
  /** What is left for the lines of the others. */
  readonly room: number;
}

/** What arrives at once is read at once, and may be a whole patch of the largest size. */
const maxRead = 256 * 1024;
/** Enough to see where it goes; the whole of it comes with the proposal. */
const maxDiff = 8 * 1024;

export class ArrivingPatches {
  readonly #patches = new Map<string, Arriving>();

  /** An event when there is news worth drawing: another file, or many more hunks or lines. It says what is new. */
  take(turn: string, request: number, event: ReplyEvent): ConversationEvent | undefined {
    if (event.type === "call" && event.name === "apply_patch") {
      const settled = { files: 0, hunks: 0, lines: 0, room: maxDiff };
      this.#patches.set(event.item, { parser: new PatchParser(), read: 0, reported: 0, settled });
      return arrived(turn, `${request}/${event.item}`, []);
    }
    const patch = event.type === "call-input" ? this.#patches.get(event.item) : undefined;
    if (patch === undefined || event.type !== "call-input") return undefined;
    patch.read += event.delta.length;
    if (patch.read > maxRead) return undefined;
    patch.parser.feed(event.delta);
    const { sections } = patch.parser;
    const { files: from } = patch.settled;
    const { files, hunks, lines } = sections.slice(from).reduce(counted, patch.settled);
    const news = files + Math.floor(Math.log2(1 + hunks)) + Math.floor(Math.log2(1 + lines));
    if (news === patch.reported) return undefined;
    patch.reported = news;
    const shown: PatchFile[] = [];
    for (const [at, section] of sections.slice(from).entries()) {
      const { file, room } = viewed(section, patch.settled.room);
      shown.push(file);
      // The last one may still grow.
      if (from + at < sections.length - 1) patch.settled = { ...counted(patch.settled, section), room };
    }
    return arrived(turn, `${request}/${event.item}`, shown, from);
  }
}

const arrived = (turn: string, id: string, files: PatchFile[], from?: number): ConversationEvent => ({
  ...{ type: "patch", turn, id, call: "", status: "arriving", files },
  ...(from !== undefined && { from }),
});

function counted({ room, ...sum }: Settled, section: FileSection): Settled {
  const hunks = section.kind === "update" ? section.hunks : [];
  const lines = hunks.reduce((all, hunk) => all + hunk.lines.length, sum.lines);
  return { files: sum.files + 1, hunks: sum.hunks + hunks.length, lines, room };
}

/** `room`: what its lines may take, and what they leave. */
function viewed(section: FileSection, room: number): { file: PatchFile; room: number } {
  let left = room;
  const file = viewSection(section);
  const hunks = file.hunks.map(({ diff = "", ...hunk }) => {
    left -= diff.length;
    return left < 0 ? hunk : { ...hunk, diff };
  });
  return { file: { ...file, hunks }, room: left };
}

function viewSection(section: FileSection): PatchFile {
  const { path, kind } = section;
  if (kind === "add") return { path, change: "add", added: section.lines.length, removed: 0, hunks: [] };
  if (kind === "delete") return { path, change: "delete", added: 0, removed: 0, hunks: [] };
  const hunks = section.hunks.map((hunk, number) => viewUnplaced(hunk, hunkName(path, number)));
  const count = (sign: "added" | "removed") => hunks.reduce((sum, hunk) => sum + hunk[sign], 0);
  const counts = { added: count("added"), removed: count("removed"), hunks };
  if (section.moveTo === undefined) return { path, change: "update", ...counts };
  return { path, change: "move", to: section.moveTo, ...counts };
}

const signs = { context: " ", removed: "-", added: "+" } as const;

/** A hunk as the patch has it: it has no place in the file yet. */
function viewUnplaced({ lines }: Hunk, id: string): PatchHunk {
  const count = (sign: "added" | "removed") => lines.filter(({ kind }) => kind === sign).length;
  const diff = lines.map(({ kind, text }) => `${signs[kind]}${text}\n`).join("");
  return { id, status: "pending", added: count("added"), removed: count("removed"), diff };
}
