// Nothing that is done to a copy reaches the folder: whatever is proposed, taken back, deleted or moved in it, whatever links lie
// in it or were left there, and however its dependencies came into it; as root and as an ordinary user.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ShadowCopy, sweepCopies } from "../../../src/checks/internal/copy/shadow-copy.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { pictureOf, writeFolder } from "../../support/folder-picture.ts";
import { canBeNobody, isRoot, passAsOrdinaryUser } from "../../support/ordinary-user.ts";

const never = new AbortController().signal;

const files: Readonly<Record<string, string>> = {
  "package.json": '{"workspaces":["packages/*"]}',
  "composer.json": "{}",
  "go.mod": "module x",
  "src/a.ts": "a",
  "src/deep/b.ts": "b",
  inside: "-> src",
  "packages/own/package.json": "{}",
  "packages/own/index.js": "own",
  "packages/own/node_modules/near/index.js": "near",
  "node_modules/.package-lock.json": "{}",
  "node_modules/own": "-> ../packages/own",
  "node_modules/dep/index.js": "dep",
  "node_modules/dep/lib/deep/x.js": "x",
  "node_modules/linked": "-> .pnpm/linked@1/node_modules/linked",
  "node_modules/.pnpm/linked@1/node_modules/linked/index.js": "linked",
  "node_modules/.bin/tool": "-> ../dep/index.js",
  "node_modules/@org/pkg/index.js": "pkg",
  "vendor/modules.txt": "",
  "vendor/acme/lib/lib.php": "php",
  "vendor/acme/lib/deep/more.php": "more",
  "vendor/github.com/x/y/y.go": "go",
};

const paths = [
  ...Object.keys(files),
  ...["src/new.ts", "inside/a.ts", "inside/deep/b.ts", "vendor/acme/new.php", "vendor/new/new.php"],
  ...["node_modules/linked/index.js", "node_modules/own/index.js", "node_modules/out/victim.js"],
  ...["node_modules/.bin/other", "node_modules/dep/lib/deep/y.js", "ignored/out/victim.js", "left/behind.ts"],
];
const path = fc.constantFrom(...paths);
const texts = fc
  .array(fc.tuple(path, fc.constantFrom(null, "proposed", "another")), { maxLength: 5 })
  .map((all) => [...new Map(all)]);
/** What a program might leave in the copy: a link in place of whatever is there, to the folder or out of it. */
const links = fc.array(fc.tuple(path, fc.constantFrom("same", "parent", "outside", "root")), {
  maxLength: 3,
});
const step = fc.record({
  how: fc.constantFrom("update", "restore", "restore after a proposal"),
  dependencies: fc.constantFrom("own", "links", "none"),
  texts,
  links,
});

interface Places {
  readonly copy: string;
  readonly workspace: string;
  readonly outside: string;
}

/** A path below a file is none, which Node says by throwing. */
function isFolder(path: string): boolean {
  try {
    return fs.lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

function leaveLinks({ copy, workspace, outside }: Places, all: readonly (readonly [string, string])[]): void {
  for (const [name, to] of all) {
    const place = join(copy, name);
    const target = {
      same: join(workspace, name),
      parent: dirname(join(workspace, name)),
      outside,
      root: workspace,
    };
    // A program could remove through a link here; what is asked is only what is done about the link afterwards.
    if (!isFolder(dirname(place))) continue;
    if (fs.realpathSync(dirname(place)) !== dirname(place)) continue;
    fs.rmSync(place, { recursive: true, force: true });
    fs.symlinkSync(target[to as keyof typeof target], place);
  }
}

for (const [kind, dependencyFiles] of [
  ["few", 10_000],
  ["more dependencies than are copied", 0],
] as const)
  describe(`the copy of a folder with ${kind}`, () => {
    test("leaves the folder as it is in every inode, time and byte", async () => {
      const random = fc.array(step, { minLength: 1, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(random, async (steps) => {
          const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-law-"));
          const places = {
            workspace: join(home, "workspace"),
            outside: join(home, "outside"),
            storage: join(home, "s"),
          };
          try {
            writeFolder(places.workspace, files);
            writeFolder(places.outside, { "victim.js": "outside" });
            fs.symlinkSync(places.outside, join(places.workspace, "node_modules/out"));
            const picture = () => [pictureOf(places.workspace), pictureOf(places.outside)];
            const before = picture();
            const copy = await ShadowCopy.open(places.workspace, {
              copyThread: copyThread(),
              storage: places.storage,
              isLeftOut: () => false,
              limits: { dependencyFiles },
            });
            for (const { how, dependencies, texts, links } of steps) {
              if (how === "update") await copy.update(texts, dependencies, never);
              else {
                if (how !== "restore") await copy.begin(never);
                leaveLinks({ ...places, copy: copy.place }, links);
                await copy.restore(texts, how === "restore" ? undefined : 0, never);
              }
              assert.deepEqual(picture(), before);
            }
            leaveLinks({ ...places, copy: copy.place }, steps[0]?.links ?? []);
            await copy.close();
            await sweepCopies(places.storage, Date.now() + 10 * 24 * 3_600_000);
            assert.deepEqual(fs.readdirSync(places.storage), []);
            assert.deepEqual(picture(), before);
          } finally {
            fs.rmSync(home, { recursive: true, force: true });
          }
        }),
        { numRuns: Number(process.env["PATCHBAY_LAW_RUNS"] ?? 40), endOnFailure: true },
      );
    });
  });

if (canBeNobody(import.meta.filename))
  test("the copy of an ordinary user leaves the folder as it is, too", async () => {
    await passAsOrdinaryUser(import.meta.filename, /leaves the folder as it is|is removed however/, {
      PATCHBAY_LAW_RUNS: "8",
    });
  });
else if (isRoot) console.log("  This machine lets nobody but root run these tests.");

describe("a copy", () => {
  test("is removed however deep its paths, odd its names and strict its modes are", async () => {
    const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-deep-"));
    const [workspace, storage] = [join(home, "workspace"), join(home, "s")];
    writeFolder(workspace, { "a.ts": "a" });
    const copy = await ShadowCopy.open(workspace, {
      copyThread: copyThread(),
      storage,
      isLeftOut: () => false,
    });
    await copy.update([], "links", never);
    const long = "x".repeat(250);
    const wall = "w".repeat(200);
    fs.mkdirSync(join(copy.place, wall));
    fs.writeFileSync(Buffer.concat([Buffer.from(`${copy.place}/${wall}/`), Buffer.from([0xff, 0xfe])]), "");
    // A path of 7,500 bytes, made as a program makes it: from the inside.
    for (let depth = 0; depth < 30; depth++) {
      const inner = join(copy.place, "inner");
      if (fs.existsSync(inner)) {
        fs.mkdirSync(join(copy.place, "outer"));
        fs.renameSync(inner, join(copy.place, "outer", long));
        fs.renameSync(join(copy.place, "outer"), inner);
      } else fs.mkdirSync(inner);
    }
    fs.chmodSync(join(copy.place, wall), 0o500);
    assert.throws(() => fs.rmSync(join(copy.place, "inner"), { recursive: true }), /ENAMETOOLONG/);
    await copy.restore([], undefined, never);
    assert.deepEqual(fs.readdirSync(copy.place), ["a.ts"]);
    await copy.close();
    fs.rmSync(home, { recursive: true });
  });

  test("keeps the rest of a dependency folder of which a file is proposed, and restores it afterwards", async () => {
    const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-vendor-"));
    const [workspace, storage] = [join(home, "workspace"), join(home, "s")];
    writeFolder(workspace, files);
    const copy = await ShadowCopy.open(workspace, {
      copyThread: copyThread(),
      storage,
      isLeftOut: () => false,
      limits: { dependencyFiles: 0 },
    });
    const has = (name: string) => fs.existsSync(join(copy.place, name));
    await copy.update([["vendor/acme/lib/lib.php", null]], "links", never);
    const seen = () => ["vendor/acme/lib/lib.php", "vendor/acme/lib/deep/more.php"].map(has);
    assert.deepEqual(seen(), [false, true]);
    await copy.update([], "links", never);
    assert.deepEqual(seen(), [true, true]);
    await copy.update([], "links", never);
    assert.deepEqual(seen(), [true, true]);
    await copy.close();
    fs.rmSync(home, { recursive: true });
  });

  test("is rebuilt when its window crashed while a proposal ran on it", async () => {
    const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-died-"));
    const [workspace, storage] = [join(home, "workspace"), join(home, "s")];
    writeFolder(workspace, { "a.ts": "a" });
    const open = () =>
      ShadowCopy.open(workspace, { copyThread: copyThread(), storage, isLeftOut: () => false });
    const first = await open();
    await first.update([], "links", never);
    await first.begin(never);
    writeFolder(first.place, { "dist/forged.js": "forged", ".cache/forged": "forged" });
    await first.close();
    const second = await open();
    assert.equal(second.place, first.place);
    await second.update([], "links", never);
    assert.deepEqual(fs.readdirSync(second.place), ["a.ts"]);
    await second.close();
    fs.rmSync(home, { recursive: true });
  });
});
