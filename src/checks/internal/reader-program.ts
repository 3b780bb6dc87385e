// Finds the program of a reader (checks/check.ts): the program itself, by its absolute path, never through a
// package manager, a shell or a script that consults the folder about which version to run. Independent of the editor.
import { open, readFile, realpath } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join, relative, sep } from "node:path";
import { asObject, asString, parseJson } from "../../util/json.ts";
import { type Reader, triedCompiler } from "../check.ts";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The path, relative to the folder, of the code that it loads; a proposal might change it. */
  readonly code?: string;
}

/** `folders`: programs inside of them are not accepted. */
export async function readerProgram(
  { program }: Pick<Reader, "program">,
  folder: string,
  folders: readonly string[],
): Promise<Program | undefined> {
  return program === "typescript" ? compilerOf(folder) : findPython(folders);
}

/** The compiler installed in the original folder, run by the editor's Node; it is not read from the copy. */
async function compilerOf(folder: string): Promise<Program | undefined> {
  const place = await realpath(join(folder, "node_modules", "typescript")).catch(() => undefined);
  if (place === undefined || !place.split(sep).includes("node_modules")) return undefined;
  const file = parseJson(await readFile(join(place, "package.json"), "utf8").catch(() => ""));
  if (!triedCompiler.test(asString(asObject(file)?.["version"]) ?? "")) return undefined;
  const within = relative(await realpath(folder), place);
  return {
    file: process.execPath,
    args: [join(place, "bin", "tsc")],
    env: { ELECTRON_RUN_AS_NODE: "1" },
    ...(!within.startsWith("..") && !isAbsolute(within) && { code: `${within.split(sep).join("/")}/` }),
  };
}

async function findPython(folders: readonly string[]): Promise<Program | undefined> {
  const name = process.platform === "win32" ? "python3.exe" : "python3";
  const inside = await Promise.all(folders.map((each) => realpath(each).catch(() => each)));
  for (const entry of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(entry)) continue;
    const file = await realpath(join(entry, name)).catch(() => undefined);
    if (file === undefined || inside.some((each) => file === each || file.startsWith(each + sep))) continue;
    // Version managers install a script or themselves under this name, which consults the folder about which Python to
    // run.
    if (/^python(?:3(?:\.\d+)?)?(?:\.exe)?$/.test(basename(file)) && !(await isScript(file)))
      return { file, args: [], env: {} };
  }
  return undefined;
}

async function isScript(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return true;
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  return buffer.toString("latin1") === "#!";
}
