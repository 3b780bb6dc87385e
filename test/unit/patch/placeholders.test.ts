// Placeholders among added lines are refused with a sentence that asks for the full lines; what only looks like one is
// written as it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlaceholder } from "../../../src/patch/internal/placeholders.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const placeholders = [
  ...[
    "// ... existing code ...",
    "  // ...existing code...",
    "// … existing code …",
    "//... rest of the code",
  ],
  ...[
    "# ... existing code ...",
    "# ... rest of the file ...",
    "    # ... (unchanged)",
    "-- ... existing code ...",
  ],
  ...[
    "/* ... existing styles ... */",
    "<!-- ... existing content ... -->",
    "{/* ... rest of the component ... */}",
  ],
  ...[
    "; ... existing code ...",
    "% ... rest of the code ...",
    "(* ... existing code ... *)",
    "{- ... rest of file ... -}",
  ],
  ...[
    "... existing code ...",
    "… existing code …",
    "[... rest of the file unchanged ...]",
    "// ... other imports",
  ],
  ...[
    "// rest of the code...",
    "// existing code ...",
    "// ... keep existing code ...",
    "// ... same as before ...",
  ],
  ...["// ... bestehender Code ...", "# ... Rest der Datei unverändert ...", "// ... code existant ..."],
  ...[
    "// ... reste du code ...",
    "// ... código existente ...",
    "// ... resto del código ...",
    "# ... resto do código ...",
  ],
  ...["// ... codice esistente ...", "// ... существующий код ...", "// ... остальная часть кода ..."],
  ...[
    "// ... 现有代码 ...",
    "// …… 其余代码保持不变 ……",
    "// ... 既存のコード ...",
    "# ... 残りのコード ...",
  ],
  ...["// ... 기존 코드 ...", "// ... 나머지 코드 생략 ...", "// ... 其餘程式碼 ..."],
];

const code = [
  ...[
    "...args",
    "...rest,",
    "  ...existing,",
    "{ ...other }",
    "[...rest]",
    "f(...rest);",
    "...",
    "    ...",
    "// ...",
    "# …",
  ],
  ...[
    '"... existing code ..."',
    "'... existing code ...',",
    "const a = '... existing code ...';",
    "`... existing code ...`",
  ],
  ...[
    "// Loading the rest of the file...",
    "// ...other cases are handled below",
    "# ... and then the code runs",
  ],
  ...[
    "// wait for the existing connection...",
    "// Other tests...",
    "// existing code stays",
    "/// ... rest of the code",
  ],
  ...[
    "/** ... existing code ... */",
    " * ... existing code ...",
    "// see ... for the rest",
    "// 0...9",
    "#!...",
    "a...b",
  ],
  ...[
    "// const rest = [...existing, code];",
    "print('...')",
    "for i in 0...rest {",
    "case 1...9: // the rest",
    "// 等待现有连接完成...",
  ],
  ...[
    "log('… rest of the file …')",
    "# TODO: remove existing code...",
    "// the existing code does this because ...",
  ],
];

test("isPlaceholder recognizes lines that stand for omitted code, in any syntax and language", () => {
  for (const line of placeholders) assert.ok(isPlaceholder(line), line);
  for (const line of code) assert.ok(!isPlaceholder(line), line);
});

const base = "function f() {\n  a();\n  b();\n}\n";

async function outcome(
  files: Readonly<Record<string, string>>,
  ...sections: readonly string[]
): Promise<string> {
  const patch = ["*** Begin Patch", ...sections, "*** End Patch"].join("\n");
  return planPatch(patch, new MemoryWorkspace(files)).then(
    () => "planned",
    (error) => (error instanceof PatchError ? `${error.message}\n${error.forModel}` : Promise.reject(error)),
  );
}

test("a patch that would write a placeholder is refused with a request for the full lines", async () => {
  const hunk = [
    "*** Update File: a.ts",
    "@@",
    " function f() {",
    "-  a();",
    "+  c();",
    "+  // ... existing code ...",
    "   b();",
  ];
  for (const told of [
    await outcome({ "a.ts": base }, ...hunk),
    await outcome({}, "*** Add File: a.ts", "+const a = 1;", "+  // ... existing code ..."),
    // Also where the hunk has no place: that is the smaller trouble.
    await outcome({ "a.ts": "other\n" }, ...hunk),
  ]) {
    assert.match(told, /^The edit to a\.ts has a placeholder in place of code\.\n/);
    assert.match(told, /a\.ts: " {2}\/\/ \.\.\. existing code \.\.\." is a placeholder.*Send the full lines/);
  }
});

test("a placeholder line is written where it is text: in prose, in strings, and where the file has it", async () => {
  const line = "+// ... existing code ...";
  assert.equal(await outcome({}, "*** Add File: docs/guide.md", "+```ts", line, "+```"), "planned");
  assert.equal(await outcome({}, "*** Add File: a.ts", "+const prompt = `", line, "+`;"), "planned");
  assert.equal(
    await outcome({}, "*** Add File: a.py", '+TEXT = """', "+# ... existing code ...", '+"""'),
    "planned",
  );
  const inFile = "f();\n// ... existing code ...\ng();\n";
  const moved = [
    "*** Update File: a.ts",
    "@@",
    " f();",
    "-// ... existing code ...",
    `${line}`,
    "+h();",
    " g();",
  ];
  assert.equal(await outcome({ "a.ts": inFile }, ...moved), "planned");
  const again = ["*** Update File: a.ts", "@@", " g();", "+h();", `+  ${line.slice(1)}`];
  assert.equal(await outcome({ "a.ts": inFile }, ...again), "planned");
  const inString = "const prompt = `\nbefore\nafter\n`;\n";
  const within = ["*** Update File: a.ts", "@@", " before", line, " after"];
  assert.equal(await outcome({ "a.ts": inString }, ...within), "planned");
  assert.match(await outcome({ "a.ts": inString.replaceAll("`", "") }, ...within), /placeholder/);
});
