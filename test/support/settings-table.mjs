// The tables of settings, made of package.json: all of them in src/SETTINGS.md, the most useful ones in the README.
// `node test/support/settings-table.mjs` writes both.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [first, last] = ["<!-- settings -->", "<!-- /settings -->"];

/** What most people change, in the order of the README. */
export const inTheReadme = [
  "baseUrl",
  "model.default",
  "models",
  "reasoning.effort",
  "webSearch.default",
  "languageModel.enabled",
  "instructions.user",
  "prompts",
  "agent.tools",
  "patch.apply",
  "context.ignore",
  "chat.sendKey",
  "estimate.mode",
  "pricing",
  "spend.askAboveTokens",
];

/** Who may set it; a workspace only chooses among what its user allows. */
const scopes = { application: "you", resource: "you, workspace", window: "you, workspace" };

const read = (file) => readFileSync(file, "utf8");

function allSettings() {
  const words = JSON.parse(read("package.nls.json"));
  return JSON.parse(read("package.json"))
    .contributes.configuration.flatMap(({ properties }) => Object.entries(properties))
    .map(([id, { default: value, scope, markdownDescription, tags = [] }]) => ({
      name: id.replace("patchbay.", ""),
      value: shown(value),
      scope: scopes[scope],
      text: cell(firstSentence(words[markdownDescription.replaceAll("%", "")] ?? "")),
      advanced: tags.includes("advanced"),
    }));
}

export function readmeAsItShouldBe() {
  const settings = allSettings();
  const rows = inTheReadme.map((name) => {
    const found = settings.find((setting) => setting.name === name);
    if (!found) throw new Error(`There is no setting ${name}.`);
    return `| \`${name}\` | ${found.value} | ${found.text} |`;
  });
  const table = ["| `patchbay.…` | Default | |", "|---|---|---|", ...rows].join("\n");
  const [head, rest] = read("README.md").split(first);
  const tail = rest?.split(last)[1];
  if (tail === undefined) throw new Error(`The README lacks ${first} or ${last}.`);
  return `${head}${first}\n\n${table}\n\n${last}${tail}`;
}

export function allAsItShouldBe() {
  const row = ({ name, value, scope, text, advanced }) =>
    `| \`${name}\` | ${value} | ${scope} | ${text}${advanced ? " *(advanced)*" : ""} |`;
  return [
    "# Settings",
    "",
    "Only your user settings decide where the key goes, what is spent, what is sent and what runs without asking; a workspace can narrow what you allow.",
    "With several folders open, the folder you work in counts. Advanced settings are hidden in VS Code until you search for `@tag:advanced`.",
    "",
    "| `patchbay.…` | Default | Set by | |",
    "|---|---|---|---|",
    ...allSettings().map(row),
    "",
  ].join("\n");
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync("README.md", readmeAsItShouldBe());
  writeFileSync("src/SETTINGS.md", allAsItShouldBe());
}
