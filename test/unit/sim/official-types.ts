// The third reader of the gate: the types of the official package. They say of every event which fields it must have,
// also of those that no client on this machine reads.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../sim/json.ts";

/** What the compiler says of each list of events; an empty text when they are all in order. */
export function typeErrors(
  folder: string,
  lists: ReadonlyMap<string, readonly JsonObject[]>,
): ReadonlyMap<string, string> {
  // Below the project, so that the package is found.
  const place = join(process.cwd(), ".build", folder);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const names = [...lists.keys()];
  const files = names.map((name, index) => {
    const file = join(place, `events-${index}.ts`);
    writeFileSync(file, source(lists.get(name) ?? []));
    return file;
  });
  const compiler = join(process.cwd(), "node_modules/.bin/tsc");
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--types", "node"];
  const modules = ["--module", "preserve", "--moduleResolution", "bundler", "--pretty", "false"];
  const { stdout, error } = spawnSync(compiler, [...options, ...modules, ...files], { encoding: "utf8" });
  if (error) throw error;
  const said = new Map<string, string>(names.map((name) => [name, ""]));
  for (const line of stdout.split("\n")) {
    const name = names[Number(/events-(\d+)\.ts\(\d+,\d+\): error/.exec(line)?.[1] ?? Number.NaN)];
    if (name !== undefined) said.set(name, `${said.get(name)}${line.replace(/^.*?: error /, "")}\n`);
  }
  return said;
}

function source(events: readonly JsonObject[]): string {
  const lines = events.map((event, index) => `const e${index}: Event = ${JSON.stringify(event)};`);
  return [
    'import type { ResponseStreamEvent as Event } from "openai/resources/responses/responses";',
    ...lines,
    "export {};",
  ].join("\n");
}
