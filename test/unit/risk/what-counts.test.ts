// What a change is weighed by, one small change at a time: what stands in notes and literals, which names are public, how
// much an assertion demands, and which part of a config file a line belongs to.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn, flagsOf } from "../../support/risk.ts";
import { sampleSecrets } from "../../support/sample-secrets.ts";

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

describe("flagsOf for formatting", () => {
  test("flags one comma at the end of a change", () => {
    const arms = (comma: string) => `match a {\n    Ok(b) => b,\n    Err(e) => told(e)${comma}\n}\n`;
    assert.deepEqual(flagsIn("src/a.rs", arms(""), arms(",")), ["format-only"]);
  });

  test("flags a reflow that begins inside brackets", () => {
    const before = "run(\n    one, two,\n    three)\nstop()\n";
    assert.deepEqual(flagsIn("src/a.py", before, "run(\n    one,\n    two,\n    three,\n)\nstop()\n"), [
      "format-only",
    ]);
    assert.deepEqual(flagsIn("src/a.py", "if a:\n    run()\nstop()\n", "if a:\n    run()\n    stop()\n"), []);
  });

  test("looks at the whole file where lines are paired across each other", () => {
    const before = "/* A list. */\nfunction a() {\nb();\n}\nfunction c() {\nb();\n}\n";
    const after = "/* A list. */\nfunction a() { b();\n}\n\nfunction c() {\n  b(); }\n";
    const flags = flagged("src/a.ts", before, after);
    assert.ok(flags.length > 1);
    assert.deepEqual(new Set(flags.flat()), new Set(["format-only"]));
    assert.ok(flags.every((each) => each.length === 1));
  });
});

describe("flagsOf where blanks have a meaning", () => {
  test("does not flag a selector, a literal of any form or a macro as format-only", () => {
    for (const [path, before, after] of [
      ["a.css", ".a .b { color: red }\n", ".a.b { color: red }\n"],
      ["a.c", "#define MAX (x)\n", "#define MAX(x)\n"],
      ["a.c", "#define A 1\n#define B 2\n", "#define A 1 #define B 2\n"],
      ["a.rs", 'let a = r#"x "y  z" w"#;\n', 'let a = r#"x "y z" w"#;\n'],
      ["a.cs", 'var a = @"\nx  y\n";\n', 'var a = @"\nx y\n";\n'],
      ["a.cs", 'var a = @"c:\\"; var b = "x  y";\n', 'var a = @"c:\\"; var b = "x y";\n'],
      ["a.py", "x = 1,\n", "x = 1\n"],
      ["a.py", "x = f((1,))\n", "x = f((1))\n"],
      ["a.rs", "fn a() -> B {\n    f();\n}\n", "fn a() -> B {\n    f()\n}\n"],
      ["a.ts", "if (ok); { drop(); }\n", "if (ok) { drop(); }\n"],
      ["a.js", "a = - -b;\n", "a = --b;\n"],
      ["a.go", "if ch < -v {\n", "if ch <- v {\n"],
      ["a.ts", "a = `\x24{f(`a  b`)}`;\n", "a = `\x24{f(`a b`)}`;\n"],
      ["a.js", "const a = <p>{a} {b}</p>;\n", "const a = <p>{a}{b}</p>;\n"],
    ] as const)
      assert.ok(!flagsIn(path, before, after).includes("format-only"), `${path}: ${before}`);
  });

  test("flags what only looks different", () => {
    for (const [path, before, after] of [
      ["a.css", ".a .b{color:red;margin:0 1px}\n", ".a .b {\n  color: red;\n  margin: 0 1px;\n}\n"],
      ["a.c", "#  define A   1\n", "#define A 1\n"],
      ["a.rs", 'let a=r#"x "y  z" w"#;\n', 'let a = r#"x "y  z" w"#;\n'],
      ["a.cs", 'var a=@"c:\\";\n', 'var a = @"c:\\";\n'],
      ["a.py", "f(a, b)\n", "f(\n    a,\n    b,\n)\n"],
      ["a.ts", "if (a) { b(); }\n", "if (a) {\n  b()\n}\n"],
    ] as const)
      assert.deepEqual(flagsIn(path, before, after), ["format-only"], `${path}: ${before}`);
  });
});

describe("flagsOf for entries of a manifest", () => {
  const setup = (line: string) => `setup(\n    ${line}\n)\n`;

  test("flags what runs beside an entry that runs nothing", () => {
    for (const line of [
      'name=__import__("os").system("id"),',
      'name="x", cmdclass={"install": Evil},',
      "name=f\"{__import__('os').system('id')}\",",
      'name=["x"][(lambda: 0)()],',
      'name=__import__  ("os").system  ("id"),',
      'name=__import__\n    ("os").system("id"),',
    ])
      assert.deepEqual(flagsIn("setup.py", setup('name="shop",'), setup(line)), ["executable-config"], line);
    const named = '{\n  "name": "x"\n}\n';
    for (const text of [
      '{\n  "name": "x", "scripts": { "postinstall": "id" }\n}\n',
      '{ "name": "x", "scripts": { "postinstall": "id" } }\n',
      '{ "name": "x", "private": true,\n "scripts": { "postinstall": "id" } }\n',
    ])
      assert.deepEqual(flagsIn("package.json", named, text), ["executable-config"], text);
  });

  test("flags what comes after a comment, whatever stands in it", () => {
    for (const note of ["/* see https://x */", '/* " */', "/* ' */ ", "// */", "/* never closed"]) {
      const text = (more: string) => `{\n  ${note}\n  "name": "x",${more}\n  "version": "1"\n}\n`;
      const changed = text('\n  "scripts": { "postinstall": "id" },');
      assert.deepEqual(flagsIn("package.json", text(""), changed), ["executable-config"], note);
    }
    const single = (more: string) => `{\n  'name': 'x',${more}\n}\n`;
    const added = single("\n  'scripts': { 'postinstall': 'id' }");
    assert.deepEqual(flagsIn("package.json", single(""), added), ["executable-config"]);
  });

  test("does not flag a value in the place of another", () => {
    for (const line of ['name="other",', "version=VERSION,", 'keywords=["a", "b"],'])
      assert.deepEqual(flagsIn("setup.py", setup('name="shop",'), setup(line)), [], line);
    assert.deepEqual(flagsIn("setup.cfg", "[metadata]\nurl = a\n", "[metadata]\nurl = https://a/?b=c\n"), []);
    const list = (word: string) => `{\n  "name": "x",\n  "keywords": [\n    "${word}"\n  ]\n}\n`;
    assert.deepEqual(flagsIn("package.json", list("a"), list("b")), []);
    assert.deepEqual(flagsIn("package.json", '{ "name": "x" }\n', '{ "name": "y" }\n'), []);
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

describe("flagsOf for other names that are used from outside", () => {
  test("flags a method of a prototype and a value of a Python module, not what a value is", () => {
    const method = (values: string) => `Command.prototype.name = function (${values}) {\n  go();\n};\n`;
    assert.deepEqual(flagsIn("index.js", method("name"), method("")), ["public-api"]);
    assert.deepEqual(flagsIn("shop/a.py", "LIMIT = 3\nrun()\n", "run()\n"), ["public-api"]);
    assert.deepEqual(flagsIn("shop/a.py", "LIMIT = 3\n_kept = 1\n", "LIMIT = 4\n"), []);
  });

  test("compares what a module exports by its names, and a type by the members that it had", () => {
    const exported = (names: string) => `module.exports = { ${names} }\n`;
    assert.deepEqual(flagsIn("lib/a.js", exported("add, get"), exported("get: get, add: add")), []);
    assert.deepEqual(flagsIn("lib/a.js", exported("add, get"), exported("add")), ["public-api"]);
    const bodies = (value: number) => `module.exports = {\n  add() {\n    return ${value};\n  },\n};\n`;
    assert.deepEqual(flagsIn("lib/a.js", bodies(1), bodies(2)), []);
    const options = (more: string) => `export interface Options {\n  size: number;\n${more}}\n`;
    assert.deepEqual(flagsIn("src/a.ts", options(""), options("  color?: string;\n")), []);
    assert.deepEqual(flagsIn("src/a.ts", options(""), options("  color: string;\n")), ["public-api"]);
    const render = (name: string) => `View.prototype.render = function${name}(options) {\n  go();\n};\n`;
    assert.deepEqual(flagsIn("lib/view.js", render(""), render(" render")), []);
  });

  test("flags a request that is not answered any more", () => {
    for (const [path, before, after] of [
      ["src/app.js", "app.get('/users', list);\n", "app.get('/people', list);\n"],
      ["shop/views.py", '@app.route("/users")\ndef _list():\n    go()\n', "def _list():\n    go()\n"],
      ["main.go", 'func main() {\n\tr.GET("/users", list)\n}\n', "func main() {\n}\n"],
      ["src/Users.java", '  @GetMapping("/users")\n', '  @GetMapping("/people")\n'],
    ] as const)
      assert.deepEqual(flagsIn(path, before, after), ["public-api"], path);
    assert.deepEqual(flagsIn("src/app.js", "app.get('/users', list);\n", "app.get('/users', sorted);\n"), []);
    assert.deepEqual(flagsIn("src/a.js", "cache.get('/users');\n", "cache.get('/people');\n"), []);
  });

  test("does not flag the order of exported names, nor what a config file exports", () => {
    assert.deepEqual(
      flagsIn("src/lib.rs", "pub use a::{One, Two};\n", "pub use a::{Three, Two, One};\n"),
      [],
    );
    assert.deepEqual(flagsIn("src/lib.rs", "pub use a::{One, Two};\n", "pub use a::{Two};\n"), [
      "public-api",
    ]);
    const config = (port: number) => `export default ({ mode }) => ({ port: ${port}, mode });\n`;
    const renamed = config(1).replace("({ mode })", "({ command })");
    assert.deepEqual(flagsIn("vite.config.ts", config(1), renamed), ["executable-config"]);
  });
});

describe("flagsOf for hidden characters", () => {
  test("flags a byte order mark inside a file, not at its beginning", () => {
    const mark = "\ufeff";
    const added = flagsOf({ path: "src/A.cs", before: undefined, after: `${mark}class A { }\n` });
    assert.deepEqual(
      added.flatMap(({ flags }) => flags),
      [],
    );
    assert.deepEqual(flagged("src/a.ts", "a();\n", `a();\n${mark}b();\n`), [["hidden-characters"]]);
  });
});

describe("flagsOf for secrets", () => {
  test("flags the body of a private key whose header stays", () => {
    const key = sampleSecrets["private key"] ?? "";
    const lines = key.split("\n").map((line) => `${line}\n`);
    const [first = "", ...body] = lines;
    assert.match(first, /PRIVATE KEY/);
    const last = body.findIndex((line) => line.includes("END"));
    const before = `${first}${body[last]}`;
    const after = `${first}${body.slice(0, last + 1).join("")}`;
    assert.deepEqual(flagged("deploy/key.txt", before, after), [["secret"]]);
  });
});

describe("flagsOf for assertions", () => {
  test("does not flag an additional weaker assertion", () => {
    const after = "expect(c).toBe(1);\nexpect(b).toBeDefined();\n";
    assert.deepEqual(flagsIn("test/a.test.ts", "expect(a).toBe(1);\n", after), []);
  });

  test("flags an assertion weakened to mere existence", () => {
    const after = "expect(a).toEqual(expect.anything());\n";
    assert.deepEqual(flagsIn("test/a.test.ts", "expect(a).toContain(1);\n", after), ["test-weakened"]);
  });

  test("does not flag a value assertion replaced by an expected error", () => {
    const before = "def test_a():\n    assert run() == 1\n";
    const after = "def test_a():\n    with pytest.raises(ValueError):\n        run()\n";
    assert.deepEqual(flagsIn("tests/test_a.py", before, after), []);
  });

  test("flags an assertion that is always true", () => {
    const asserting = (demand: string) => `#[test]\nfn a() {\n    assert!(${demand});\n}\n`;
    assert.deepEqual(flagsIn("tests/a.rs", asserting("run().is_ok()"), asserting("true")), ["test-weakened"]);
  });
});

describe("flagsOf for tests that demand less in other ways", () => {
  const testing = (lines: string, options = "") => `it("adds"${options}, () => {\n${lines}});\n`;

  test("flags retries, a tolerance with a name and an assertion whose failure is caught", () => {
    const exact = "  expect(sum()).toBe(3);\n";
    for (const [before, after] of [
      [testing(exact), testing(exact, ", { retry: 2 }")],
      [testing(`  const tolerance = 0.1;\n${exact}`), testing(`  const tolerance = 0.5;\n${exact}`)],
      [testing(exact), testing(`  try {\n  ${exact}  } catch {}\n`)],
    ] as const)
      assert.deepEqual(flagsIn("test/a.test.ts", before, after), ["test-weakened"], after);
    const python = "def test_a():\n    assert run() == 1\n";
    const caught =
      "def test_a():\n    try:\n        assert run() == 1\n    except AssertionError:\n        pass\n";
    assert.deepEqual(flagsIn("tests/test_a.py", python, caught), ["test-weakened"]);
    const flaky = `@pytest.mark.flaky(reruns=3)\n${python}`;
    assert.deepEqual(flagsIn("tests/test_a.py", python, flaky), ["test-weakened"]);
  });

  test("flags rows of a table of cases that go, not others that change", () => {
    const table = (rows: string) =>
      `test.each([\n  [1, 2, 3],\n${rows}])("adds", (a, b, sum) => {\n  expect(add(a, b)).toBe(sum);\n});\n`;
    assert.deepEqual(flagsIn("test/a.test.ts", table("  [2, 2, 4],\n"), table("")), ["test-weakened"]);
    assert.deepEqual(flagsIn("test/a.test.ts", table("  [2, 2, 4],\n"), table("  [2, 3, 5],\n")), []);
    const go = (rows: string) =>
      `func TestAdd(t *testing.T) {\n\ttests := []struct{ a, sum int }{\n\t\t{1, 2},\n${rows}\t}\n}\n`;
    assert.deepEqual(flagsIn("add_test.go", go("\t\t{2, 4},\n"), go("")), ["test-weakened"]);
  });

  test("does not flag vague assertions that become an exact one, nor tests that become a table", () => {
    const vague = "  expect(user).toBeDefined();\n  expect(user.name).toMatch(/a/);\n";
    assert.deepEqual(
      flagsIn("test/a.test.ts", testing(vague), testing('  expect(user).toEqual({ name: "ada" });\n')),
      [],
    );
    const parts = "  expect(names[0]).toBe(1);\n  expect(names[1]).toBe(2);\n";
    assert.deepEqual(
      flagsIn("test/a.test.ts", testing(parts), testing("  expect(names).toEqual([1, 2]);\n")),
      [],
    );
    assert.deepEqual(flagsIn("test/a.test.ts", testing(parts), testing("  expect(names[0]).toBe(2);\n")), [
      "test-weakened",
    ]);
    const tests = 'def test_a():\n    assert run("a") == 1\n\n\ndef test_b():\n    assert run("b") == 2\n';
    const table =
      '@pytest.mark.parametrize("name, count", [("a", 1), ("b", 2)])\ndef test_all(name, count):\n    assert run(name) == count\n';
    assert.deepEqual(flagsIn("tests/test_a.py", tests, table), []);
  });
});

describe("flagsOf for config files", () => {
  test("does not flag the version of a Python project", () => {
    const versioned = (version: string) => `[project]\nversion = "${version}"\n`;
    assert.deepEqual(flagged("pyproject.toml", versioned("1"), versioned("2")), [[]]);
  });

  test("tells requirements of setup.py from its other settings and from what it says of itself", () => {
    const setup = (required: string, classified: string, zipped: string) =>
      `requires = [\n    "chardet",\n${required}]\nsetup(\n    name="shop",\n${zipped}    install_requires=requires,\n    classifiers=(\n        "A :: B",\n${classified}    ),\n)\n`;
    const plain = setup("", "", "");
    assert.deepEqual(flagsIn("setup.py", plain, setup('    "idna>=2",\n', "", "")), ["dependency"]);
    assert.deepEqual(flagsIn("setup.py", plain, setup("", "", "    zip_safe=False,\n")), [
      "executable-config",
    ]);
    assert.deepEqual(flagsIn("setup.py", plain, setup("", '        "C :: D",\n', "")), []);
    assert.deepEqual(flagsIn("setup.py", plain, `${plain}os.system("make")\n`), ["executable-config"]);
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
    assert.deepEqual(flagsIn("pyproject.toml", sources(""), sources("till = { workspace = true }\n")), [
      "dependency",
    ]);
  });
});

describe("flagsOf for what is kept quiet", () => {
  test("does not flag prose that speaks of it", () => {
    for (const note of [
      "// Rules against eslint-disable are in lint/.",
      "// eslint-disable comments are forbidden here",
      "// Nobody should need @ts-ignore for this.",
    ])
      assert.deepEqual(flagsIn("src/a.ts", "a();\n", `${note}\na();\n`), [], note);
    assert.deepEqual(flagsIn("docs/a.md", "A\n", "A\n\nUse `# type: ignore` where mypy is wrong.\n"), []);
  });

  test("flags a directive at a comment's beginning, behind another one and with its reason", () => {
    for (const line of [
      "a(); // eslint-disable-line no-undef -- it is global",
      "/* eslint-disable no-undef, no-console */",
      "// eslint-disable-next-line @typescript-eslint/no-unsafe-call -- untyped library",
    ])
      assert.deepEqual(flagsIn("src/a.ts", "b();\n", `${line}\nb();\n`), ["check-silenced"], line);
    for (const line of [
      "import os  # noqa: F401",
      "x = y  # type: ignore  # noqa",
      "if a:  # pragma: no branch",
    ])
      assert.deepEqual(flagsIn("src/a.py", "b()\n", `${line}\nb()\n`), ["check-silenced"], line);
  });

  test("flags a type that fits everything, and not its change into a narrower one", () => {
    const reading = (type: string) => `const user = read(id)${type};\n`;
    for (const type of [" as any", " as unknown as User", " as never"])
      assert.deepEqual(flagsIn("src/a.ts", reading(""), reading(type)), ["check-silenced"], type);
    assert.deepEqual(flagsIn("src/a.ts", reading(" as any"), reading(" as User")), []);
    assert.deepEqual(flagsIn("src/a.ts", reading(""), reading(" as const")), []);
  });
});

describe("flagsOf for errors", () => {
  test("flags a value in place of a result that failed", () => {
    const trying = (rest: string) => `try {\n  price = read(id);\n} ${rest}\n`;
    const loud = trying("catch (error) {\n  throw new PriceError(id, { cause: error });\n}");
    for (const quiet of [
      "catch {\n  return fallback;\n}",
      "catch (error) {\n  return item.price;\n}",
      "catch {\n  return { price: null, isKnown: false };\n}",
      "catch (error) {\n  price = 0;\n}",
    ])
      assert.deepEqual(flagsIn("src/a.ts", loud, trying(quiet)), ["errors-swallowed"], quiet);
    for (const told of [
      "catch (error) {\n  return error.message;\n}",
      "catch (error) {\n  return told(error);\n}",
    ])
      assert.deepEqual(flagsIn("src/a.ts", loud, trying(told)), [], told);
  });

  test("flags a value in place of a result in Python, but not one that tells of a missing module", () => {
    const trying = (error: string, value = "None") =>
      `try:\n    rate = read()\nexcept ${error}:\n    rate = ${value}\n`;
    for (const error of ["LookupError", "ImportError", "(ImportError, OSError)"])
      assert.deepEqual(flagsIn("src/a.py", "rate = read()\n", trying(error)), ["errors-swallowed"], error);
    assert.deepEqual(flagsIn("src/a.py", "rate = read()\n", trying("ImportError", "False")), []);
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
