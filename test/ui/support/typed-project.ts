// A small TypeScript project in a repository of its own, whose types are checked by the compiler beside it.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** `sources` is the folder whose types are checked; the paths of `files` begin at the project. */
export function makeTypedProject(
  folder: string,
  sources: string,
  files: Readonly<Record<string, string>>,
): void {
  const compilerOptions = { strict: true, types: [] };
  const all = {
    "tsconfig.json": `${JSON.stringify({ compilerOptions, include: [sources] })}\n`,
    ".gitignore": "node_modules/\n",
    [`${sources}/price.ts`]: "export function price(amount: number): number {\n  return amount * 2;\n}\n",
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("node_modules/typescript"), join(folder, "node_modules/typescript"));
  execFileSync("git", ["init", "-q"], { cwd: folder });
}

/** A caller of what stands in `price.ts`, and the name of its own project. */
export const bill = 'import { price } from "./price";\n\nexport const bill = price(3);\n';

export const packageWith = (scripts: Readonly<Record<string, string>>): string =>
  JSON.stringify({ name: "shop", private: true, scripts });
