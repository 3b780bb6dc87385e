// Gets one folder out of one npm package, by npm itself: whatever registry, proxy and certificates npm is set up with
// are used, and none is named here.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { quietly } from "./processes.mjs";

export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** What lies under `inside` of the package `name` comes to lie in the folder `into`. */
export async function unpackPackage(name, inside, into) {
  const packed = await quietly(npm, ["pack", name, "--silent", "--pack-destination", into], { cwd: into });
  const archive = join(into, packed.split("\n").at(-1));
  const depth = inside.split("/").length;
  await quietly("tar", [
    "xzf",
    archive,
    "--no-same-owner",
    "-C",
    into,
    `--strip-components=${depth}`,
    inside,
  ]);
  rmSync(archive);
}
