// What is shown of the evidence: for one change, for all of them, and for each claim of the response.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PendingFile } from "../../../src/changes/pending-changes.ts";
import type { CheckResult } from "../../../src/checks/check-result.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import type { Turn } from "../../../src/conversation/state.ts";
import {
  checksInWords,
  contradictions,
  evidenceLine,
  evidenceOfSet,
  otherClaims,
} from "../../../src/evidence/change-evidence.ts";
import { claimsOfResponse, type ResponseFacts } from "../../../src/evidence/response-facts.ts";

const tests = (more: Partial<CheckResult> = {}): CheckResult => ({
  id: "tests",
  name: "tests",
  kind: "tests",
  state: "passed",
  findings: [],
  ...more,
});
const failing = tests({ state: "new-findings", findings: [{ text: "cart rounds to cents" }] });

const turnOf = (text: string, more: Partial<Turn> = {}, path = "src/cart.ts"): Turn => ({
  id: `turn ${text}`,
  at: 1,
  model: "model",
  route: "responses",
  prompt: "Fix it.",
  attachments: [],
  continues: false,
  status: "done",
  usage: [],
  receipts: [],
  parts: [
    {
      type: "patch",
      id: "p",
      call: "call",
      status: "proposed",
      files: [
        {
          path,
          change: "update",
          added: 3,
          removed: 1,
          hunks: [{ id: "h", status: "pending", added: 3, removed: 1 }],
        },
      ],
    },
    { type: "text", id: "t", text },
  ],
  ...more,
});

const pendingOf = (path = "src/cart.ts", more: Partial<PendingFile> = {}): PendingFile => ({
  id: "file",
  revision: 1,
  change: {
    kind: "update",
    file: { folder: "/work", path },
    permission: { verdict: "allow", reasons: [], real: path },
    base: { text: "", sha256: "", version: undefined },
    edits: [],
    hunks: [],
  },
  hunks: [{ id: "h", added: 3, removed: 1, flags: [], names: [] }],
  conflicts: [],
  requires: [],
  isEdited: false,
  calls: ["call"],
  ...more,
});

const claimsOf = (more: Partial<ResponseFacts>) =>
  claimsOfResponse({
    turns: [turnOf("All tests pass.")],
    pending: [pendingOf()],
    results: [tests()],
    nameOf: ({ path }) => path,
    ...more,
  });
const told = (results: readonly CheckResult[], text = "All tests pass.") => {
  const claims = claimsOf({ turns: [turnOf(text)], results });
  return [...contradictions({ claims, results }), ...otherClaims({ claims, results })].map(inEnglish);
};

describe("claimsOfResponse", () => {
  it("sets the response that made the pending changes against the checks", () => {
    assert.deepEqual(
      claimsOf({}).map(({ verdict }) => verdict),
      ["proven"],
    );
    assert.deepEqual(
      claimsOf({ results: [failing] }).map(({ verdict }) => verdict),
      ["contradicted"],
    );
  });

  it("finds nothing while a turn runs, or once nothing is pending", () => {
    assert.deepEqual(claimsOf({ pending: [] }), []);
    assert.deepEqual(claimsOf({ turns: [turnOf("All tests pass.", { status: "running" })] }), []);
  });

  it("leaves out responses before the last that made a pending change", () => {
    const earlier = turnOf("All tests pass.", { id: "earlier" });
    const claims = claimsOf({ turns: [earlier, turnOf("Only `src/cart.ts` was changed.")] });
    assert.deepEqual(
      claims.map(({ kind, verdict }) => [kind, verdict]),
      [["only-files", "proven"]],
    );
  });

  it("takes flags of a file as unknown if another call or a person has changed it too", () => {
    const verdictOf = (more: Partial<PendingFile>) =>
      claimsOf({
        turns: [turnOf("Only formatting changes.")],
        pending: [pendingOf("src/cart.ts", more)],
      }).map(({ verdict }) => verdict);
    const formatted: PendingFile["hunks"] = [
      { id: "h", added: 3, removed: 1, flags: ["format-only"], names: [] },
    ];
    assert.deepEqual(verdictOf({ hunks: formatted }), ["proven"]);
    assert.deepEqual(verdictOf({ hunks: formatted, calls: ["call", "other"] }), ["not-checked"]);
    assert.deepEqual(verdictOf({ hunks: formatted, isEdited: true }), ["not-checked"]);
    assert.deepEqual(verdictOf({}), ["contradicted"]);
  });
});

describe("claimsOfResponse in doubt", () => {
  const formatted: PendingFile["hunks"] = [
    { id: "h", added: 3, removed: 1, flags: ["format-only"], names: [] },
  ];
  const verdictsOf = (more: Partial<ResponseFacts>) => claimsOf(more).map(({ verdict }) => verdict);
  const patched = (
    text: string,
    call: string,
    status: "pending" | "applied" | "replaced",
    path = "src/cart.ts",
  ): Turn["parts"] => {
    const [patch, ...rest] = turnOf(text, {}, path).parts;
    if (patch?.type !== "patch") return rest;
    const files = patch.files.map((file) => ({
      ...file,
      hunks: file.hunks.map((hunk) => ({ ...hunk, status })),
    }));
    return [{ ...patch, call, files }, ...rest];
  };

  it("judges a later response by its own changes", () => {
    const later = turnOf("Only `src/other.ts` was changed.", {
      id: "later",
      parts: patched("Only `src/other.ts` was changed.", "other", "applied", "src/other.ts"),
    });
    assert.deepEqual(verdictsOf({ turns: [turnOf("Done."), later] }), ["proven"]);
    const formats = turnOf("Only formatting changes.", {
      id: "later",
      parts: patched("Only formatting changes.", "other", "applied", "src/other.ts"),
    });
    assert.deepEqual(
      verdictsOf({
        turns: [turnOf("Done."), formats],
        pending: [pendingOf("src/cart.ts", { hunks: formatted })],
      }),
      ["not-checked"],
    );
  });

  it("does not take what waits in a file for all that the response has changed there", () => {
    const first = patched("", "first", "applied").slice(0, 1);
    const parts = [...first, ...patched("Only formatting changes.", "call", "pending")];
    const pending = [pendingOf("src/cart.ts", { hunks: formatted })];
    assert.deepEqual(verdictsOf({ turns: [turnOf("", { parts })], pending }), ["not-checked"]);
  });

  it("knows a file that the response has patched twice by what waits", () => {
    const first = patched("", "first", "replaced").slice(0, 1);
    const parts = [...first, ...patched("Only formatting changes.", "call", "pending")];
    assert.deepEqual(verdictsOf({ turns: [turnOf("", { parts })] }), ["contradicted"]);
  });

  it("takes the flag for formatting as a proof only where literals are read", () => {
    const verdictIn = (path: string) =>
      verdictsOf({
        turns: [turnOf("Only formatting changes.", {}, path)],
        pending: [pendingOf(path, { hunks: formatted })],
      });
    for (const path of ["a.ts", "a.py", "a.rs", "a.json"])
      assert.deepEqual(verdictIn(path), ["proven"], path);
    for (const path of ["a.css", "a.sql", "a.html", "a.md", "a.c", "a.php"])
      assert.deepEqual(verdictIn(path), ["not-checked"], path);
  });

  it("reads no claim in code, however long the response is", () => {
    const output = (fence: string) => `${fence}\n${"All tests pass.\n\n".repeat(4000)}${fence}`;
    for (const text of [
      `${output("```")}\n\nDone.`,
      `${output("~~~~")}\n\nDone.`,
      "````\n```\nAll tests pass.\n````",
      "~~~\n```\nAll tests pass.\n~~~",
    ])
      assert.deepEqual(verdictsOf({ turns: [turnOf(text)] }), [], text.slice(0, 30));
    assert.deepEqual(verdictsOf({ turns: [turnOf(`${output("```")}\n\nAll tests pass.`)] }), ["proven"]);
  });
});

describe("claims in words", () => {
  it("say what speaks against them", () => {
    assert.deepEqual(told([failing]), [
      "The response says “All tests pass”. On this proposal: tests ✗ 1 new",
    ]);
    assert.deepEqual(told([], "I added a regression test."), [
      "The response says “I added a regression test”. It changes no file of tests.",
    ]);
  });

  it("say what proves them, or that nothing has", () => {
    assert.deepEqual(told([tests()]), ["Proven: “All tests pass” (tests)"]);
    assert.deepEqual(told([]), ["Not checked: “All tests pass”"]);
  });

  it("are none for sentences that claim nothing that can be tested", () => {
    assert.deepEqual(told([tests()], "I made the code more readable. It should be faster."), []);
  });
});

describe("evidence in lines", () => {
  const change = { place: "src/cart.ts:4", flags: ["out-of-scope"] as const, isSeen: false };

  it("names flags, references and whether a person has seen a change", () => {
    const references = [{ name: "total", elsewhere: 3, onChangedLines: 1, inUntouchedFiles: 2 }];
    assert.equal(
      inEnglish(evidenceLine({ ...change, references })),
      "src/cart.ts:4: not asked for; references elsewhere: 3, of these in files that stay as they are: 2; not seen in the editor",
    );
  });

  it("counts claims and seen changes of a set", () => {
    const line = evidenceOfSet({
      claims: claimsOf({ results: [failing] }),
      changes: [change, { ...change, isSeen: true }],
    });
    assert.deepEqual(line.map(inEnglish), ["1 claim contradicted", "1 of 2 changes seen in the editor"]);
  });

  it("names the state that was checked, and whether it has changed since", () => {
    const state = "0123456789abcdef";
    assert.equal(inEnglish(checksInWords([failing], state)), "Checks on proposal 0123456: tests ✗ 1 new");
    assert.match(
      inEnglish(checksInWords([tests({ state: "stale" })], state)),
      /0123456, which has changed since/,
    );
    assert.equal(inEnglish(checksInWords([], undefined)), "No check has run on this proposal.");
    assert.equal(
      inEnglish(checksInWords([tests({ state: "waiting" })], state)),
      "No check has run on this proposal.",
    );
  });
});
