// Every kind of request as a file that a reviewer reads. After a change of what models are told:
//   PATCHBAY_GOLDEN=write npm test -- requests-golden
// writes the files anew, and their diff is what is reviewed.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { featuresOf, LocalEstimate } from "../../src/usage/local-estimate.ts";
import type { SeenRequest } from "../sim/request-log.ts";
import { type KnownRequest, readableRequest } from "../support/readable-request.ts";
import { scenes } from "../support/request-scenes.ts";
import type { Scene } from "../support/scene-parts.ts";
import { openStage } from "../support/scene-stage.ts";

const folder = "test/fixtures/requests";
const isWriting = process.env["PATCHBAY_GOLDEN"] === "write";

async function requestsOf({ play, shows = 1 }: Scene): Promise<readonly SeenRequest[]> {
  const stage = await openStage();
  try {
    await play(stage);
    stage.sim.done();
    return stage.generations().slice(-shows);
  } finally {
    await stage.close();
  }
}

/** What the others are told to be like: the first question of each of the two operations. */
const wholeScenes = scenes.filter(({ name }) => name.startsWith("first-question"));

describe("requests", () => {
  const whole = new Map<Scene, SeenRequest>();
  const known = (before: Scene): KnownRequest[] =>
    [...whole].flatMap(([scene, { body }]) =>
      scene === before ? [] : [{ name: `${scene.name}.txt`, body }],
    );

  before(async () => {
    if (isWriting) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
    }
    for (const scene of wholeScenes) {
      const [request] = await requestsOf(scene);
      assert.ok(request);
      whole.set(scene, request);
    }
  });

  for (const scene of scenes)
    test(`match test/fixtures/requests: ${scene.name}`, async () => {
      const { name, about, shows = 1 } = scene;
      const requests = await requestsOf(scene);
      assert.equal(requests.length, shows);
      const options = { known: wholeScenes.includes(scene) ? [] : known(scene) };
      const dump = [about, ...requests.map((request) => readableRequest(request, options))].join("\n\n");
      const file = join(folder, `${name}.txt`);
      if (isWriting) writeFileSync(file, dump);
      const golden = existsSync(file) ? readFileSync(file, "utf8") : "";
      assert.equal(
        dump,
        golden,
        "Look at what is different; PATCHBAY_GOLDEN=write npm test -- requests-golden",
      );
    });

  test("have no golden file without a scene", () => {
    assert.deepEqual(readdirSync(folder).sort(), scenes.map(({ name }) => `${name}.txt`).sort());
  });

  test("have at most 2,200 tokens for a first question with all tools and surroundings", async () => {
    const scene = scenes.find(({ name }) => name === "surroundings");
    const [first] = scene === undefined ? [] : await requestsOf(scene);
    assert.ok(first);
    const { instructions, tools, input } = first.body;
    const texts = [String(instructions), ...(tools as object[]), ...(input as object[])].map((each) =>
      typeof each === "string" ? each : JSON.stringify(each),
    );
    const { tokens } = new LocalEstimate().count("svc-k3", featuresOf({ texts }));
    assert.ok(tokens <= 2200, `${tokens}`);
  });
});
