// What other services really answered (test/fixtures/real-wire, foreign-wire): facts from public repositories, cut to what
// matters, with their source. Those of foreign-wire were written by somebody who did not know this client.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface RealRefusal {
  readonly name: string;
  readonly source: string;
  readonly service: string;
  readonly kind: "refusal";
  readonly wire: "responses" | "chat";
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly request: { readonly has: readonly string[] };
  readonly expect: {
    /** What a person should understand. */
    readonly problem: string;
    /** `no`, `as it is after a wait`, `without X`, or `without all that the interface does not show`. */
    readonly tryAgain: string;
    /** `X is not taken`. */
    readonly learned: string | null;
    /** Seconds. */
    readonly wait: number | null;
  };
}

export interface RealStream {
  readonly name: string;
  readonly source: string;
  readonly service: string;
  readonly kind: "stream";
  readonly wire: "responses" | "chat";
  readonly lines: readonly string[];
  readonly expect: {
    readonly text: string;
    readonly reasoning: string | null;
    readonly calls: readonly {
      readonly name: string;
      readonly input?: string;
      readonly arguments?: string;
    }[];
    readonly usage: { readonly input: number; readonly output: number } | null;
    /** `complete`, `cut`, or `error: words`. */
    readonly end: string;
  };
}

export const folders = ["real-wire", "foreign-wire"] as const;

export function readWire(folder: (typeof folders)[number]): readonly (RealRefusal | RealStream)[] {
  const at = join("test/fixtures", folder);
  return readdirSync(at)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => {
      const name = `${folder}/${file.slice(0, -".json".length)}`;
      const read: unknown = JSON.parse(readFileSync(join(at, file), "utf8"));
      const all = (Array.isArray(read) ? read : [read]) as (RealRefusal | RealStream)[];
      return all.map((one, index) => ({ ...one, name: all.length > 1 ? `${name} ${index + 1}` : name }));
    });
}
