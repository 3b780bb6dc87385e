// Link reference definitions of one text and the readers that looked them up. A definition may arrive long after the
// text that uses it, or change while its own line is being written; then exactly the texts that looked up its label are
// drawn again.
import type { Targets } from "./block-stream.ts";
import type { Definitions, Target } from "./parser.ts";

export interface Reader {
  /** Called when a label that was looked up has changed. */
  again(): void;
}

export interface References {
  /** Calls `read` with definitions that record which labels are looked up. */
  ask<T>(reader: Reader, read: (definitions: Definitions) => T): T;
  forget(reader: Reader): void;
  update(defined: Targets, provisional: Targets): void;
}

export function createReferences(): References {
  const settled = new Map<string, Target>();
  const readers = new Map<string, Set<Reader>>();
  const asked = new Map<Reader, Set<string>>();
  let open: Targets = new Map();
  const targetOf = (label: string) => settled.get(label) ?? open.get(label);

  function forget(reader: Reader): void {
    for (const label of asked.get(reader) ?? []) readers.get(label)?.delete(reader);
    asked.delete(reader);
  }

  return {
    forget,
    ask(reader, read) {
      forget(reader);
      const labels = new Set<string>();
      const definitions = new Proxy<Definitions>(
        {},
        {
          get(_none, label) {
            if (typeof label === "symbol") return undefined;
            labels.add(label);
            return targetOf(label);
          },
        },
      );
      const answer = read(definitions);
      if (labels.size > 0) asked.set(reader, labels);
      for (const label of labels) {
        const all = readers.get(label) ?? new Set();
        readers.set(label, all.add(reader));
      }
      return answer;
    },
    update(defined, provisional) {
      if (defined.size === 0 && provisional.size === 0 && open.size === 0) return;
      const labels = [...new Set([...open.keys(), ...provisional.keys(), ...defined.keys()])];
      const before = labels.map(targetOf);
      // The first definition of a label wins.
      for (const [label, target] of defined) if (!settled.has(label)) settled.set(label, target);
      open = provisional;
      const changed = labels.filter((label, index) => !isSame(before[index], targetOf(label)));
      const affected = new Set(changed.flatMap((label) => [...(readers.get(label) ?? [])]));
      for (const reader of affected) reader.again();
    },
  };
}

const isSame = (one: Target | undefined, other: Target | undefined): boolean =>
  one?.href === other?.href && one?.title === other?.title;
