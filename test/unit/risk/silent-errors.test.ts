// Errors that become silent: what nobody hears of any more, in the words of each language, and what is still told.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

const isFlagged = (path: string, before: string, after: string) =>
  flagsIn(path, before, after).includes("errors-swallowed");

/** Each is a path, the text after a change, and the text before it where there was one. */
const silent = {
  "nothing behind a value": [
    ["src/A.java", "try {\n  f();\n} catch (IOException e) {\n  known = false;\n  return 0;\n}\n"],
    ["src/A.cs", "try { F(); }\ncatch (IOException)\n{\n  known = false;\n  return;\n}\n"],
    ["lib/a.rb", "def a\n  f\nrescue A, B\n  @x = nil\n  false\nend\n"],
    ["src/a.ts", "try {\n  f();\n} catch {\n  return new Set();\n}\n"],
    ["src/A.java", "try {\n  f();\n} catch (IOException e) {\n  return new ArrayList<>();\n}\n"],
    ["src/a.ts", "p.then(use).catch(function (err) {\n  return false;\n});\n"],
    ["src/a.ts", "Promise.allSettled(all);\n"],
    ["src/a.rs", "match f() {\n    Ok(x) => use(x),\n    Err(e) => {}\n}\n"],
    ["src/A.kt", "runCatching { f() }"],
    ["src/A.scala", "val x = allCatch opt f()\n"],
  ],
  "results that nobody looks at": [
    ["a.go", "user, _ := c.Get(key)\n"],
    ["a.go", "_ = f.Close()\n"],
    ["src/a.rs", 'let _ = writeln!(io::stderr(), "x");\n'],
    ["src/a.rs", "drop(tx.send(x));\n"],
    ["src/a.rs", "if let Ok(mut f) = File::open(path) {\n    read(f);\n}\n"],
    ["lib/a.ex", "_ = File.close(file)\n"],
    ["src/a.erl", "    _ = file:close(File),\n"],
    ["src/A.cs", "_ = SendAsync(x);\n"],
    ["src/a.php", "<?php\n$x = @$a['b'];\n"],
    ["src/a.rs", "let x = load(p).unwrap_or_default();\n", "let x = load(p)?;\n"],
    ["src/a.py", "subprocess.call(cmd)\n", "subprocess.check_call(cmd)\n"],
    ["src/a.py", "subprocess.run(cmd)\n", "subprocess.run(cmd, check=True)\n"],
    ["lib/a.rb", "user.save\n", "user.save!\n"],
    ["lib/a.ex", "File.write(p, x)\n", "File.write!(p, x)\n"],
    ["lib/a.ex", "File.mkdir_p(x)\n", ":ok = File.mkdir_p(x)\n"],
    ["a.c", "f(x);\n", "rc = f(x);\nif (rc != 0)\n  return rc;\n"],
  ],
  "a further kind of error": [
    ["src/A.java", "try {\n  f();\n} catch (A | B e) {\n}\n", "try {\n  f();\n} catch (A e) {\n}\n"],
    ["lib/a.rb", "begin\n  f\nrescue A, B\nend\n", "begin\n  f\nrescue A\nend\n"],
    ["src/a.py", "try:\n    f()\nexcept Exception:\n    pass\n", "try:\n    f()\nexcept (A, B):\n    pass\n"],
  ],
  "commands whose messages nobody sees": [
    ["a.sh", "cp a b 2> /dev/null\n", "cp a b\n"],
    ["a.sh", "cp a b >/dev/null 2>&1\n", "cp a b\n"],
    ["a.sh", 'x="$(find "$a" 2>/dev/null)"\n', 'x="$(find "$a")"\n'],
    ["src/a.lua", 'local p = io.popen("pwd 2>/dev/null")\n'],
    ["lib/a.rb", "`git log 2>/dev/null`\n"],
    ["src/a.py", "subprocess.call(cmd, stderr=subprocess.DEVNULL)\n"],
    ["src/a.py", "text.decode(errors='ignore')\n"],
    ["Makefile", "a:\n\tfoo 2>/dev/null\n", "a:\n\tfoo\n"],
    [".github/workflows/a.yml", "steps:\n  - run: foo || true\n", "steps:\n  - run: foo\n"],
  ],
  "handlers that no longer tell": [
    [
      "src/a.ts",
      "try {\n  run();\n} catch (e) {\n  done();\n}\n",
      "try {\n  run();\n} catch (e) {\n  logger.error(e);\n  done();\n}\n",
    ],
    [
      "src/a.ts",
      "try {\n  run();\n} catch (e) {\n  done();\n}\n",
      "try {\n  run();\n} catch (e) {\n  done();\n  throw e;\n}\n",
    ],
    [
      "src/a.py",
      "try:\n    f()\nexcept OSError:\n    clean()\n",
      "try:\n    f()\nexcept OSError:\n    clean()\n    raise\n",
    ],
    [
      "src/a.ts",
      "read(p, (err, data) => {\n  use(data);\n});\n",
      "read(p, (err, data) => {\n  if (err) throw err;\n  use(data);\n});\n",
    ],
  ],
} as const;

const told: readonly (readonly [path: string, after: string, before?: string])[] = [
  ["src/a.py", "try:\n    x = next(it)\nexcept StopIteration as end:\n    break\n"],
  ["src/a.py", "try:\n    f()\nexcept (A, B):\n    pass\n", "try:\n    f()\nexcept Exception:\n    pass\n"],
  ["src/a.rs", "if let Ok(x) = load(p) {\n    use(x);\n} else {\n    warn();\n}\n"],
  ["src/a.rs", "if let Ok(x) = env::var(name) {\n    use(x);\n}\n"],
  ["lib/a.ex", "_ = Process.put(key, info)\n"],
  ["a.sh", "if ! git rev-parse 2>/dev/null; then\n  exit 1\nfi\n"],
  ["a.sh", "command -v x > /dev/null 2>&1 || exit 1\n"],
  ["a.sh", "cwd=$(realpath . 2>/dev/null || pwd)\n"],
  ["a.sh", "run 2>/dev/null\nif [ $? -ne 0 ]; then\n  exit 1\nfi\n"],
  ["a.sh", "# run 2>/dev/null\n"],
  [
    "src/a.ts",
    "try {\n  run();\n} catch (e) {\n  done(e);\n}\n",
    "try {\n  run();\n} catch (e) {\n  logger.error(e);\n  done(e);\n}\n",
  ],
  [
    "src/a.ts",
    "const data = await read(p);\nuse(data);\n",
    "read(p, (err, data) => {\n  if (err) throw err;\n  use(data);\n});\n",
  ],
];

describe("flagsOf for errors that become silent", () => {
  for (const [what, changes] of Object.entries(silent))
    test(`flags ${what}`, () => {
      for (const [path, after, before = ""] of changes as typeof told)
        assert.ok(isFlagged(path, before, after), `${path}: ${after}`);
    });

  test("does not flag what is told, asked for or no error", () => {
    for (const [path, after, before = ""] of told)
      assert.ok(!isFlagged(path, before, after), `${path}: ${after}`);
  });
});
