// What has to hold before a version is published: `node test/support/publishing.mjs <tag>` says what does not, for
// .github/workflows/publish.yml. The address of the public repository is in package.json alone; until there is one, a host
// that can never exist stands in its place, and nothing is published.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { notesIn } from "./changelog.mjs";

const placeholder = "https://github.example/";

/**
 * The fields of the manifest that name a place nobody has yet.
 * @param {Record<string, unknown>} manifest
 */
export const placeholdersIn = (manifest) =>
  Object.keys(manifest).filter((field) => JSON.stringify(manifest[field]).includes(placeholder));

/** The Marketplace takes no suffixes such as 0.3.0-rc.1: an odd minor is a pre-release, an even one a release. */
export const isPreRelease = (version) => Number(version.split(".")[1]) % 2 === 1;

/**
 * Why this tag cannot be published; empty if it can.
 * @param {{ tag: string, manifest: Record<string, unknown>, changelog: string, notes: number }} release
 */
export function whyNotPublished({ tag, manifest, changelog, notes }) {
  const version = String(manifest.version);
  const fields = placeholdersIn(manifest);
  return [
    fields.length > 0 && `package.json has no public repository yet: ${fields.join(", ")}.`,
    tag !== `v${version}` && `The tag is ${tag}, but package.json says ${version}.`,
    !changelog.includes(`\n## [${version}] - `) && `CHANGELOG.md has no section for ${version}.`,
    notes > 0 && `.github/changes has ${notes} notes: npm run changelog -- ${version}`,
  ].filter((reason) => reason !== false);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const reasons = whyNotPublished({
    tag: process.argv[2] ?? "",
    manifest: JSON.parse(readFileSync("package.json", "utf8")),
    changelog: readFileSync("CHANGELOG.md", "utf8"),
    notes: notesIn().length,
  });
  for (const reason of reasons) console.error(reason);
  process.exitCode = reasons.length > 0 ? 1 : 0;
}
