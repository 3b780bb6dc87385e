// What a change is weighed by, one small change at a time: what stands in notes and literals, which names are public, how
// much an assertion demands, and which part of a config file a line belongs to.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsOf } from "../../support/risk.ts";

const flagged = (path: string, before: string, after: string) =>
  flagsOf({ path, before, after }).map(({ flags }) => flags);

describe("flagsOf for comments and literals", () => {
  test("ignores a comment within a signature", () => {
    const naming = (note: string) => `export function a(x /* ${note} */) {}\n`;
    assert.deepEqual(flagged("src/a.ts", naming("old"), naming("new")), [[]]);
  });

  test("flags a change of quotes as format-only", () => {
    assert.deepEqual(flagged("src/a.ts", "call('x');\n", 'call("x");\n'), [["format-only"]]);
  });

  test("does not flag blanks inside a regular expression as format-only", () => {
    assert.deepEqual(flagged("src/a.ts", "call(/x y/);\n", "call(/x  y/);\n"), [[]]);
  });
});

describe("flagsOf for public names", () => {
  test("flags a changed export, not a new one beside it", () => {
    const rest = "prepare();\n".repeat(8);
    const before = `exports.one = 1;\n${rest}`;
    const after = `exports.one = (x) => x;\n${rest}exports.other = 2;\n`;
    assert.deepEqual(flagged("src/a.js", before, after), [["public-api"], []]);
  });

  test("compares only the beginning of a long signature", () => {
    const listing = (row: number, type: string) =>
      `export type A = {\n${Array.from({ length: 90 }, (_, at) => `  a${at}: ${at === row ? type : "string"};\n`).join("")}};\n`;
    const changing = (row: number) => flagged("src/a.ts", listing(row, "string"), listing(row, "number"));
    assert.deepEqual([changing(10), changing(80)], [[["public-api"]], [[]]]);
  });

  test("looks for a function in the first 200 characters of an exported value", () => {
    const giving = (name: string) => `export const f = ${name} => 1;\n`;
    const changing = (length: number) =>
      flagged("src/a.ts", giving("x".repeat(length)), giving("y".repeat(length)));
    assert.deepEqual([changing(190), changing(200)], [[["public-api"]], [[]]]);
  });
});

describe("flagsOf for assertions", () => {
  const weighed = (path: string, before: string, after: string) => flagged(path, before, after).flat();

  test("does not flag an additional weaker assertion", () => {
    const after = "expect(c).toBe(1);\nexpect(b).toBeDefined();\n";
    assert.deepEqual(weighed("test/a.test.ts", "expect(a).toBe(1);\n", after), []);
  });

  test("flags an assertion weakened to mere existence", () => {
    const after = "expect(a).toEqual(expect.anything());\n";
    assert.deepEqual(weighed("test/a.test.ts", "expect(a).toContain(1);\n", after), ["test-weakened"]);
  });

  test("does not flag a value assertion replaced by an expected error", () => {
    const before = "def test_a():\n    assert run() == 1\n";
    const after = "def test_a():\n    with pytest.raises(ValueError):\n        run()\n";
    assert.deepEqual(weighed("tests/test_a.py", before, after), []);
  });

  test("flags an assertion that is always true", () => {
    const asserting = (demand: string) => `#[test]\nfn a() {\n    assert!(${demand});\n}\n`;
    assert.deepEqual(weighed("tests/a.rs", asserting("run().is_ok()"), asserting("true")), ["test-weakened"]);
  });
});

describe("flagsOf for config files", () => {
  const all = (path: string, before: string, after: string) => flagged(path, before, after).flat();

  test("does not flag the version of a Python project", () => {
    const versioned = (version: string) => `[project]\nversion = "${version}"\n`;
    assert.deepEqual(flagged("pyproject.toml", versioned("1"), versioned("2")), [[]]);
  });

  test("tells requirements of setup.py from its other settings and from what it says of itself", () => {
    const setup = (required: string, classified: string, zipped: string) =>
      `requires = [\n    "chardet",\n${required}]\nsetup(\n    name="shop",\n${zipped}    install_requires=requires,\n    classifiers=(\n        "A :: B",\n${classified}    ),\n)\n`;
    const plain = setup("", "", "");
    assert.deepEqual(all("setup.py", plain, setup('    "idna>=2",\n', "", "")), ["dependency"]);
    assert.deepEqual(all("setup.py", plain, setup("", "", "    zip_safe=False,\n")), ["executable-config"]);
    assert.deepEqual(all("setup.py", plain, setup("", '        "C :: D",\n', "")), []);
    assert.deepEqual(all("setup.py", plain, `${plain}os.system("make")\n`), ["executable-config"]);
  });

  test("does not flag a comment of a manifest", () => {
    const manifest = (note: string) => `[dependencies]\n# ${note}\nserde = "1"\n`;
    assert.deepEqual(flagged("Cargo.toml", manifest("for the wire"), manifest("for files")), [[]]);
  });

  test("flags each kind of section that a change touches", () => {
    const manifest =
      '{\n  "name": "shop",\n  "dependencies": {\n    "zod": "4.0.0"\n  },\n  "scripts": {\n    "start": "node ."\n  }\n}\n';
    const [flags] = flagsOf({ path: "package.json", before: undefined, after: manifest });
    assert.deepEqual(flags?.flags, ["executable-config", "dependency"]);
    const sources = (kept: string) => `[tool.uv.sources]\n${kept}shop = { workspace = true }\n`;
    assert.deepEqual(all("pyproject.toml", sources(""), sources("till = { workspace = true }\n")), [
      "dependency",
    ]);
  });
});

describe("flagsOf for what is kept quiet", () => {
  const all = (path: string, before: string, after: string) => flagged(path, before, after).flat();

  test("does not flag prose that speaks of it", () => {
    for (const note of [
      "// Rules against eslint-disable are in lint/.",
      "// eslint-disable comments are forbidden here",
      "// Nobody should need @ts-ignore for this.",
    ])
      assert.deepEqual(all("src/a.ts", "a();\n", `${note}\na();\n`), [], note);
    assert.deepEqual(all("docs/a.md", "A\n", "A\n\nUse `# type: ignore` where mypy is wrong.\n"), []);
  });

  test("flags a directive at a comment's beginning, behind another one and with its reason", () => {
    for (const line of [
      "a(); // eslint-disable-line no-undef -- it is global",
      "/* eslint-disable no-undef, no-console */",
      "// eslint-disable-next-line @typescript-eslint/no-unsafe-call -- untyped library",
    ])
      assert.deepEqual(all("src/a.ts", "b();\n", `${line}\nb();\n`), ["check-silenced"], line);
    for (const line of [
      "import os  # noqa: F401",
      "x = y  # type: ignore  # noqa",
      "if a:  # pragma: no branch",
    ])
      assert.deepEqual(all("src/a.py", "b()\n", `${line}\nb()\n`), ["check-silenced"], line);
  });

  test("flags a type that fits everything, and not its change into a narrower one", () => {
    const reading = (type: string) => `const user = read(id)${type};\n`;
    for (const type of [" as any", " as unknown as User", " as never"])
      assert.deepEqual(all("src/a.ts", reading(""), reading(type)), ["check-silenced"], type);
    assert.deepEqual(all("src/a.ts", reading(" as any"), reading(" as User")), []);
    assert.deepEqual(all("src/a.ts", reading(""), reading(" as const")), []);
  });
});

describe("flagsOf for errors", () => {
  const all = (path: string, before: string, after: string) => flagged(path, before, after).flat();

  test("flags a value in place of a result that failed", () => {
    const trying = (rest: string) => `try {\n  price = read(id);\n} ${rest}\n`;
    const loud = trying("catch (error) {\n  throw new PriceError(id, { cause: error });\n}");
    for (const quiet of [
      "catch {\n  return fallback;\n}",
      "catch (error) {\n  return item.price;\n}",
      "catch {\n  return { price: null, isKnown: false };\n}",
      "catch (error) {\n  price = 0;\n}",
    ])
      assert.deepEqual(all("src/a.ts", loud, trying(quiet)), ["errors-swallowed"], quiet);
    for (const told of [
      "catch (error) {\n  return error.message;\n}",
      "catch (error) {\n  return told(error);\n}",
    ])
      assert.deepEqual(all("src/a.ts", loud, trying(told)), [], told);
  });

  test("flags a value in place of a result in Python, but not a module that may be missing", () => {
    const trying = (error: string) => `try:\n    rate = read()\nexcept ${error}:\n    rate = None\n`;
    assert.deepEqual(all("src/a.py", "rate = read()\n", trying("LookupError")), ["errors-swallowed"]);
    assert.deepEqual(all("src/a.py", "rate = read()\n", trying("ImportError")), []);
  });
});

describe("flagsOf for lines that go", () => {
  const lines = (count: number, name = "step") =>
    Array.from({ length: count }, (_, at) => `  ${name}${at % 2 === 0 ? at : ""}();\n`).join("");
  const gone = (before: string, after: string) =>
    flagged("src/a.ts", before, after).map((flags) => flags.includes("large-deletion"));

  test("counts lines that stand elsewhere as well, and empty ones", () => {
    const repeated = "  close(connection);\n".repeat(20);
    const before = `start();\n${repeated}${"\n  next(connection);\n".repeat(5)}end();\nclose(connection);\n`;
    assert.deepEqual(gone(before, "start();\nend();\n  close(connection);\n").includes(true), true);
  });

  test("does not count a run that moves, nor one that is only a little longer", () => {
    const moving = lines(40, "move");
    const rest = lines(9, "rest");
    assert.deepEqual(gone(`${moving}${rest}`, `${rest}${moving}`), [false, false]);
    assert.deepEqual(gone(`a();\n${lines(29)}b();\n`, "a();\nb();\n"), [false]);
    assert.deepEqual(gone(`a();\n${lines(30)}b();\n`, "a();\nb();\n"), [true]);
  });

  test("takes changes beside each other as one, and tells it at the larger one", () => {
    const before = `a();\n${lines(12, "one")}kept();\n${lines(20, "two")}b();\n`;
    assert.deepEqual(gone(before, "a();\nkept();\nb();\n"), [false, true]);
  });
});
