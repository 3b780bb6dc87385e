// Notebooks as the text of their cells: printed and parsed, written back into their files, and which cells become which.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { NotebookCell } from "../../../src/patch/model.ts";
import {
  fileOfNotebook,
  firstLine,
  parseNotebook,
  printNotebook,
  textOfNotebook,
} from "../../../src/patch/notebook.ts";
import { planCells } from "../../../src/patch/notebook-cells.ts";
import { anyLetters } from "../../support/any-letters.ts";
import { leastTime } from "../../support/thread-time.ts";

const output = (text: string) => ({ name: "stdout", output_type: "stream", text: [text] });
const code = (id: string, source: string, ...outputs: unknown[]) => ({
  cell_type: "code",
  execution_count: 1,
  id,
  metadata: { tags: [id] },
  outputs,
  source: source.split(/(?<=\n)/),
});
const markdown = (id: string, source: string) => ({
  cell_type: "markdown",
  id,
  metadata: {},
  source: [source],
});
const metadata = { kernelspec: { language: "python", name: "python3" }, language_info: { name: "python" } };
const notebook = (...cells: unknown[]) => ({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
const image = "A".repeat(1_000_000);
const sums = notebook(
  markdown("title", "# Sums"),
  code("one", "a = 1\nb = 2", output("first")),
  code("two", "a + b", { output_type: "display_data", data: { "image/png": image }, metadata: {} }),
);
const sumsText = `${firstLine}
# %% markdown
# Sums
# %% code python
a = 1
b = 2
# %% code python
a + b
`;
const styles: readonly [string, (value: unknown) => string][] = [
  ["Jupyter's own style", (value) => `${JSON.stringify(value, null, 1)}\n`],
  ["four spaces", (value) => JSON.stringify(value, null, 4)],
  ["tabs and CRLF", (value) => `${JSON.stringify(value, null, "\t").replaceAll("\n", "\r\n")}\r\n`],
  ["one line", (value) => JSON.stringify(value)],
  ["a byte order mark", (value) => `\ufeff${JSON.stringify(value, null, 2)}`],
];
const cellsIn = (json: string | undefined): Record<string, unknown>[] => {
  assert(json !== undefined);
  return JSON.parse(json.replace(/^\ufeff/, "")).cells;
};

test("textOfNotebook prints cells without outputs", () => {
  assert.equal(textOfNotebook(JSON.stringify(sums)), sumsText);
});

test("textOfNotebook reads nothing from what is no notebook of format 4", () => {
  for (const json of ["", "{}", "[]", "<<<<<<< mine\n{}", '{"nbformat":3,"worksheets":[]}', '{"nbformat":4}'])
    assert.equal(textOfNotebook(json), undefined, json);
  for (const cell of ["1", '{"cell_type":"heading","source":""}', '{"cell_type":"code","source":[1]}'])
    assert.equal(textOfNotebook(`{"nbformat":4,"cells":[${cell}]}`), undefined, cell);
});

for (const [name, style] of styles) {
  test(`fileOfNotebook leaves a file in ${name} as it is but for the cell that changes`, () => {
    const json = style(sums);
    assert.equal(fileOfNotebook(sumsText, json), json);
    const now = fileOfNotebook(sumsText.replace("b = 2", "b = 3\nc = 4"), json);
    const meant = structuredClone(sums);
    (meant.cells[1] as { source: string[] }).source = ["a = 1\n", "b = 3\n", "c = 4"];
    assert.equal(now, style(meant));
  });

  test(`fileOfNotebook inserts, removes and moves cells of a file in ${name}`, () => {
    const json = style(sums);
    const text = `${firstLine}\n# %% code python\na + b\n# %% raw\nnew\n# %% markdown\n# Sums\n`;
    const now = fileOfNotebook(text, json);
    const [first, second, third] = cellsIn(now);
    assert.deepEqual([first, third], [sums.cells[2], sums.cells[0]]);
    assert.deepEqual({ ...second, id: "" }, { cell_type: "raw", id: "", metadata: {}, source: ["new"] });
    const meant = notebook(sums.cells[2], second, sums.cells[0]);
    assert.equal(now, style(meant));
    assert.equal(textOfNotebook(now ?? ""), text);
  });
}

test("fileOfNotebook fills an empty notebook, and empties one", () => {
  for (const [, style] of styles) {
    const filled = fileOfNotebook(sumsText, style(notebook()));
    assert.equal(textOfNotebook(filled ?? ""), sumsText);
    assert.deepEqual(cellsIn(fileOfNotebook(`${firstLine}\n`, style(sums))), []);
  }
});

test("fileOfNotebook makes a new notebook that reads as its text", () => {
  const json = fileOfNotebook(sumsText, undefined);
  assert.equal(textOfNotebook(json ?? ""), sumsText);
  assert.equal(new Set(cellsIn(json).map(({ id }) => id)).size, 3);
});

test("fileOfNotebook keeps how the lines of a cell end, and whether they are a list", () => {
  const json = JSON.stringify(notebook({ cell_type: "markdown", metadata: {}, source: "a\r\nb" }));
  const now = fileOfNotebook(`${firstLine}\n# %% markdown\na\nc\n`, json);
  assert.equal(now, json.replace("\\r\\nb", "\\r\\nc"));
});

test("fileOfNotebook reads a name that is there twice as its last value, as JSON does", () => {
  const json = `{"cells":[{"cell_type":"raw","source":"lie"}],"cells":[{"cell_type":"raw","source":"one","source":"two","metadata":{}}],"nbformat":4,"metadata":{}}`;
  assert.equal(textOfNotebook(json), `${firstLine}\n# %% raw\ntwo\n`);
  assert.equal(fileOfNotebook(`${firstLine}\n# %% raw\nnew\n`, json), json.replace("two", "new"));
});

test("parseNotebook names the line that is in no cell", () => {
  const lineOf = (text: string) => {
    const parsed = parseNotebook(`${firstLine}\n${text}`);
    return "why" in parsed ? parsed.why.args?.["line"] : undefined;
  };
  assert.equal(lineOf("a\n"), 2);
  assert.equal(lineOf("# %% code python\na\n# %% code 1 2\n"), 4);
  assert.equal(lineOf("# %%\n"), 2);
  assert.equal(lineOf("# %% code\n\\# %% code\n"), undefined);
  assert("why" in parseNotebook("# %% code\n"), "the first line is missing");
});

const line = fc.oneof(
  anyLetters.map((text) => text.replace(/[\r\n]/g, "")),
  fc.constantFrom("# %% code python", "\\# %% raw", "\\\\# %%", "# %%", "", firstLine, "\\", " # %% raw"),
);
const anyText = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
const anyCell: fc.Arbitrary<NotebookCell> = fc.oneof(
  fc.record({
    kind: fc.constant("code" as const),
    language: fc.constantFrom("python", "c++", "f#"),
    text: anyText,
  }),
  fc.record({ kind: fc.constantFrom("markdown" as const, "raw" as const), text: anyText }),
);
const anyCells = fc.array(anyCell, { maxLength: 7 });
const plain = (cells: readonly NotebookCell[]) =>
  cells.map(({ kind, language, text }) => ({ kind, language, text }));

test("parseNotebook finds the cells that were printed, whatever their lines pretend to be", () => {
  const property = fc.property(anyCells, (cells) => {
    const parsed = parseNotebook(printNotebook(cells));
    assert(!("why" in parsed));
    assert.deepEqual(plain(parsed), plain(cells));
  });
  fc.assert(property, { numRuns: 500 });
});

test("printNotebook never begins a cell for a language with a line end or a blank", () => {
  for (const language of ["a\n# %% raw", "a b", "", "a".repeat(50)])
    assert.equal(printNotebook([{ kind: "code", language, text: "x" }]), `${firstLine}\n# %% code\nx\n`);
});

test("fileOfNotebook keeps a cell whose own language cannot be printed, and its outputs", () => {
  for (const languageId of ["a b", "a".repeat(50)]) {
    const other = { ...code("two", "2", output("kept")), metadata: { vscode: { languageId } } };
    const json = JSON.stringify(notebook(code("one", "1"), other), null, 1);
    const text = textOfNotebook(json) ?? "";
    assert.equal(text, `${firstLine}\n# %% code python\n1\n# %% code\n2\n`);
    const [first, second] = cellsIn(fileOfNotebook(text.replace("1", "1 + 1"), json));
    assert.deepEqual([first?.["source"], second], [["1 + 1"], other]);
    const [, changed] = cellsIn(fileOfNotebook(text.replace("2", "3"), json));
    assert.deepEqual(changed, { ...other, source: ["3"] });
  }
});

test("fileOfNotebook writes any cells over any others, and keeps the outputs of those that stay", () => {
  const file = (cells: readonly NotebookCell[], indent: number) =>
    JSON.stringify(
      notebook(
        ...cells.map(({ kind, language, text }, at) => ({
          cell_type: kind,
          id: `id${at}`,
          metadata: kind === "code" ? { vscode: { languageId: language } } : {},
          ...(kind === "code" && { execution_count: at, outputs: [output(`${at}`)] }),
          source: text.split(/(?<=\n)/),
        })),
      ),
      null,
      indent,
    );
  const property = fc.property(anyCells, anyCells, fc.constantFrom(0, 1), (before, others, indent) => {
    const after = [...others.slice(0, 2), ...before.slice(1).reverse(), ...others.slice(2)];
    const json = file(before, indent);
    const now = fileOfNotebook(printNotebook(after), json);
    assert(now !== undefined);
    assert.equal(textOfNotebook(now), printNotebook(after));
    const ids = cellsIn(now).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, "no cell is there twice");
    for (const [at, step] of planCells(before, after).entries())
      if (step.from !== undefined && before[step.from]?.kind === "code")
        assert.deepEqual(cellsIn(now)[at]?.["outputs"], [output(`${step.from}`)]);
  });
  fc.assert(property, { numRuns: 300 });
});

const raw = (...texts: string[]): NotebookCell[] => texts.map((text) => ({ kind: "raw", text }));
const from = (before: readonly NotebookCell[], after: readonly NotebookCell[]) =>
  planCells(before, after).map(({ from: was, isMoved }) => (isMoved ? `moved ${was}` : was));

test("planCells keeps equal cells, and takes the one in the place of another for the same", () => {
  assert.deepEqual(from(raw("a", "b", "c"), raw("a", "c")), [0, 2]);
  assert.deepEqual(from(raw("a", "b", "c"), raw("a", "new", "c")), [0, 1, 2]);
  assert.deepEqual(from(raw("a", "b"), raw("a", "new", "b")), [0, undefined, 1]);
  assert.deepEqual(from(raw("a", "b", "c"), raw("c", "a", "b")), ["moved 2", 0, 1]);
});

test("planCells finds a changed cell between new ones by the lines that it keeps", () => {
  assert.deepEqual(from(raw("a", "b\nc\nd"), raw("a", "new", "b\nx\nd", "other")), [
    0,
    undefined,
    1,
    undefined,
  ]);
});

test("planCells takes changed cells side by side for those at their places", () => {
  const python = (...texts: string[]): NotebookCell[] =>
    texts.map((text) => ({ kind: "code", language: "python", text }));
  assert.deepEqual(from(python("df.head()", "df.tail()"), python("data.head()", "data.tail()")), [0, 1]);
  assert.deepEqual(
    from(python("plot(sales)\nplt.show()", "print(x)"), python("print(y)", "plot(costs)\nplt.show()")),
    [0, 1],
  );
  assert.deepEqual(from(python("df.head()"), [...raw("Heading"), ...python("data.head()")]), [undefined, 0]);
  assert.deepEqual(from([...raw("a"), ...python("x")], [...python("y"), ...raw("b")]), [1, undefined]);
});

test("planCells finds which changed cell is gone by the words that few cells have", () => {
  const shown = (...names: string[]) => raw(...names.map((name) => `plot(${name})\nplt.show()`));
  assert.deepEqual(from(shown("sales", "costs", "rent"), shown("sales, 2", "rent, 2")), [0, 2]);
  const kept = shown("a", "b", "c");
  assert.deepEqual(from([...kept, ...shown("costs")], [...kept, ...shown("sales"), ...raw("plot(costs)")]), [
    0,
    1,
    2,
    undefined,
    3,
  ]);
});

/** A notebook in stretches: cells that change, then one that stays. No text is there twice. */
const anyStretches = fc.array(
  fc.record({
    old: fc.array(fc.constantFrom("code", "markdown"), { maxLength: 6 }),
    now: fc.array(fc.constantFrom("code", "markdown"), { maxLength: 6 }),
    words: fc.array(fc.constantFrom("show", "plot", "sales", "costs", "x"), { maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 4 },
);

test("planCells loses no outputs unless there are fewer code cells, and no cell that stays", () => {
  const property = fc.property(anyStretches, (stretches) => {
    const [before, after]: [NotebookCell[], NotebookCell[]] = [[], []];
    let number = 0;
    const add = (to: NotebookCell[], kinds: readonly ("code" | "markdown")[], words: readonly string[]) => {
      for (const [at, kind] of kinds.entries())
        to.push({ kind, text: `${words.slice(at, at + 3).join("\n")}\nn${number++}` });
    };
    const isCode = (kind: string) => kind === "code";
    const expected: { first: number; end: number; old: [number, number]; codes: number; inStep: boolean }[] =
      [];
    for (const { old, now, words } of stretches) {
      const [first, start] = [after.length, before.length];
      add(before, old, words);
      add(after, now, words.toReversed());
      const codes = Math.min(old.filter(isCode).length, now.filter(isCode).length);
      const inStep = old.join() === now.join();
      expected.push({ first, end: after.length, old: [start, before.length], codes, inStep });
      const stays: NotebookCell = { kind: "code", text: `stays ${number++}` };
      before.push(stays);
      after.push(stays);
    }
    const steps = planCells(before, after);
    for (const { first, end, old, codes, inStep } of expected) {
      const ours = steps.slice(first, end).map((step) => step.from);
      const known = ours.flatMap((was) => was ?? []);
      assert.deepEqual(
        known,
        known.toSorted((one, other) => one - other),
      );
      assert.equal(new Set(known).size, known.length);
      assert(known.every((was) => was >= old[0] && was < old[1]));
      for (const [at, was] of ours.entries())
        if (was !== undefined) assert.equal(before[was]?.kind, after[first + at]?.kind);
      assert.equal(known.filter((was) => before[was]?.kind === "code").length, codes);
      if (inStep)
        assert.deepEqual(
          ours,
          Array.from({ length: end - first }, (_, at) => old[0] + at),
        );
      assert.equal(steps[end]?.from, old[1]);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

test("fileOfNotebook makes the same of changes one by one as of all at once", () => {
  const texts = fc.array(fc.constantFrom("plot(x)\nplt.show()", "x", "df.head()"), {
    minLength: 1,
    maxLength: 6,
  });
  const order = fc.infiniteStream(fc.nat());
  const property = fc.property(texts, order, (shapes, picks) => {
    const made = shapes.map((text, at) => code(`id${at}`, `${text}\na${at}`, output(`${at}`)));
    const json = JSON.stringify(notebook(...made), null, 1);
    const now = shapes.map(
      (text, at): NotebookCell => ({
        kind: "code",
        language: "python",
        text: `${text.replace("x", "y")}\nb${at}`,
      }),
    );
    let cells: NotebookCell[] = made.map(({ source }) => ({
      kind: "code",
      language: "python",
      text: source.join(""),
    }));
    let file = json;
    const left = [...now.keys()];
    while (left.length > 0) {
      const [at = 0] = left.splice((picks.next().value ?? 0) % left.length, 1);
      cells = cells.with(at, now[at] ?? { kind: "raw", text: "" });
      file = fileOfNotebook(printNotebook(cells), file) ?? "";
    }
    assert.equal(file, fileOfNotebook(printNotebook(now), json));
    assert.deepEqual(
      cellsIn(file).map(({ id, outputs }) => ({ id, outputs })),
      made.map(({ id, outputs }) => ({ id, outputs })),
    );
  });
  fc.assert(property, { numRuns: 200 });
});

test("planCells pairs hundreds of changed cells in time", () => {
  const many = (count: number, word: string) =>
    raw(...Array.from({ length: count }, (_, at) => `${word}${at}\nplt.show()`));
  const computed = leastTime(1, () => {
    for (const [old, now] of [
      [199, 200],
      [500, 499],
      [3000, 2999],
    ] as const) {
      const known = planCells(many(old, "a"), many(now, "b")).filter((step) => step.from !== undefined);
      assert.equal(known.length, Math.min(old, now));
    }
  });
  assert(computed < 2000, `${computed} ms`);
});

test("planCells takes a cell of another kind or language for a new one", () => {
  const cells = (kind: NotebookCell["kind"], language?: string): NotebookCell[] => [
    { kind, language, text: "a" },
  ];
  assert.deepEqual(from(cells("raw"), cells("markdown")), [undefined]);
  assert.deepEqual(from(cells("code", "python"), cells("code", "r")), [undefined]);
});

test("planCells plans thousands of cells in time", () => {
  const many = raw(...Array.from({ length: 5000 }, (_, at) => `${at % 700}\nb`));
  const computed = leastTime(1, () => assert.equal(planCells(many, many.toReversed()).length, 5000));
  assert(computed < 2000, `${computed} ms`);
});
