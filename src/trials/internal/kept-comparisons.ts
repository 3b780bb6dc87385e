// Where comparisons are kept: one file each in the extension's storage, replaced as a whole after every step.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { cacheFile, Document } from "../../store/documents.ts";
import { type FileSystem, WriterLock } from "../../store/file-system.ts";
import { asObject, isObject } from "../../util/json.ts";
import { type Comparison, ComparisonStop } from "./comparison.ts";

interface KeptComparisons {
  /**
   * Makes this window the only one that goes on with a comparison, until `release`. What a window holds that is gone is
   * free.
   * @throws ComparisonStop if another window does, or has gone on with it since this one has read it.
   */
  hold(comparison: Comparison): Promise<void>;
  release(id: string): Promise<void>;
  /** Those of a folder, newest first. */
  of(path: string): Promise<readonly Comparison[]>;
  /** @throws ComparisonStop if another window has kept it since. */
  keep(comparison: Comparison): Promise<void>;
  /** Writes its page, which outlives the window like any file; returns where it is. */
  writePage(comparison: Comparison, page: string): Promise<string>;
}

export function keptComparisons(fs: FileSystem, storage: string): KeptComparisons {
  const place = join(storage, "comparisons");
  const fileOf = (id: string) => cacheFile(fs, join(place, `${id}.json`));
  /** By ids: as this window has read or written them last. */
  const known = new Map<string, string>();
  /** They stay while another window has them: that one is gone is seen by looking again. */
  const leases = new Map<string, WriterLock>();
  const refuseOther = async (id: string) => {
    const kept = (await fileOf(id).load())["comparison"];
    if (kept !== undefined && JSON.stringify(kept) !== known.get(id)) throw new ComparisonStop("elsewhere");
  };
  return {
    async hold({ id }) {
      await fs.makeFolder(place);
      const lease = leases.get(id) ?? new WriterLock(fs, join(place, `${id}.lock`));
      leases.set(id, lease);
      if (!(await lease.acquire())) throw new ComparisonStop("elsewhere");
      await refuseOther(id);
    },
    async release(id) {
      await leases.get(id)?.release();
    },
    async of(path) {
      const names = await readdir(place).catch(() => []);
      const all = names
        .filter((name) => /^[\w-]+\.json$/.test(name))
        .map(async (name) => readComparison((await cacheFile(fs, join(place, name)).load())["comparison"]));
      const own = (await Promise.all(all)).filter((each) => each?.path === path);
      for (const each of own) if (each !== undefined) known.set(each.id, JSON.stringify(each));
      return own.flatMap((each) => each ?? []).toSorted((one, other) => other.at - one.at);
    },
    async writePage({ id, at }, page) {
      const day = new Date(at).toISOString().slice(0, 10);
      const path = join(place, `model-comparison-${day}-${id.slice(0, 8)}.md`);
      await new Document<string>(fs, path, asText).write(page);
      return path;
    },
    async keep(comparison) {
      const { id } = comparison;
      await refuseOther(id);
      await fileOf(id).save({ version: 1, comparison });
      known.set(id, JSON.stringify(comparison));
    },
  };
}

const asText = { encode: (text: string) => text, decode: (value: string) => ({ value, isWhole: true }) };

/** The file is sealed, so that what is in it is what was written; `undefined` for one of another version. */
function readComparison(value: unknown): Comparison | undefined {
  const read = asObject(value);
  const lists = ["contestants", "tried", "runs"].every((name) => Array.isArray(read?.[name]));
  const isWhole =
    typeof read?.["id"] === "string" && typeof read["at"] === "number" && isObject(read["unfit"]);
  return lists && isWhole ? (read as unknown as Comparison) : undefined;
}
