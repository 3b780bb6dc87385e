// Prints how often ordinary code is taken for a secret, in 10,000 files of other people's, and how many of the names and
// shapes of secrets are known. A file counts as a false alarm if anything is taken out of it, or if its name keeps it here;
// each is listed with the line, since packages do hold keys of their tests. `npm run bench -- secrets [folder]`; without
// a folder, what is installed here. Fails nothing.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { secretNames } from "../../src/files/internal/secret-file-names.ts";
import { createDoubtfulName, holdsSecret, secretMark, takeOutSecrets } from "../../src/files/privacy.ts";
import { isSecretName } from "../support/corpus.ts";
import { assignedSecrets, pem, sampleSecrets } from "../support/sample-secrets.ts";
import { readSecretKinds, samplesOf } from "../support/secret-kinds.ts";

const [folder = "node_modules"] = process.argv.slice(2);
const most = 10_000;
const code =
  /\.(?:[cm]?[jt]sx?|json|css|scss|html|md|ya?ml|toml|py|pyi|rb|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|sh|sql|xml)$/;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3).padStart(8)} %`;

/** Evenly from all that there is, always the same ones. */
function sources(): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && code.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)] ?? "");
}

interface Alarm {
  readonly path: string;
  readonly line: string;
}

/** The first line that is not what it was. */
function alarmIn(path: string, text: string): Alarm | undefined {
  const cleaned = takeOutSecrets(text);
  if (cleaned.removed === 0) return undefined;
  const at = cleaned.text.split("\n").findIndex((line) => line.includes(secretMark));
  const line = text.split("\n")[at] ?? "";
  const from = Math.max(0, (cleaned.text.split("\n")[at] ?? "").indexOf(secretMark) - 40);
  return { path, line: line.slice(from, from + 110).trim() };
}

const isDoubtful = createDoubtfulName({ ignore: [], alsoIgnore: [] });
const files = sources();
const kinds = new Map<string, { files: number; bytes: number; alarms: number; names: number }>();
const alarms: Alarm[] = [];
const named: string[] = [];
const began = process.cpuUsage();
for (const path of files) {
  const text = readFileSync(path, "utf8");
  const kind = kinds.get(extname(path)) ?? { files: 0, bytes: 0, alarms: 0, names: 0 };
  kinds.set(extname(path), kind);
  kind.files++;
  kind.bytes += text.length;
  const alarm = alarmIn(path, text);
  if (alarm !== undefined) {
    kind.alarms++;
    alarms.push(alarm);
  }
  if (!isSecretName(relative(folder, path)) && !(isDoubtful(relative(folder, path)) && holdsSecret(text)))
    continue;
  kind.names++;
  named.push(path);
}
const { user, system } = process.cpuUsage(began);

print("Ordinary code                       files       MB   texts      names");
const row = (name: string, of: { files: number; bytes: number; alarms: number; names: number }) =>
  print(
    `${name.padEnd(34)} ${String(of.files).padStart(6)} ${(of.bytes / 1e6).toFixed(1).padStart(8)} ${String(of.alarms).padStart(7)} ${String(of.names).padStart(10)}`,
  );
for (const [name, kind] of [...kinds].sort(([, one], [, other]) => other.files - one.files)) row(name, kind);
const bytes = [...kinds.values()].reduce((sum, kind) => sum + kind.bytes, 0);
row("all", { files: files.length, bytes, alarms: alarms.length, names: named.length });
print(`False alarms ${percent(alarms.length + named.length, files.length)}   (goal: less than 0.1 %)`);
print(`${(bytes / 1e6 / ((user + system) / 1e6)).toFixed(0)} MB a second of the processor, reading included`);
for (const { path, line } of alarms) print(`  ${path}\n      ${line}`);
for (const path of named) print(`  ${path}  (its name)`);

const shapes = Object.values(sampleSecrets);
const gone = (text: string, secret: string) => !takeOutSecrets(text).text.includes(secret);
const known = shapes.filter((secret) => gone(`const a = "${secret}";\n`, secret)).length;
const assigned = assignedSecrets.filter(([line, secret]) => gone(`${line}\n`, secret)).length;
const kindsOfPem = ["RSA PRIVATE", "EC PRIVATE", "OPENSSH PRIVATE", "PRIVATE", "ENCRYPTED PRIVATE"];
const pems = kindsOfPem.filter((kind) => {
  const lines = pem(`${kind}${" KEY"}`, 20).split("\n");
  return gone(lines.join("\n"), lines[10] ?? "");
}).length;
const names = secretNames.filter((name) => !name.startsWith("!"));
const nameOf = (pattern: string) =>
  pattern
    .replace(/^\//, "")
    .replace(/\/$/, "/a")
    .replaceAll("**/", "a/")
    .replaceAll("*", "a")
    .replace(/\[(.)[^\]]*\]/g, "$1");
const keptBy = names.filter((name) => isSecretName(nameOf(name))).length;
const perKind = 60;
const drawnOf = (name: string) => {
  const kinds = readSecretKinds(name).filter(({ benign }) => benign !== true);
  const samples = kinds.flatMap((kind) => samplesOf(kind, perKind, 11));
  return [
    samples.filter(({ text, secrets }) => secrets.every((each) => gone(text, each))).length,
    samples.length,
  ] as const;
};
print("\nSecrets that are known               known     of");
for (const [name, count, of] of [
  ["shapes of tokens, in code", known, shapes.length],
  ["values by the name they are assigned to", assigned, assignedSecrets.length],
  ["private keys", pems, kindsOfPem.length],
  ["names of files, one for each pattern", keptBy, names.length],
  ["drawn values of our own kinds", ...drawnOf("kinds")],
  ["drawn values of somebody else's kinds", ...drawnOf("unseen-kinds")],
] as const)
  print(`${name.padEnd(36)} ${String(count).padStart(5)} ${String(of).padStart(6)}`);
