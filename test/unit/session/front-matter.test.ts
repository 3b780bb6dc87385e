import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readFrontMatter } from "../../../src/session/internal/front-matter.ts";

async function fieldsOf(inside: string) {
  const { fields } = await readFrontMatter(`---\n${inside}\n---\nText.`);
  return Object.fromEntries(fields);
}

describe("readFrontMatter", () => {
  it("reads texts, lists and blocks, each as texts", async () => {
    const inside =
      "name: review\ndescription: >\n  Looks at\n  code.\ntools: [read, 'edit']\nagents:\n  - one\ninfer: false";
    assert.deepEqual(await fieldsOf(inside), {
      name: ["review"],
      description: ["Looks at code.\n"],
      tools: ["read", "edit"],
      agents: ["one"],
      infer: ["false"],
    });
  });

  it("says where the text begins", async () => {
    const text = "---\nname: a\n---\n# Text\n";
    assert.equal(text.slice((await readFrontMatter(text)).length), "# Text\n");
    assert.equal((await readFrontMatter("---\n---\nText")).length, 8);
  });

  it("takes a text without an end of it, or one that begins later, as a text without front matter", async () => {
    for (const text of [
      "---\nname: a\n",
      "\n---\nname: a\n---\n",
      "# Title\n---\nname: a\n---\n",
      "----\nname: a\n---\n",
    ])
      assert.deepEqual(await readFrontMatter(text), { fields: new Map(), length: 0 });
  });

  it("reads line by line what people write and YAML refuses", async () => {
    assert.deepEqual(await fieldsOf("applyTo: **/*.ts"), { applyTo: ["**/*.ts"] });
    assert.deepEqual(await fieldsOf("applyTo: [**/*.ts, *.js]\ndescription: Use it: always"), {
      applyTo: ["**/*.ts", "*.js"],
      description: ["Use it: always"],
    });
    assert.deepEqual(await fieldsOf("tools:\n  - *all\n  - 'read'"), { tools: ["*all", "read"] });
  });

  it("expands no alias, and is done at once with a document of them", async () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [one, other] of ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"].map((pair) => [...pair]))
      bomb.push(`${other}: &${other} [${Array(9).fill(`*${one}`).join(", ")}]`);
    const fields = await fieldsOf(bomb.join("\n"));
    assert.ok(JSON.stringify(fields).length < 2_000);
  });

  it("runs no tag, merges nothing and knows no prototype", async () => {
    const inside =
      "a: !!js/function 'function () { throw 1 }'\n<<: { b: c }\n__proto__: { polluted: yes }\nconstructor: d";
    const fields = await fieldsOf(inside);
    assert.equal(fields["b"], undefined);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    assert.deepEqual(fields["constructor"], ["d"]);
  });

  it("takes one that is longer than people write, or nested without end, for none", async () => {
    assert.deepEqual((await readFrontMatter(`---\na: ${"x".repeat(9_000)}\n---\n`)).length, 0);
    assert.deepEqual(await fieldsOf(`a: ${"[".repeat(3_000)}`), { a: ["[".repeat(3_000)] });
    assert.deepEqual(await fieldsOf(`${"- ".repeat(3_000)}x`), {});
  });
});
