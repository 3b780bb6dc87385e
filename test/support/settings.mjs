// Whatever is said of settings outside of their declarations (src/editor/settings) is written from them: their part of
// package.json, both files of its words, the table of all in src/SETTINGS.md, and that of the most useful in the README.
// `npm run settings` writes; with `--check` it only tells what is not up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const [first, last] = ["<!-- settings -->", "<!-- /settings -->"];

/** Who may set it; a workspace only chooses among what its user allows. */
const setBy = { application: "you", resource: "you, workspace", window: "you, workspace" };

const read = (file) => readFileSync(file, "utf8");

/** @returns {Promise<import("../../src/editor/settings/all-settings.ts")>} */
async function declarations() {
  const { outputFiles } = await build({
    entryPoints: ["src/editor/settings/all-settings.ts"],
    ...{ bundle: true, write: false, format: "esm", platform: "node" },
  });
  const [{ text }] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

/**
 * The part of package.json, and the sentences that it names.
 * @param {import("../../src/editor/settings/all-settings.ts").groups} groups
 */
function configurationOf(groups) {
  const sentences = new Map();
  const name = (key, words) => {
    const known = sentences.get(key);
    if (known !== undefined && known.en !== words.en) throw new Error(`Two sentences are called ${key}.`);
    sentences.set(key, words);
    return `%${key}%`;
  };
  const configuration = Object.entries(groups).map(([id, { title, settings }], at) => ({
    title: name(`settings.${id}`, title),
    order: at + 1,
    properties: Object.fromEntries(
      Object.entries(settings).map(([key, { schema, description, scope, isAdvanced, ignoreSync }], place) => [
        `patchbay.${key}`,
        {
          ...named(schema, `setting.${key}`, name),
          ...(isAdvanced ? { tags: ["advanced"] } : {}),
          scope,
          ...(ignoreSync ? { ignoreSync } : {}),
          order: place + 1,
          markdownDescription: name(`setting.${key}`, description),
        },
      ]),
    ),
  }));
  return { configuration, sentences };
}

/** The same schema with the names of its sentences in their place. `key`: of what the schema describes. */
function named(schema, key, name) {
  const entries = Object.entries(schema).map(([field, value]) => {
    if (field === "enumDescriptions")
      return [field, value.map((words, at) => name(`${key}.${schema.enum[at]}`, words))];
    if (field === "patternErrorMessage") return [field, name(`${key}.wrong`, value)];
    if (isWords(value)) return [field, name(key, value)];
    if (field === "properties") {
      const properties = Object.entries(value).map(([own, its]) => [own, named(its, `${key}.${own}`, name)]);
      return [field, Object.fromEntries(properties)];
    }
    return [field, isObject(value) && field !== "default" ? named(value, key, name) : value];
  });
  return Object.fromEntries(entries);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isWords = (value) => isObject(value) && typeof value.en === "string" && typeof value.zh === "string";

/** What stands in the file, with these sentences where the first of its own sentences about settings stood. */
function withSentences(file, sentences, language) {
  const isOurs = ([key]) => /^settings?\./.test(key);
  const entries = Object.entries(JSON.parse(read(file)));
  const place = entries.findIndex(isOurs);
  const others = entries.filter((entry) => !isOurs(entry));
  const ours = [...sentences].map(([key, words]) => [key, words[language]]);
  return Object.fromEntries(place < 0 ? [...others, ...ours] : others.toSpliced(place, 0, ...ours));
}

function manifestWith(configuration, allSettings) {
  const manifest = JSON.parse(read("package.json"));
  manifest.contributes.configuration = configuration;
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = [...allSettings]
    .filter(([, setting]) => "rule" in setting)
    .map(([key]) => `patchbay.${key}`);
  return manifest;
}

function readmeWith(allSettings) {
  const rows = [...allSettings]
    .filter(([, { isInReadme }]) => isInReadme)
    .map(
      ([key, { schema, description }]) =>
        `| \`${key}\` | ${shown(schema.default)} | ${inShort(description)} |`,
    );
  const table = ["| `patchbay.…` | Default | |", "|---|---|---|", ...rows].join("\n");
  const [head, rest] = read("README.md").split(first);
  const tail = rest?.split(last)[1];
  if (tail === undefined) throw new Error(`The README lacks ${first} or ${last}.`);
  return `${head}${first}\n\n${table}\n\n${last}${tail}`;
}

function pageOf(allSettings) {
  const row = ([key, { schema, description, scope, isAdvanced }]) =>
    `| \`${key}\` | ${shown(schema.default)} | ${setBy[scope]} | ${inShort(description)}${isAdvanced ? " *(advanced)*" : ""} |`;
  return [
    "# Settings",
    "",
    "Only your user settings decide where the key goes, what is spent, what is sent and what runs without asking; a workspace can narrow what you allow.",
    "With several folders open, the folder you work in counts. Advanced settings are hidden in VS Code until you search for `@tag:advanced`.",
    "",
    "| `patchbay.…` | Default | Set by | |",
    "|---|---|---|---|",
    ...[...allSettings].map(row),
    "",
  ].join("\n");
}

function shown(value) {
  if (value === null || value === undefined || value === "") return "–";
  const json = JSON.stringify(value);
  return json.length > 40 ? "see settings" : `\`${cell(json.replaceAll('"', ""))}\``;
}

const inShort = ({ en }) => cell(/^.*?[.](?=\s|$)/s.exec(en)?.[0] ?? en);
const cell = (text) =>
  text
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ")
    .replaceAll(/`#patchbay\.([\w.]+)#`/g, "`patchbay.$1`");

const { groups, allSettings } = await declarations();
const { configuration, sentences } = configurationOf(groups);
const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;
/** Of JSON what it says counts, not its lines: a formatter has its own. */
const files = {
  "package.json": json(manifestWith(configuration, allSettings)),
  "package.nls.json": json(withSentences("package.nls.json", sentences, "en")),
  "package.nls.zh-cn.json": json(withSentences("package.nls.zh-cn.json", sentences, "zh")),
  "README.md": readmeWith(allSettings),
  "src/SETTINGS.md": pageOf(allSettings),
};
const plain = (file, text) => (file.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text);
const stale = Object.keys(files).filter((file) => plain(file, files[file]) !== plain(file, read(file)));
if (process.argv.includes("--check")) {
  if (stale.length > 0) {
    console.error(`Not as the settings are declared: ${stale.join(", ")}. \`npm run settings\` writes them.`);
    process.exitCode = 1;
  }
} else for (const file of stale) writeFileSync(file, files[file]);
