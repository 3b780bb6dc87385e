// A small project with a check of its types, and a proposal of which one change breaks it.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { VsCode } from "./vscode.ts";

export const pricedParts = ["cart", "bill", "tax"];

/** A project of four files, whose types are checked by the compiler beside it. */
export function pricedProject(folder: string): void {
  const files: Readonly<Record<string, string>> = {
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["priced"] }\n',
    ".gitignore": "node_modules/\n",
    "priced/price.ts": "export function price(amount: number): number {\n  return amount * 2;\n}\n",
    ...Object.fromEntries(
      pricedParts.map((name) => [
        `priced/${name}.ts`,
        `import { price } from "./price";\n\nexport const ${name} = price(3);\n\n// The name of it.\n\nexport const ${name}Name = "${name}";\n`,
      ]),
    ),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("node_modules/typescript"), join(folder, "node_modules/typescript"));
  execFileSync("git", ["init", "-q"], { cwd: folder });
}

/** Seven changes; that of the function breaks its callers. */
export const breakingProposal = [
  "*** Begin Patch",
  ...pricedParts.flatMap((name) => [
    `*** Update File: priced/${name}.ts`,
    "@@",
    `-export const ${name} = price(3);`,
    `+export const ${name} = price(4);`,
    "@@",
    `-export const ${name}Name = "${name}";`,
    `+export const ${name}Name = "the ${name}";`,
  ]),
  "*** Update File: priced/price.ts",
  "@@",
  "-export function price(amount: number): number {",
  "+export function price(amount: number, rate: string): number {",
  "*** End Patch",
].join("\n");

/** Sets up the check that Patchbay suggests for the project. */
export async function setUpTypes({ page, command }: VsCode): Promise<void> {
  await command("Patchbay: Set Up Checks…");
  const picker = page.locator(".quick-input-widget");
  await picker.getByText("node node_modules/typescript/bin/tsc --noEmit -p .").waitFor();
  await picker.getByRole("button", { name: "OK" }).click();
  await page
    .getByText(/Checks are set up\. types: works/)
    .first()
    .waitFor();
}
