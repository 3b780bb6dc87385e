// The few lines of code that the walkthrough works on.

export const sampleName = "patchbay-sample.ts";

export const sampleText = `// A sample of Patchbay's walkthrough. It is not part of your workspace.

interface Line {
  name: string;
  cents: number;
  quantity: number;
}

export function total(lines: Line[]): number {
  let sum = 0;
  for (const line of lines) sum = sum + line.cents * line.quantity;
  return sum;
}

export function discount(cents: number, percent: number): number {
  return cents - (cents * percent) / 100;
}

export function show(cents: number): string {
  return cents / 100 + " €";
}
`;

/** `path`: how the sample is named among what is open. */
export const samplePatch = (path: string): string => `*** Begin Patch
*** Update File: ${path}
@@
 export function total(lines: Line[]): number {
-  let sum = 0;
-  for (const line of lines) sum = sum + line.cents * line.quantity;
-  return sum;
+  return lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);
 }
@@
 export function discount(cents: number, percent: number): number {
-  return cents - (cents * percent) / 100;
+  return cents - Math.round((cents * percent) / 100);
 }
@@
 export function show(cents: number): string {
-  return cents / 100 + " €";
+  return \`\${(cents / 100).toFixed(2)} €\`;
 }
*** End Patch
`;
