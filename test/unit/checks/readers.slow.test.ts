// Each row of the table of readers, run in a folder full of files that would leave a trace if one of them were executed, or if
// the program wrote to where they say.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { type Check, readerOf } from "../../../src/checks/check.ts";
import { FolderChecks } from "../../../src/checks/internal/folder-checks.ts";
import { readerProgram } from "../../../src/checks/internal/reader-program.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { withVariable } from "../../support/one-test.ts";

const never = new AbortController().signal;

const js = (trace: string, name: string) =>
  `require("node:fs").writeFileSync(${JSON.stringify(join(trace, name))}, "");\n`;
const py = (trace: string, name: string) => `open(${JSON.stringify(join(trace, name))}, "w").close()\n`;
const sh = (trace: string, name: string) => `#!/bin/sh\ntouch ${join(trace, name)}\n`;

/** Everything that these programs, or what usually starts them, could be made to load. */
function hostileFiles(trace: string): Readonly<Record<string, string>> {
  const scripts = ["tsc", "typescript", "source-map-support", "@typescript/typescript-linux-x64"];
  const shadows = [
    ...[
      "compileall",
      "py_compile",
      "argparse",
      "sitecustomize",
      "usercustomize",
      "os",
      "re",
      "struct",
      "filecmp",
    ],
    ...["concurrent/__init__", "importlib/__init__", "encodings/__init__", "encodings/evil"],
  ];
  return {
    "tsconfig.json": JSON.stringify({
      extends: ["./base.json"],
      compilerOptions: {
        ...{ strict: true, noEmit: false, composite: true, incremental: true, declaration: true },
        ...{ outDir: join(trace, "out"), declarationDir: join(trace, "declarations") },
        ...{ tsBuildInfoFile: join(trace, "state"), generateTrace: join(trace, "trace") },
        plugins: [{ name: "./plugin.js" }, { name: "plugin", transform: "./plugin.js", after: true }],
      },
      include: ["src"],
    }),
    "base.json": JSON.stringify({ compilerOptions: { plugins: [{ name: "./plugin.js" }], types: [] } }),
    "src/a.ts": "export const a: number = 1;\n",
    "plugin.js": js(trace, "plugin"),
    "package.json": JSON.stringify({
      ...{ name: "x", main: "./main.js", scripts: { preinstall: `touch ${trace}/script` } },
      ...{ imports: { "#getExePath": "./main.js" }, packageManager: "yarn@1.0.0", volta: { node: "1.0.0" } },
    }),
    "main.js": js(trace, "main"),
    ".npmrc": `node-options=--require=./main.js\nscript-shell=./evil.sh\n`,
    ".yarnrc.yml": "yarnPath: ./main.js\n",
    ".pnp.cjs": js(trace, "pnp"),
    ".pnp.loader.mjs": `import fs from "node:fs"; fs.writeFileSync(${JSON.stringify(join(trace, "loader"))}, "");`,
    ".envrc": sh(trace, "envrc"),
    ".python-version": "../../evil\n",
    ".tool-versions": "python ../evil\n",
    "pyvenv.cfg": "home = .\n",
    "evil.pth": `import os; os.system("touch ${trace}/pth")\n`,
    "evil.sh": sh(trace, "shell"),
    Makefile: `all:\n\ttouch ${trace}/make\n`,
    ...Object.fromEntries(
      ["node", "tsc", "python3", "npx", "git"].map((name) => [`bin/${name}`, sh(trace, name)]),
    ),
    ".venv/bin/python3": sh(trace, "venv"),
    "node_modules/.bin/tsc": sh(trace, "dot-bin"),
    ...Object.fromEntries(scripts.map((name) => [`${name}.js`, js(trace, name.replaceAll("/", "-"))])),
    ...Object.fromEntries(
      scripts
        .slice(2)
        .map((name) => [`node_modules/${name}/index.js`, js(trace, `module-${name.replaceAll("/", "-")}`)]),
    ),
    ...Object.fromEntries(shadows.map((name) => [`${name}.py`, py(trace, name.replaceAll("/", "-"))])),
    "cookie.py": "# -*- coding: evil -*-\n",
    "a.py": "value = 1\n",
  };
}

function setUp(t: TestContext) {
  const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-readers-"));
  const [folder, trace] = [join(home, "workspace"), join(home, "trace")];
  for (const each of [folder, trace]) fs.mkdirSync(each);
  const write = (place: string, text: string) => {
    fs.mkdirSync(dirname(place), { recursive: true });
    fs.writeFileSync(place, text, { mode: 0o755 });
  };
  fs.mkdirSync(join(folder, "node_modules/@typescript"), { recursive: true });
  for (const name of fs.readdirSync("node_modules/@typescript"))
    fs.cpSync(resolve("node_modules/@typescript", name), join(folder, "node_modules/@typescript", name), {
      recursive: true,
    });
  fs.cpSync(resolve("node_modules/typescript"), join(folder, "node_modules/typescript"), { recursive: true });
  write(join(folder, "package.json"), "{}");
  write(join(folder, "pyproject.toml"), "");
  const checks = new FolderChecks({
    copyThread: copyThread(),
    ...{ folder, storage: join(home, "storage"), isLeftOut: () => false, unsaved: () => [] },
    programOf: (reader) => readerProgram(reader, folder, [folder]),
    sandbox: async () => undefined,
  });
  t.after(async () => {
    await checks.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  const run = (command: string, proposed: readonly (readonly [string, string])[]) => {
    const reader = readerOf(command);
    assert.ok(reader);
    const check: Check = { id: command, name: "c", command, kind: "static", folder: "f", blind: [], reader };
    return checks.withCopy(proposed, (copy) => copy.run(check, never), never);
  };
  return { folder, trace, run, home };
}

const compiler = "node node_modules/typescript/bin/tsc --noEmit -p .";

for (const [command, broken, finding] of [
  [compiler, ["src/a.ts", "export const a: number = 'text';\n"], /TS2322/],
  ["python3 -I -m compileall -q -f .", ["a.py", "value = = 1\n"], /SyntaxError/],
  ["python3 -I -m py_compile a.py", ["a.py", "value = = 1\n"], /SyntaxError/],
] as const)
  describe(command, () => {
    test("executes nothing in a folder of hostile files, and writes nothing outside its own place", async (t) => {
      const { trace, run } = setUp(t);
      const files = Object.entries(hostileFiles(trace));
      // As in a terminal that has opened the folder.
      withVariable(t, "PATH", `bin:.:./node_modules/.bin:${process.env["PATH"]}`);
      const { end, code, output } = await run(command, files);
      assert.equal(end, "done", output);
      if (!command.includes("compileall")) assert.equal(code, 0, output);
      assert.deepEqual(fs.readdirSync(trace), [], output);
    });

    test("reports the error, and a compiler names the files it has not checked", async (t) => {
      const { run } = setUp(t);
      const script = ["src/index.js", "module.exports = {};\n"] as const;
      const settings = ["tsconfig.json", '{"include":["src"]}'] as const;
      const { code, output, notSeen } = await run(command, [settings, [...broken], script]);
      assert.notEqual(code, 0);
      assert.match(output, finding);
      assert.deepEqual(notSeen, command === compiler ? ["src/index.js"] : undefined);
    });
  });

describe("readerProgram", () => {
  test("takes no program from the folder, and no shim that asks the folder for its version", async (t) => {
    const { folder, home } = setUp(t);
    const shims = join(home, "shims");
    fs.mkdirSync(shims);
    fs.writeFileSync(join(shims, "python3"), "#!/bin/sh\nexec ./evil\n", { mode: 0o755 });
    fs.mkdirSync(join(folder, "bin"));
    fs.copyFileSync(process.execPath, join(folder, "bin/python3"));
    withVariable(t, "PATH", `${join(folder, "bin")}:${shims}:bin`);
    assert.equal(await readerProgram({ program: "python" }, folder, [folder]), undefined);
  });

  test("takes an installed compiler of a supported version", async (t) => {
    const { folder } = setUp(t);
    const find = () => readerProgram({ program: "typescript" }, folder, [folder]);
    assert.equal((await find())?.file, process.execPath);
    const place = join(folder, "node_modules/typescript");
    fs.writeFileSync(join(place, "package.json"), '{"version":"8.0.0"}');
    assert.equal(await find(), undefined);
    fs.renameSync(place, join(folder, "own"));
    fs.symlinkSync("../own", place);
    fs.writeFileSync(join(folder, "own/package.json"), '{"version":"7.0.2"}');
    assert.equal(await find(), undefined, "a package of the folder itself is part of what can be proposed");
  });
});

describe("the hostile files", () => {
  for (const command of ["python3 -m compileall -q -f .", `${compiler} --composite false`])
    test(`leave a trace when ${command} runs unprotected`, (t) => {
      const { folder, trace } = setUp(t);
      for (const [path, text] of Object.entries(hostileFiles(trace))) {
        fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
        fs.writeFileSync(join(folder, path), text);
      }
      spawnSync(command, { cwd: folder, shell: true });
      assert.notDeepEqual(fs.readdirSync(trace), []);
    });
});
