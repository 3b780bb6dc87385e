// The README's table of settings, made of package.json: name, default, who may set it, what it does.
// `node test/support/settings-table.mjs` writes it between its two marks.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [first, last] = ["<!-- settings -->", "<!-- /settings -->"];

/** Who may set it; a workspace only chooses among what its user allows. */
const scopes = { application: "you", resource: "you, workspace", window: "you, workspace" };

export function settingsTable(manifest, words) {
  const rows = manifest.contributes.configuration
    .flatMap(({ properties }) => Object.entries(properties))
    .map(([name, { default: value, scope, markdownDescription }]) => {
      const text = words[markdownDescription.replaceAll("%", "")] ?? "";
      return `| \`${name.replace("patchbay.", "")}\` | ${shown(value)} | ${scopes[scope]} | ${cell(firstSentence(text))} |`;
    });
  return ["| `patchbay.…` | Default | Set by | What it does |", "|---|---|---|---|", ...rows].join("\n");
}

export function withSettingsTable(readme, table) {
  const [head, rest] = readme.split(first);
  const tail = rest?.split(last)[1];
  if (tail === undefined) throw new Error(`The README lacks ${first} or ${last}.`);
  return `${head}${first}\n\n${table}\n\n${last}${tail}`;
}

function shown(value) {
  if (value === null || value === undefined || value === "") return "–";
  const json = JSON.stringify(value);
  return json.length > 40 ? "see settings" : `\`${cell(json.replaceAll('"', ""))}\``;
}

const firstSentence = (text) => /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
const cell = (text) =>
  text
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ")
    .replaceAll(/`#patchbay\.([\w.]+)#`/g, "`patchbay.$1`");

const read = (file) => readFileSync(file, "utf8");

export const readmeAsItShouldBe = () =>
  withSettingsTable(
    read("README.md"),
    settingsTable(JSON.parse(read("package.json")), JSON.parse(read("package.nls.json"))),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync("README.md", readmeAsItShouldBe());
