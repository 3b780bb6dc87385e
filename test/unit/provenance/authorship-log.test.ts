// Notes in the format of the Git AI Standard 3.0.0: what is written keeps its grammar, and what is read may be anything.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type CommitAttestations,
  longestNote,
  parseAuthorshipLog,
  printAuthorshipLog,
} from "../../../src/editor/provenance/internal/authorship-log.ts";

/** The grammar of the standard's sections 1.2.2 to 1.2.4, line by line, apart from the code. */
function followsStandard(note: string): void {
  const lines = note.split("\n");
  const divider = lines.indexOf("---");
  assert.ok(divider > 0, "the divider stands on its own line");
  assert.match(lines[0] ?? "", /^\S/, "a file comes first");
  const keys = new Set<string>();
  for (const line of lines.slice(0, divider)) {
    if (!line.startsWith("  ")) {
      assert.match(line, /^(?:[^\s"]+|"[^"]+")$/);
      continue;
    }
    const [, key = "", ranges = ""] = /^ {2}(s_[0-9a-f]{14})::t_[0-9a-f]{14} (\S+)$/.exec(line) ?? [];
    assert.notEqual(key, "", line);
    keys.add(key);
    const spans = ranges.split(",").map((range) => {
      const [, first = "", last = first] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(range) ?? [];
      return [Number(first), Number(last)] as const;
    });
    for (const [at, [first, last]] of spans.entries()) {
      assert.ok(first <= last);
      assert.ok(
        at === 0 || first > (spans[at - 1]?.[1] ?? 0) + 1,
        "ascending, and consecutive lines as a range",
      );
    }
  }
  const metadata = JSON.parse(lines.slice(divider + 1).join("\n"));
  assert.equal(metadata.schema_version, "authorship/3.0.0");
  assert.match(metadata.base_commit_sha, /^[0-9a-f]{40}$/);
  assert.deepEqual(metadata.prompts, {});
  assert.deepEqual(new Set(Object.keys(metadata.sessions)), keys);
  for (const session of Object.values<Record<string, unknown>>(metadata.sessions)) {
    const { agent_id, human_author, custom_attributes = {}, ...others } = session;
    assert.deepEqual(others, {}, "neither messages nor counts");
    assert.deepEqual(Object.keys(agent_id as object), ["tool", "id", "model"]);
    assert.equal(typeof human_author, "string");
    for (const value of Object.values(custom_attributes as object)) assert.equal(typeof value, "string");
  }
}

const session = { conversation: "c1", model: "svc-k3" };
const log: CommitAttestations = {
  commit: "7734793b756b3921c88db5375a8c156e9532447b",
  person: "Ada <ada@example.com>",
  files: [
    {
      path: "src/main.rs",
      attestations: [
        {
          ...{ session, call: "c1/t/one" },
          spans: [
            { first: 1, last: 10 },
            { first: 15, last: 15 },
          ],
        },
        { session, call: "c1/t/two", spans: [{ first: 20, last: 21 }] },
      ],
    },
    { path: "my file.rs", attestations: [{ session, call: "c1/t/one", spans: [{ first: 3, last: 3 }] }] },
    { path: 'a "quote".rs', attestations: [{ session, call: "c1/t/one", spans: [{ first: 3, last: 3 }] }] },
    { path: "none.rs", attestations: [{ session, call: "c1/t/one", spans: [] }] },
  ],
  facts: new Map([
    ["c1/t/one", { checks: "types ✓", accepted_by: "Ada <ada@example.com>" }],
    ["c1/t/two", { checks: "types: 2 new errors" }],
  ]),
};

describe("printAuthorshipLog", () => {
  it("writes files, keys and ranges as the standard has them, and leaves out what it cannot express", () => {
    const note = printAuthorshipLog(log) ?? assert.fail();
    followsStandard(note);
    assert.deepEqual(
      note
        .split("\n")
        .slice(0, 6)
        .map((line) => line.replace(/t_[0-9a-f]{14}/, "t_…")),
      [
        "src/main.rs",
        // SHA-256 of "patchbay:c1/svc-k3".
        "  s_976b66eb18a140::t_… 1-10,15",
        "  s_976b66eb18a140::t_… 20-21",
        '"my file.rs"',
        "  s_976b66eb18a140::t_… 3",
        "---",
      ],
    );
    assert.equal(printAuthorshipLog({ ...log, files: log.files.slice(2) }), undefined);
  });

  it("keeps the grammar for every path, model and set of lines, and what it writes is read as it was", () => {
    const spans = fc
      .array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 })
      .map((cuts) => [...new Set(cuts)].sort((a, b) => a - b))
      .map((starts) => starts.map((first) => ({ first: first * 3, last: first * 3 + (first % 2) })));
    const files = fc.uniqueArray(
      fc.record({ path: fc.string({ unit: "grapheme", minLength: 1 }), spans, model: fc.string() }),
      { selector: ({ path }) => path, maxLength: 5 },
    );
    fc.assert(
      fc.property(files, (drawn) => {
        const note = printAuthorshipLog({
          ...log,
          files: drawn.map(({ path, spans, model }) => ({
            path,
            attestations: [{ session: { conversation: "c", model }, call: path, spans }],
          })),
          facts: new Map(drawn.map(({ path }) => [path, { path }])),
        });
        if (note === undefined) return;
        followsStandard(note);
        const read = parseAuthorshipLog(note) ?? assert.fail(note);
        for (const { path, spans, model } of drawn) {
          const author = read.authorOf(path, spans[0]?.first ?? 0);
          if (author === undefined) assert.match(path, /["\p{Cc}\u2028\u2029]|^---$/u);
          else
            assert.deepEqual(author, {
              kind: "agent",
              tool: "patchbay",
              model,
              person: log.person,
              facts: { path },
            });
          assert.equal(read.authorOf(path, 1), undefined);
        }
      }),
    );
  });
});

const metadata = (more: object) =>
  JSON.stringify({ schema_version: "authorship/3.0.0", base_commit_sha: "a", prompts: {}, ...more });

describe("parseAuthorshipLog", () => {
  /** The standard's own example of all three kinds of keys. */
  const mixed = `src/main.rs
  s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10
  h_31dce776f88375 15-20
src/lib.rs
  abcd1234abcd1234 1-50
---
${metadata({
  prompts: {
    abcd1234abcd1234: { agent_id: { tool: "cursor", id: "6", model: "claude-4.5-opus" }, total_additions: 5 },
  },
  humans: { h_31dce776f88375: { author: "Developer <dev@example.com>" } },
  sessions: {
    s_c9883b05a2487d: {
      agent_id: { tool: "claude", id: "conv_abc123", model: "claude-sonnet" },
      human_author: "dev@example.com",
      custom_attributes: {
        team: "backend",
        "t_9f8e7d6c5b4a32.checks": "ok",
        "t_ffffffffffffff.checks": "no",
      },
    },
  },
})}`;

  it("reads sessions, people and older keys, each from its own map", () => {
    const read = parseAuthorshipLog(mixed) ?? assert.fail();
    assert.deepEqual(read.authorOf("src/main.rs", 10), {
      ...{ kind: "agent", tool: "claude", model: "claude-sonnet", person: "dev@example.com" },
      facts: { team: "backend", checks: "ok" },
    });
    assert.equal(read.authorOf("src/main.rs", 11), undefined);
    assert.deepEqual(read.authorOf("src/main.rs", 15), {
      kind: "person",
      author: "Developer <dev@example.com>",
    });
    assert.equal(read.authorOf("src/lib.rs", 50)?.kind, "agent");
    assert.equal(read.authorOf("src/none.rs", 1), undefined);
  });

  it("refuses what breaks the format, is of another version or is too long, and guesses nothing", () => {
    const [attested = "", json = ""] = mixed.split("\n---\n");
    for (const note of [
      "",
      "---",
      attested,
      json,
      `${attested}\n--- \n${json}`,
      `${attested}\n---\n${json}${json}`,
      `${mixed}\n\n${mixed}`,
      `${attested}\n---\n${json.replace("3.0.0", "4.0.0")}`,
      `  h_31dce776f88375 1\n---\n${json}`,
      `a.rs\n   h_31dce776f88375 1\n---\n${json}`,
      `a.rs\n  h_31dce776f88375 0\n---\n${json}`,
      `a.rs\n  h_31dce776f88375 5-4\n---\n${json}`,
      `a.rs\n  h_31dce776f88375 1, 2\n---\n${json}`,
      `a.rs\n  __proto__ 1\n---\n${json}`,
      `a.rs\n  h_31dce776f88375 ${"1,".repeat(100_001)}1\n---\n${json}`,
      `${mixed}${" ".repeat(longestNote)}`,
    ])
      assert.equal(parseAuthorshipLog(note), undefined, note.slice(0, 80));
  });

  it("takes no key from a prototype, and no text that is not one", () => {
    const note = (key: string, more: object) => parseAuthorshipLog(`a\n  ${key} 1\n---\n${metadata(more)}`);
    const key = "s_00000000000000::t_00000000000000";
    for (const record of [
      null,
      1,
      {},
      { agent_id: { tool: 1, model: "m" } },
      { agent_id: { tool: "x".repeat(1001), model: "" } },
    ])
      assert.equal(note(key, { sessions: { s_00000000000000: record } })?.authorOf("a", 1), undefined);
    assert.equal(note(key, {})?.authorOf("__proto__", 1), undefined);
  });

  it("ends without an error for whatever is in it", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "\n",
        "---",
        "  ",
        " ",
        '"',
        ",",
        "-",
        "1",
        "s_0000000::t_0000000",
        "h_0000000",
        "{",
        "}",
        "\0",
      ),
      fc.string({ unit: "binary" }),
    );
    const lines = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(lines, fc.json(), fc.boolean(), (section, json, isFramed) => {
        const read = parseAuthorshipLog(isFramed ? `${section}\n---\n${json}` : section);
        read?.authorOf("a", 1);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (sessions, humans) => {
        const note = `a\n  s_0000000::t_0000000 1\n  h_0000000 1\n---\n${metadata({ sessions, humans })}`;
        parseAuthorshipLog(note)?.authorOf("a", 1);
      }),
    );
  });
});
