// What the editor's own question says: every sensitive file with its real path, the worst first, and nothing that a name
// could add to it, push out of it or hide in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillHoles } from "../../../../src/conversation/messages.ts";
import { consentText, sensitiveAmong } from "../../../../src/editor/workspace/protected-files.ts";
import { defaultPathInfo, type FileChange, type PathInfo } from "../../../../src/patch/model.ts";
import { foldName, permissionFor } from "../../../../src/patch/paths.ts";
import { english } from "../../../support/english.ts";

const words = {
  t: (sentence: string, ...holes: readonly (string | number)[]) =>
    fillHoles(sentence, (hole) => String(holes[Number(hole)])),
  reason: english,
  place: (folder: string, real: string) => `/home/u/${folder}/${real}`,
};

const standing: PathInfo = { ...defaultPathInfo, kind: "file", real: "" };

function changeOf(path: string, real = path, more: Partial<PathInfo> = {}): FileChange {
  const permission = permissionFor({ folder: "app", path }, { ...standing, real, ...more });
  assert.ok(permission.verdict !== "deny", path);
  return { kind: "add", file: { folder: "app", path }, permission, text: "x\n" };
}

const say = (changes: readonly FileChange[], purpose: "apply" | "undo" = "apply") =>
  consentText(sensitiveAmong(changes), purpose, words);

test("consentText names one sensitive file with its full real path and reason", () => {
  const { question, detail, isCut } = say([changeOf("src/a.ts"), changeOf("package.json")]);
  assert.equal(question, "Apply the change to a sensitive file?");
  assert.equal(detail, "1. Create: /home/u/app/package.json\n    its scripts run on this computer");
  assert.equal(isCut, false);
});

test("consentText shows the target of a link, with its own name below", () => {
  const { detail } = say([changeOf("innocent/tasks.json", ".vscode/tasks.json")]);
  assert.deepEqual(detail.split("\n").slice(0, 2), [
    "1. Create: /home/u/app/.vscode/tasks.json",
    "    Link: innocent/tasks.json",
  ]);
});

test("consentText shows both paths of a move", () => {
  const { permission, file } = changeOf(".husky/pre-commit");
  const to = { folder: "app", path: "b" };
  const base = { text: "", sha256: "", version: 1 };
  const move: FileChange = { kind: "move", file, to, toReal: "b", permission, base, edits: [], hunks: [] };
  assert.deepEqual(say([move]).detail.split("\n").slice(0, 2), [
    "1. Move: /home/u/app/.husky/pre-commit",
    "    → /home/u/app/b",
  ]);
});

test("consentText lists the worst files first and counts the rest by kind", () => {
  const locks = Array.from({ length: 40 }, (_, at) => changeOf(`p${at}/yarn.lock`));
  const worse = [changeOf(".zshrc"), changeOf("z/.vscode/tasks.json"), changeOf("y/package.json")];
  const { detail, all, isCut, question } = say([...locks, ...worse]);
  assert.equal(question, "Apply the changes to 43 sensitive files?");
  const lines = detail.split("\n");
  assert.match(lines[0] ?? "", /^1\. Create: .*\.zshrc$/);
  assert.match(lines[2] ?? "", /^2\. .*tasks\.json$/);
  assert.match(lines[4] ?? "", /^3\. .*package\.json$/);
  assert.equal(lines.at(-1), "    33 × it decides which packages are installed");
  assert.equal(lines.at(-2), "Not shown here: 33");
  assert.equal(isCut, true);
  assert.ok(lines.length <= 24);
  for (const change of [...locks, ...worse]) assert.ok(all.includes(`/home/u/app/${change.file.path}\n`));
});

test("consentText counts omitted files of a worse kind first", () => {
  const many = Array.from({ length: 30 }, (_, at) => changeOf(`p${at}/.bashrc`));
  const { detail } = say([changeOf("yarn.lock"), changeOf(".npmrc"), ...many]);
  assert.deepEqual(detail.split("\n").slice(-3), [
    "    20 × it runs with every shell",
    "    1 × it steers a package manager",
    "    1 × it decides which packages are installed",
  ]);
});

/** Names that a disk may hold, whoever made them. */
const spoofing = [
  "package.json\n2. Change: /home/u/app/README.md",
  "package.json\u2028    it is harmless",
  "a\u202Enosj.egakcap",
  `x${" ".repeat(40)}2. README.md`,
  `x${"\u00a0".repeat(40)}2. README.md`,
  "a\u200bb\u{e0041}\u{e0100}\ufe0f",
  "\u001b[2K\rREADME.md",
  "x\tREADME.md",
  "a\u3000\u2003b",
  "z\u0300\u0301\u0302\u0303\u0304\u0305",
  "half\ud800",
];

test("consentText keeps each file name on one line, with no character hidden", () => {
  for (const name of spoofing) {
    const change = changeOf("link.txt", `.vscode/${name}`);
    const { detail } = say([change]);
    const lines = detail.split("\n");
    assert.equal(lines.length, 3, JSON.stringify(name));
    assert.match(lines[0] ?? "", /^1\. Create: \/home\/u\/app\/\.vscode\//);
    assert.doesNotMatch(detail, /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    assert.doesNotMatch(lines[0] ?? "", / {2}|(?! )\p{Zs}|\p{M}{3}/u);
  }
});

test("consentText counts a very long path and shows it in full in the list of all files", () => {
  const long = `.vscode/${Array.from({ length: 15 }, () => "x".repeat(200)).join("/")}`;
  const { detail, all, isCut } = say([changeOf(long), changeOf("yarn.lock")]);
  assert.equal(isCut, true);
  assert.ok(detail.length < 400);
  assert.match(detail, /Not shown here: 2\n {4}1 × it steers the editor\n {4}1 × it decides/);
  assert.ok(all.includes(long));
});

test("consentText has its own wording for undo", () => {
  assert.equal(say([changeOf("package.json")], "undo").question, "Undo the change to a sensitive file?");
  const both = [changeOf("package.json"), changeOf("Makefile")];
  assert.equal(say(both, "undo").question, "Undo the changes to 2 sensitive files?");
});

test("consentText classifies a file by the folded form of its name", () => {
  assert.equal(foldName("ＰＡＣＫＡＧＥ.json"), "package.json");
  assert.match(say([changeOf("ＰＡＣＫＡＧＥ.json")]).detail, /its scripts run/);
});
