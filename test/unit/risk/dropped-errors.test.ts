// Errors that nobody hears of, in the words of each language: which values stand in their place, and what only looks alike.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

const added = (path: string, after: string) => flagsIn(path, "", after);

describe("flagsOf for an error that is dropped", () => {
  for (const [what, path, after] of [
    [
      "a text of its own",
      "src/Note.cs",
      "try { note = Read(); }\ncatch (NoteException) {\n  note = Texts.plain_note;\n}\n",
    ],
    [
      "an empty object",
      "src/link.js",
      "try {\n  this.link = parse(text)\n} catch (err) {\n  this.link = Object.create(null)\n}\n",
    ],
    [
      "several values",
      "lib/marks.js",
      "try {\n  load()\n} catch {\n  marks.a = { on: false }\n  marks.b = { on: false }\n}\n",
    ],
    [
      "the last value of a block in Kotlin",
      "src/Wire.kt",
      "return try {\n  wire.name\n} catch (e: WireException) {\n  null\n}\n",
    ],
    [
      "an entry of a table",
      "src/watch.py",
      "try:\n    seen[path] = look(path)\nexcept OSError:\n    # Look once.\n    seen[path] = None\n",
    ],
    ["a removal that ignores errors", "src/tidy.py", "shutil.rmtree(folder, ignore_errors=True)\n"],
    [
      "a result asked for in a condition",
      "src/names.go",
      "if ok, _ := pattern.Match(name); !ok {\n\treturn false\n}\n",
    ],
    [
      "another way on",
      "src/sort.rs",
      "let by = match order() {\n    Ok(by) => by,\n    Err(_) => return all.collect(),\n};\n",
    ],
  ] as const)
    test(`flags ${what}`, () => {
      assert.deepEqual(added(path, after), ["errors-swallowed"]);
    });

  test("flags a further kind of error in a handler that drops it", () => {
    const handler = (kinds: string) => `try:\n    found.append(kind(item))\nexcept ${kinds}:\n    pass\n`;
    assert.deepEqual(flagsIn("src/a.py", handler("ValueError"), handler("(ValueError, TypeError)")), [
      "errors-swallowed",
    ]);
    assert.deepEqual(flagsIn("src/a.py", handler("ValueError as e"), handler("ValueError")), []);
  });

  test("flags what follows a line that is compiled for tests alone", () => {
    const before = "#[cfg(test)]\nextern crate quick;\n\nfn run() {\n}\n";
    const after = before.replace("{\n", "{\n    let _ = out.write_all(text);\n");
    assert.deepEqual(flagsIn("src/main.rs", before, after), ["errors-swallowed"]);
    const inTests = before.replace("extern crate quick;", "mod tests {");
    assert.deepEqual(
      flagsIn("src/main.rs", inTests, inTests.replace("{\n}", "{\n    let _ = out.write_all(text);\n}")),
      [],
    );
  });
});

describe("flagsOf for what is no error", () => {
  for (const [what, path, after] of [
    ["whether a value has a type", "src/ask.go", "status, _ := ask.Value(statusKey).(int)\n"],
    ["whether a handler is a chain", "src/ask.go", "chain, _ := h.(*web.Chain)\n"],
    [
      "a result that is passed on",
      "src/out.rs",
      'fn end() -> Result<(), E> {\n    let _ = out.write(b"n")?;\n    Ok(())\n}\n',
    ],
    [
      "another error in its place",
      "src/out.rs",
      "let by = match order() {\n    Ok(by) => by,\n    Err(_) => return Err(Lost),\n};\n",
    ],
  ] as const)
    test(`does not flag ${what}`, () => {
      assert.deepEqual(added(path, after), []);
    });
});

describe("flagsOf for errors that are dropped in fewer words", () => {
  test("flags them", () => {
    for (const [path, after] of [
      ["lib/chat.rb", "all.each do |out|\n  out << 1\nrescue\n  out.close\nend\n"],
      ["lib/find.rb", "begin\n  type = Kinds[name]\nrescue LoadError\n  next\nend\n"],
      [
        "src/Wire.kt",
        "try {\n  return build()\n} catch (e: Exception) {\n  return builder(kind).build()\n}\n",
      ],
      ["src/Wire.kt", "val all = try {\n  load()\n} catch (e: IOException) {\n  emptyList()\n}\n"],
    ] as const)
      assert.deepEqual(added(path, after), ["errors-swallowed"], after);
    const kept = "do {\n    try set(a)\n} catch {\n    try? remove(a)\n    throw Lost(error)\n}\n";
    assert.deepEqual(flagsIn("Sources/A.swift", kept, "try? set(a)\n"), ["errors-swallowed"]);
    const tests = (line: string) =>
      `#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {\n        ${line}\n        assert_eq!(b(), 1);\n    }\n}\n`;
    assert.deepEqual(flagsIn("src/a.rs", tests("b();"), tests("map.insert(1)\n            .ok();")), [
      "errors-swallowed",
    ]);
  });

  test("does not flag what speaks of the error, or keeps the result", () => {
    for (const after of [
      "try {\n  return build()\n} catch (e: Exception) {\n  return failed(kind)\n}\n",
      "try {\n  return build()\n} catch (e: Exception) {\n  return of(e)\n}\n",
    ])
      assert.deepEqual(added("src/Wire.kt", after), [], after);
    const tests = (line: string) => `#[test]\nfn a() {\n    ${line}\n    assert_eq!(c, 1);\n}\n`;
    assert.deepEqual(flagsIn("tests/a.rs", tests("let c = 1;"), tests("let c = b().ok();")), []);
  });
});
