// What a public repository and a gallery read: the manifest, the workflows, the forms and pages of .github.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { allSettings } from "../../src/editor/settings/all-settings.ts";
import { isPreRelease, placeholdersIn, whyNotPublished } from "../support/publishing.mjs";

const read = (file: string) => readFileSync(file, "utf8");
const manifest = JSON.parse(read("package.json"));

/** The parser with which mocha reads its own configuration. */
const ours = createRequire(join(process.cwd(), "package.json"));
const yaml = createRequire(ours.resolve("mocha"))("js-yaml") as { load(text: string): unknown };

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Record<
    string,
    {
      readonly uses?: string;
      readonly steps?: readonly Step[];
      readonly needs?: string;
      readonly env?: Record<string, string>;
      readonly strategy?: { readonly matrix: Record<string, readonly unknown[]> };
    }
  >;
}
const workflows = ".github/workflows";
const workflow = (name: string) => yaml.load(read(join(workflows, name))) as Workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

describe("a workflow", () => {
  const files = readdirSync(workflows);

  test("runs only scripts and files that exist", () => {
    const commands = files.flatMap((file) => stepsOf(workflow(file)).flatMap(({ run = [] }) => run));
    assert.ok(commands.length >= 5);
    const scripts = commands.flatMap((command) => /\bnpm (?:run )?([\w:]+)/.exec(command)?.[1] ?? []);
    assert.ok(scripts.length >= 2);
    for (const script of scripts) assert.ok(script in manifest.scripts, script);
    const paths = commands.flatMap((command) => /\b(?:bash|node) (\S+)/.exec(command)?.[1] ?? []);
    assert.ok(paths.length >= 2);
    for (const path of paths) assert.ok(existsSync(path), path);
  });

  test("has read-only permissions and uses actions by their major version", () => {
    for (const file of files) {
      const { permissions, jobs } = workflow(file);
      assert.deepEqual(permissions, { contents: "read" }, file);
      for (const { uses = "" } of [...Object.values(jobs), ...stepsOf(workflow(file))])
        assert.match(uses, /^$|^actions\/[\w-]+@v\d+$|^\.\/\.github\/workflows\/test\.yml$/, file);
    }
  });

  test("runs on three systems with the current and the oldest VS Code", () => {
    const matrix = workflow("test.yml").jobs["test"]?.strategy?.matrix;
    assert.deepEqual(matrix?.["os"], ["ubuntu-latest", "windows-latest", "macos-latest"]);
    assert.deepEqual(matrix?.["vscode"], ["current", "oldest"]);
  });

  test("runs the tests of the window in the server build of the oldest VS Code", () => {
    const job = workflow("test.yml").jobs["test"];
    assert.deepEqual(job?.strategy?.matrix["include"], [
      { os: "ubuntu-latest", vscode: "server" },
      { os: "ubuntu-latest", vscode: "server-oldest" },
    ]);
    const step = job?.steps?.find(({ run }) => run === "npm run test:ui");
    assert.equal(step?.if, "matrix.vscode == 'server-oldest'");
    assert.match(job?.env?.["PATCHBAY_VSCODE"] ?? "", /endsWith\(matrix\.vscode, 'oldest'\) && 'oldest'/);
  });

  test("publishes only after the jobs package, test and check, with one secret per gallery and no checkout", () => {
    const { jobs } = workflow("publish.yml");
    const needed = (name: string): string[] => {
      const needs = jobs[name]?.needs;
      return needs === undefined ? [] : [needs, ...needed(needs)];
    };
    const galleries = { marketplace: "VSCE_PAT", "open-vsx": "OVSX_PAT" };
    for (const [name, secret] of Object.entries(galleries)) {
      assert.deepEqual(needed(name), ["package", "test", "check"]);
      const steps = jobs[name]?.steps ?? [];
      assert.ok(!steps.some(({ uses = "" }) => uses.startsWith("actions/checkout")));
      assert.deepEqual(
        steps.flatMap(({ env = {} }) => Object.entries(env)),
        [[secret, `\${{ secrets.${secret} }}`]],
      );
    }
    const secrets = read(join(workflows, "publish.yml")).match(/secrets\.\w+/g);
    assert.deepEqual(secrets, ["secrets.VSCE_PAT", "secrets.OVSX_PAT"]);
    const { "@vscode/vsce": vsce } = manifest.devDependencies;
    assert.match(read(join(workflows, "publish.yml")), new RegExp(`@vscode/vsce@${vsce} publish`));
  });
});

describe("publishing", () => {
  const ready = {
    tag: "v1.2.0",
    manifest: { version: "1.2.0", repository: "https://example.com" },
    changelog: "# Changelog\n\n## [1.2.0] - 2026-12-01\n",
    notes: 0,
  };

  test("is refused while the manifest has placeholders, and each one is named", () => {
    const left = placeholdersIn(manifest);
    assert.ok(left.length === 0 || left.join() === "repository,bugs,homepage,qna", left.join());
    const placeholder = { ...ready.manifest, bugs: { url: "https://github.example/a/b/issues" } };
    assert.deepEqual(whyNotPublished({ ...ready, manifest: placeholder }), [
      "package.json has no public repository yet: bugs.",
    ]);
    assert.deepEqual(whyNotPublished(ready), []);
  });

  test("is refused when tag, version and changelog disagree", () => {
    assert.match(whyNotPublished({ ...ready, tag: "v1.2.1" }).join(), /^The tag is v1\.2\.1/);
    assert.match(whyNotPublished({ ...ready, changelog: "" }).join(), /^CHANGELOG\.md has no section/);
    assert.match(whyNotPublished({ ...ready, notes: 2 }).join(), /npm run changelog -- 1\.2\.0$/);
  });

  test("makes a pre-release of an odd minor version", () => {
    assert.deepEqual(["0.2.0", "0.3.1", "1.10.3"].map(isPreRelease), [false, true, false]);
  });

  test("has its gallery metadata in the manifest", () => {
    const { keywords, galleryBanner, pricing, preview, qna, bugs, homepage, repository } = manifest;
    assert.ok(keywords.length > 0 && keywords.length <= 20);
    assert.deepEqual([pricing, preview, galleryBanner.theme], ["Free", true, "dark"]);
    for (const url of [qna, bugs.url, homepage, repository.url])
      assert.ok(url.startsWith(repository.url.replace(/\.git$/, "")), url);
  });
});

describe("a form for issues", () => {
  const folder = ".github/ISSUE_TEMPLATE";
  for (const file of readdirSync(folder).filter((name) => name !== "config.yml"))
    test(`${file} has the fields that GitHub requires`, () => {
      const { name, description, body } = yaml.load(read(join(folder, file))) as {
        readonly name: string;
        readonly description: string;
        readonly body: readonly { type: string; id?: string; attributes: Record<string, unknown> }[];
      };
      assert.ok(name.length > 3 && description.length > 10);
      const fields = body.filter(({ type }) => type !== "markdown");
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length);
      for (const { type, id, attributes } of body) {
        assert.match(type, /^(markdown|textarea|input|dropdown|checkboxes)$/);
        assert.equal(typeof attributes[type === "markdown" ? "value" : "label"], "string", id);
      }
    });

  test("names only existing commands", () => {
    const words = JSON.parse(read("package.nls.json")) as Record<string, string>;
    const titles = new Set(Object.values(words));
    const texts = [join(folder, "bug.yml"), ".github/SUPPORT.md", ".github/ADMINISTRATORS.md"]
      .map(read)
      .join();
    const named = [...texts.matchAll(/\*\*Patchbay: ([^*]+)\*\*/g)].map(([, title = ""]) => title);
    assert.ok(named.length >= 6);
    assert.deepEqual(
      named.filter((title) => !titles.has(title)),
      [],
    );
  });
});

describe("the pages of .github", () => {
  const pages = readdirSync(".github").filter((name) => name.endsWith(".md"));

  test("link only to existing files", () => {
    for (const page of pages)
      for (const [, link = ""] of read(join(".github", page)).matchAll(/\]\(([^)#]+)[^)]*\)/g))
        if (!link.startsWith("https://"))
          assert.ok(existsSync(join(dirname(join(".github", page)), link)), `${page} links to ${link}`);
  });

  test("list the settings a workspace can set and those excluded from Settings Sync", () => {
    const page = read(".github/ADMINISTRATORS.md");
    const [, list = ""] = page.split(/<!-- \/?workspace settings -->/);
    const named = [...list.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);
    const all = [...allSettings].map(([name, setting]) => ({ name: name.replace("patchbay.", ""), setting }));
    const open = all.filter(({ setting }) => setting.scope !== "application").map(({ name }) => name);
    assert.deepEqual(named, open.toSorted());
    const [, sync = ""] = /## Settings Sync\n\n(.*?)\. All other/s.exec(page) ?? [];
    const stays = all.filter(({ setting }) => setting.ignoreSync).map(({ name }) => `patchbay.${name}`);
    assert.deepEqual([...sync.matchAll(/`([\w.]+)`/g)].map(([, name]) => name).toSorted(), stays.toSorted());
  });
});
