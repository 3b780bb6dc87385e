// Errors that are dropped in further words of each language, and errors that were told before and are not any more.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

const isDropped = (path: string, before: string, after: string) =>
  flagsIn(path, before, after).includes("errors-swallowed");

const added: readonly (readonly [path: string, dropped: string, kept: string])[] = [
  // TypeScript and JavaScript
  ["a.ts", "try {\n  a()\n} catch (error: unknown) {\n  ok = false;\n  return;\n}\n", "ok = false;\n"],
  ["a.ts", "a().catch(() => [] as string[]);\n", "a().catch((error) => tell(error));\n"],
  ["a.ts", "a().catch(() => usual);\n", "a().then(() => usual);\n"],
  ["a.ts", "return a$.pipe(catchError(() => of(null)));\n", "return a$.pipe(catchError((e) => of(e)));\n"],
  ["a.ts", "await Promise.allSettled(all);\n", "const done = await Promise.allSettled(all);\n"],
  [
    "a.js",
    "a((err, b) => {\n  if (err) return cb(null, []);\n});\n",
    "a((err) => {\n  if (err) return cb(err);\n});\n",
  ],
  ["a.js", "try {\n  a();\n} finally {\n  return b;\n}\n", "try {\n  a();\n} finally {\n  b();\n}\n"],
  ["a.js", "socket.onerror = () => {};\n", "socket.onerror = (event) => tell(event);\n"],
  // Python
  [
    "a.py",
    "try:\n    a()\nexcept OSError:\n    return usual\n",
    "try:\n    a()\nexcept OSError as e:\n    return e\n",
  ],
  ["a.py", "try:\n    a()\nfinally:\n    return b\n", "try:\n    a()\nfinally:\n    b()\n"],
  [
    "a.py",
    "await asyncio.gather(*all, return_exceptions=True)\n",
    "done = await asyncio.gather(*all, return_exceptions=True)\n",
  ],
  [
    "a.py",
    "try:\n    a()\nexcept IndexError:\n    pass\n",
    "try:\n    next(a)\nexcept StopIteration:\n    pass\n",
  ],
  [
    "a.py",
    "try:\n    a()\nexcept OSError:\n    self.ok = False\n",
    "try:\n    a()\nexcept OSError:\n    self.ok = False\n    raise\n",
  ],
  // Go
  [
    "a.go",
    'func a() string {\n\tb, err := c()\n\tif err != nil {\n\t\treturn ""\n\t}\n}\n',
    'func a() (string, error) {\n\tb, err := c()\n\tif err != nil {\n\t\treturn "", err\n\t}\n}\n',
  ],
  [
    "a.go",
    "func a() {\n\tb, err := c()\n\tif err != nil {\n\t\treturn\n\t}\n}\n",
    "func a() (err error) {\n\tb, err := c()\n\tif err != nil {\n\t\treturn\n\t}\n}\n",
  ],
  [
    "a.go",
    "func a() int {\n\tif err != nil {\n\t\treturn 0\n\t}\n}\n",
    "func a() int {\n\tif err != nil {\n\t\treturn http.StatusBadRequest\n\t}\n}\n",
  ],
  ["a.go", "defer func() { recover() }()\n", "defer func() { tell(recover()) }()\n"],
  [
    "a_test.go",
    "func TestA(t *testing.T) {\n\tb, _ := c()\n}\n",
    "func TestA(t *testing.T) {\n\tb, err := c()\n}\n",
  ],
  // Rust
  ["a.rs", "let Ok(b) = c() else { return None };\n", "let Some(b) = c() else { return None };\n"],
  ["a.rs", "if a().is_err() {\n    return;\n}\n", "if a().is_err() {\n    return Err(b);\n}\n"],
  ["a.rs", "_ = sender.send(a);\n", "_ = sender.send(a)?;\n"],
  ["a.rs", "{ _ = b(a); }\n", "match a {\n    1 => b(a),\n    _ => c(a),\n}\n"],
  ["a.rs", "a.parse().unwrap_or(0);\n", "a.get(0).unwrap_or(0);\n"],
  ["a.rs", "try_get(a).unwrap_or_default();\n", "get(a).unwrap_or_default();\n"],
  ["a.rs", "a().unwrap_or_else(|_| usual());\n", 'a().unwrap_or_else(|_| panic!("b"));\n'],
  ["a.rs", "env(a).unwrap_or_else(|_| usual());\n", 'env::var("A").unwrap_or_else(|_| usual());\n'],
  [
    "a.rs",
    "match a() {\n    Ok(b) => b,\n    Err(_) => usual,\n}\n",
    "match a() {\n    Ok(b) => b,\n    Err(e) => b(e),\n}\n",
  ],
  // Java, Kotlin, Scala
  [
    "A.scala",
    "try a() catch { case _: Exception => None }\n",
    "try a() catch { case e: Exception => Left(e) }\n",
  ],
  ["A.scala", "Try(a()).getOrElse(b)\n", "Option(a()).getOrElse(b)\n"],
  ["A.scala", "a match {\n  case Failure(_) => ()\n}\n", "a match {\n  case Failure(e) => tell(e)\n}\n"],
  ["A.scala", "a.handleError(_ => None)\n", "a.handleError(e => tell(e))\n"],
  ["A.kt", "a().catch { emit(null) }\n", "a().catch { emit(failed(it)) }\n"],
  [
    "A.kt",
    "val a = CoroutineExceptionHandler { _, _ -> }\n",
    "val a = CoroutineExceptionHandler { _, e -> b(e) }\n",
  ],
  ["A.java", "try {\n  a();\n} finally {\n  return b;\n}\n", "try {\n  a();\n} finally {\n  b();\n}\n"],
  // C#, Swift, PHP, Ruby
  ["A.cs", "int.TryParse(a, out var b);\n", "if (int.TryParse(a, out var b)) { c(); }\n"],
  [
    "A.swift",
    "switch a {\ncase .failure(_):\n    break\n}\n",
    "switch a {\ncase .failure(let e):\n    b(e)\n}\n",
  ],
  ["A.swift", "guard error == nil else { return }\n", "guard error == nil else { return done(error) }\n"],
  ["A.swift", "a.replaceError(with: [])\n", "a.mapError { B($0) }\n"],
  [
    "A.php",
    "try {\n  a();\n} catch (B $e) {\n  return $usual;\n}\n",
    "try {\n  a();\n} catch (B $e) {\n  return c($e);\n}\n",
  ],
  ["A.php", "set_error_handler(fn () => true);\n", "set_error_handler(fn ($n, $text) => tell($text));\n"],
  ["a.rb", "begin\n  a\nrescue B\n  @usual\nend\n", "begin\n  a\nrescue B => e\n  tell(e)\nend\n"],
  // Dart, Elixir, Erlang, Clojure, Haskell, Lua, C, shell
  ["a.dart", "try {\n  a();\n} on B {\n}\n", "try {\n  a();\n} on B {\n  tell();\n}\n"],
  [
    "a.dart",
    "try {\n  a();\n} catch (e) {\n  return usual;\n}\n",
    "try {\n  a();\n} catch (e) {\n  return B(e);\n}\n",
  ],
  ["a.dart", "a().catchError((_) {});\n", "a().catchError((e) { tell(e); });\n"],
  ["a.dart", "a().ignore();\n", "await a();\n"],
  ["a.ex", "case a() do\n  {:error, _} -> nil\nend\n", "case a() do\n  {:error, b} -> {:error, b}\nend\n"],
  [
    "a.erl",
    "a() ->\n  case b() of\n    {error, _} -> ok\n  end.\n",
    "a() ->\n  case b() of\n    {error, C} -> {error, C}\n  end.\n",
  ],
  ["a.erl", "a() ->\n  catch b(),\n  c().\n", "a() ->\n  b(),\n  c().\n"],
  ["a.clj", "(try (a) (catch Exception _ nil))\n", "(try (a) (catch Exception e (tell e)))\n"],
  [
    "A.hs",
    "a = b `catch` \\(_ :: IOException) -> return ()\n",
    "a = b `catch` \\(e :: IOException) -> tell e\n",
  ],
  ["a.lua", "local _, b = pcall(c)\n", "local ok, b = pcall(c)\n"],
  ["a.m", "[a write:b error:nil];\n", "[a write:b error:&error];\n"],
  ["a.sh", "a || exit 0\n", "a || exit 1\n"],
  ["a.sh", "set +e\na\n", 'set +e\na\nif [ "$?" = 1 ]; then b; fi\n'],
];

describe("flagsOf for an error that nothing is done with", () => {
  for (const [path, dropped, kept] of added)
    test(`${path}: ${dropped.replace(/\s+/g, " ")}`, () => {
      assert.ok(isDropped(path, "", dropped), dropped);
      assert.ok(!isDropped(path, "", kept), kept);
    });
});

const changed: readonly (readonly [path: string, before: string, quiet: string, told: string])[] = [
  [
    "a.ex",
    'case a() do\n  x -> raise B, "c"\nend\n',
    "case a() do\n  x -> :ok\nend\n",
    "case a() do\n  x -> tell(x)\nend\n",
  ],
  [
    "a.py",
    "if not a:\n    raise B(a)\nc()\n",
    "if not a:\n    return None\nc()\n",
    "if not a:\n    log.warning(a)\n    return None\nc()\n",
  ],
  [
    "a.ts",
    "if (!a) {\n  throw new B();\n}\n",
    "if (!a) {\n  return null;\n}\n",
    "if (!a) {\n  throw new C();\n}\n",
  ],
  ["A.kt", "val a = b ?: throw C()\n", "val a = b ?: return\n", "val a = b ?: throw D()\n"],
  [
    "a.go",
    "if !a {\n\treturn errors.New(b)\n}\n",
    "if !a {\n\treturn nil\n}\n",
    "if !a {\n\treturn errC\n}\n",
  ],
  [
    "a.rs",
    "if !a {\n    return Err(B);\n}\n",
    "if !a {\n    return Ok(());\n}\n",
    "if !a {\n    return Err(C);\n}\n",
  ],
];

describe("flagsOf for an error that is not told any more", () => {
  for (const [path, before, quiet, told] of changed)
    test(`${path}: ${quiet.replace(/\s+/g, " ")}`, () => {
      assert.ok(isDropped(path, before, quiet), quiet);
      assert.ok(!isDropped(path, before, told), told);
    });

  test("leaves alone what is done in place of throwing", () => {
    const before = "if (a) {\n  throw new B();\n}\n";
    assert.ok(!isDropped("a.ts", before, "if (a) {\n  this.c = a;\n  return;\n}\n"));
  });

  test("leaves alone what only moves or is indented otherwise", () => {
    const quiet = "try {\n  a();\n} catch {\n}\n";
    const moved = `if (b) {\n${quiet.replace(/^(?=.)/gm, "  ")}}\n`;
    assert.ok(!isDropped("a.ts", quiet, moved));
    assert.ok(isDropped("a.ts", quiet, `${moved}${quiet}`));
  });

  test("leaves alone what is written at last", () => {
    assert.ok(!isDropped("A.java", "throw new UnsupportedOperationException();\n", "return null;\n"));
  });

  for (const [path, before, quiet, looked] of [
    [
      "a.go",
      "func a() error {\n\tif err := b.Set(1); err != nil {\n\t\treturn err\n\t}\n}\n",
      "func a() error {\n\tb.Set(1)\n}\n",
      "func a() error {\n\tif err := b.Set(1); err != nil {\n\t\treturn wrap(err)\n\t}\n}\n",
    ],
    ["a.c", "if (a(1) != 0) return -1;\n", "a(1);\n", "if (a(2) != 0) return -1;\n"],
    ["a.sh", 'cp a b || die "c"\n', "cp a b\n", 'cp a b || die "d"\n'],
    ["a.sh", "#!/bin/sh\nset -e\na\n", "#!/bin/sh\na\n", "#!/bin/sh\nset -eu\na\n"],
  ] as const)
    test(`${path}: ${quiet.replace(/\s+/g, " ")}`, () => {
      assert.ok(isDropped(path, before, quiet), quiet);
      assert.ok(!isDropped(path, before, looked), looked);
    });

  test("hears what helps tests, but not what a test expects", () => {
    const quiet = "try:\n    import a\nexcept ImportError:\n    pass\n";
    assert.ok(isDropped("tests/conftest.py", "", quiet));
    assert.ok(!isDropped("tests/test_a.py", "", `def test_a():\n${quiet.replace(/^/gm, "    ")}`));
  });
});
