// The stream corpus (test/fixtures/streams): one case is a body, how it was sent, and what must come of it. Bodies
// are bytes in a .sse file; those too large for a repository are built from the parts that the .json names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Usage } from "../../src/conversation/state.ts";
import type { ReplyStatus } from "../../src/service/reply.ts";

export type Route = "responses" | "chat";

export interface Expected {
  readonly status: ReplyStatus;
  readonly text?: string;
  /** Instead of the text, where it is very long. */
  readonly textLength?: number;
  readonly refusal?: string;
  readonly reasoning?: string;
  /** Name, call id, input and, if it has one, namespace. */
  readonly calls?: readonly (readonly string[])[];
  /** Call ids. */
  readonly runnable?: readonly string[];
  readonly usage?: Usage;
  /** Its kind. */
  readonly problem?: string;
  readonly reason?: string;
  readonly finish?: string;
  /** How many items were received whole. */
  readonly items?: number;
  /** The queries that were shown, and the sources. */
  readonly searches?: readonly string[];
  readonly sources?: readonly string[];
  /** What no item that goes back may contain. */
  readonly rawExcludes?: string;
  /** Requests over HTTP; one unless told. */
  readonly requests?: number;
}

interface Spec {
  readonly title: string;
  readonly http?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly end?: "reset";
  readonly body?: readonly Part[];
  /** False where a later form corrects an earlier one, so that text does not only grow. */
  readonly growing?: false;
  /** False where parts begin in another order than they stand in. */
  readonly inOrder?: false;
  /** False where a part of the body means something else than the whole. */
  readonly cuts?: false;
  /** The bytes are not the stream but its encoding: for HTTP only. */
  readonly encoded?: true;
  readonly expect: Expected;
}

type Part =
  | { readonly text: string }
  | { readonly repeat: string; readonly times: number }
  | { readonly gzip: readonly Part[] };

export interface StreamCase extends Omit<Spec, "body"> {
  readonly name: string;
  readonly route: Route;
  readonly isLarge: boolean;
  bytes(): Uint8Array;
}

const folder = join(process.cwd(), "test/fixtures/streams");

export function streamCases(): StreamCase[] {
  return (["responses", "chat"] as const).flatMap((route) =>
    readdirSync(join(folder, route))
      .filter((file) => file.endsWith(".json"))
      .sort()
      .map((file) => readCase(route, file.slice(0, -".json".length))),
  );
}

/** Those that can be read from memory, whole or in pieces. */
export const smallStreamCases = (): StreamCase[] =>
  streamCases().filter(({ isLarge, encoded }) => !isLarge && encoded !== true);

export const endOf = ({ end }: StreamCase): "clean" | "reset" => end ?? "clean";

function readCase(route: Route, stem: string): StreamCase {
  const path = join(folder, route, stem);
  const { body, ...spec } = JSON.parse(readFileSync(`${path}.json`, "utf8")) as Spec;
  if ((body === undefined) !== existsSync(`${path}.sse`)) throw new Error(`${path} needs one body.`);
  return {
    ...spec,
    name: `${route}/${stem}`,
    route,
    isLarge: body !== undefined,
    bytes: () => (body === undefined ? readFileSync(`${path}.sse`) : build(body)),
  };
}

function build(parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if ("text" in part) return Buffer.from(part.text);
      return "gzip" in part ? gzipSync(build(part.gzip)) : Buffer.from(part.repeat.repeat(part.times));
    }),
  );
}
