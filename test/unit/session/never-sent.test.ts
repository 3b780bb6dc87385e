// What is never sent, whatever form it is attached in: pictures, and what lies in no folder of the workspace.
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Attachment } from "../../../src/conversation/state.ts";
import { text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { startTalk } from "../../support/talk.ts";
import { attach } from "./attach-talk.ts";

const canary = "canary-of-the-bytes";
const signature = Buffer.from("89504e470d0a1a0a", "hex");
const png = Buffer.concat([signature, Buffer.from(canary)]);
const base64 = png.toString("base64");
const url = `data:image/png;base64,${base64}`;

function assertNothingLeft(raw: string): void {
  for (const left of [base64, canary, Buffer.from(canary).toString("base64").slice(4, -4)])
    assert.ok(!raw.includes(left), left);
}

test("an image of the workspace is sent unchanged and named by its path", async () => {
  const { input, views } = await attach([{ kind: "file", path: "docs/a.PNG" }], "Look.", ({ workspace }) =>
    workspace.write("work/docs/a.PNG", png),
  );
  const [part] = input[0]?.["content"] as { type: string; image_url?: string }[];
  assert.equal(part?.image_url, url);
  assert.deepEqual(views, [{ kind: "image", label: "docs/a.PNG", bytes: png.length }]);
});

test("an image that is ignored, linked to an ignored one or outside the workspace is not sent", async () => {
  const wishes = ["secrets/passport.png", "link.png", "out.png", "words.png", "gone.png"].map(
    (path): Attachment => ({ kind: "file", path }),
  );
  const { raw, views, talk } = await attach(wishes, "Look.", ({ workspace }) => {
    workspace.write("work/.patchbayignore", "secrets/\n");
    workspace.write("work/secrets/passport.png", png);
    symlinkSync("secrets/passport.png", join(workspace.root, "work/link.png"));
    workspace.write("outside.png", png);
    symlinkSync("../outside.png", join(workspace.root, "work/out.png"));
    // A text is no picture, whatever it is called: nothing would have looked for secrets in it.
    workspace.write("work/words.png", canary);
  });
  assertNothingLeft(raw);
  assert.deepEqual(new Set(talk.workspace.handedOut), new Set(["work/.patchbayignore", "work/words.png"]));
  assert.deepEqual(
    views.map(({ notes, bytes }) => [english(notes), bytes]),
    [
      ['"secrets/passport.png" cannot be read: it is on the list of files that are never sent.', 0],
      ['"link.png" cannot be read: it is on the list of files that are never sent.', 0],
      ['"out.png" cannot be read: it leads out of the workspace.', 0],
      ['"words.png" is not an image that can be sent.', 0],
      ['There is no "gone.png".', 0],
    ],
  );
});

test("texts and images from outside all folders follow the same rules, by name and by location", async () => {
  const talk = await startTalk();
  const { root } = talk.workspace;
  talk.workspace.write("work/.patchbayignore", "private/\n");
  const addressOf = (path: string) => pathToFileURL(join(root, path)).href;
  const put = (path: string) => {
    talk.workspace.write(path, canary);
    return addressOf(path);
  };
  const env = put("elsewhere/.env");
  symlinkSync(".env", join(root, "elsewhere/notes.txt"));
  const texts = [
    { name: ".env", place: env },
    { name: "notes.txt", place: addressOf("elsewhere/notes.txt") },
    { name: "credentials", place: put("home/.aws/credentials") },
    { name: "config.json", place: put("home/.docker/config.json") },
    { name: "letter.txt", place: put("elsewhere/private/letter.txt") },
    { name: "id_rsa" },
    { name: "odd.txt", place: "no address" },
  ].map((each): Attachment => ({ kind: "text", text: canary, ...each }));
  const picture: Attachment = { kind: "image", name: "p.png", url, place: put("elsewhere/private/p.png") };
  talk.sim.reply(text("I see."));
  const { attachments: views } = await talk.ask({ prompt: "Look.", attachments: [...texts, picture] });
  const { raw } = talk.bodies()[0] ?? assert.fail();
  assertNothingLeft(raw);
  assert.deepEqual(
    views.map(({ bytes }) => bytes),
    [0, 0, 0, 0, 0, 0, 0, 0],
  );
  assert.equal(
    english(views[0]?.notes),
    '".env" cannot be read: it is on the list of files that are never sent.',
  );
  assert.equal(english(views[6]?.notes), '"odd.txt" could not be read.');
});

test("an outside text hides its location and is not sent while the ignore file is unreadable", async () => {
  const place = pathToFileURL("/home/somebody/elsewhere/a.txt").href;
  const { raw, views } = await attach([{ kind: "text", name: "a.txt", text: "free words", place }]);
  assert.match(raw, /free words/);
  assert.doesNotMatch(raw, /somebody/);
  assert.equal(views[0]?.notes, undefined);
  const broken = await attach(
    [{ kind: "text", name: "a.txt", text: canary, place }],
    "Look.",
    ({ workspace }) => workspace.write("work/.patchbayignore", "[oops\n"),
  );
  assertNothingLeft(broken.raw);
});
