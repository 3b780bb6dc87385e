// A small project with a check of its types, and a proposal of which one change breaks it.
import { makeTypedProject } from "./typed-project.ts";
import type { VsCode } from "./vscode.ts";

export const pricedParts = ["cart", "bill", "tax"];

/** A project of four files, whose types are checked. */
export const pricedProject = (folder: string): void =>
  makeTypedProject(
    folder,
    "priced",
    Object.fromEntries(
      pricedParts.map((name) => [
        `priced/${name}.ts`,
        `import { price } from "./price";\n\nexport const ${name} = price(3);\n\n// The name of it.\n\nexport const ${name}Name = "${name}";\n`,
      ]),
    ),
  );

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
