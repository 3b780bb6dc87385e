// The rooms of `src` and who may import whom (src/README.md, "Rooms"): read from the import statements, compared with
// the table in rooms.json. A step of `npm run check`.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Rules
 * @property {Readonly<Record<string, readonly string[]>>} imports For each room the rooms it may import, or single doors
 *   of them (`bridge/protocol`), besides the rooms of `everywhere`.
 * @property {readonly string[]} everywhere Rooms that every room may import; each of them may import those before it.
 * @property {Readonly<Record<string, number>>} doors Rooms that may have another number of doors than six.
 * @property {readonly string[]} leaves Rooms without `internal/`, of which every file is a door.
 * @property {Readonly<Record<string, readonly string[]>>} packages Packages that only these files or folders may import.
 * @property {readonly string[]} entries Files that are read by the build or the editor and imported by nobody.
 */

/** @returns {Rules} the rules of this repository */
export const readRules = () => JSON.parse(readFileSync("test/support/rooms.json", "utf8"));

const maxDoors = 6;
const importStatement = /^(?:import|export)\b[^;"]*?(?:from\s*)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** @param {string} root @returns {ReadonlyMap<string, readonly string[]>} each file of `src` with what it imports */
export function readImports(root) {
  const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith(".ts") && !one.name.endsWith(".d.ts"))
    .map((one) => posix.normalize(`${one.parentPath.replaceAll("\\", "/")}/${one.name}`))
    .map((file) => file.slice(file.lastIndexOf("/src/") + 1))
    .sort();
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const found = [...text.matchAll(importStatement)].map(([, from, dynamic]) => from ?? dynamic ?? "");
      return [file, found.map((each) => (each.startsWith(".") ? posix.join(dirname(file), each) : each))];
    }),
  );
}

/**
 * The room of a file: `patch`, `checks/editor` for a room's part in VS Code, `editor/review` for a part of the editor's
 * own room.
 * @param {string} file
 */
export function roomOf(file) {
  const [, room = "", part = ""] = file.split("/");
  if (part === "editor" || (room === "editor" && !part.endsWith(".ts"))) return `${room}/${part}`;
  return room;
}

/** The folder whose files alone may import this one. @param {string} file */
const ownerOf = (file) => file.match(/^(.*?)\/internal\//)?.[1];

/** @param {string} root @param {Rules} rules @returns {readonly string[]} one sentence for each rule that is broken */
export function brokenRules(root, rules) {
  const imports = readImports(root);
  const problems = [];
  /** @type {Map<string, Set<string>>} */
  const doors = new Map();
  /** @type {Map<string, Set<string>>} */
  const uses = new Map();
  const used = new Set();
  for (const [file, targets] of imports) {
    const room = roomOf(file);
    for (const target of targets) {
      if (!target.startsWith("src/")) {
        const name = target.split("/")[0] ?? "";
        const places = Object.hasOwn(rules.packages, name) ? rules.packages[name] : undefined;
        if (places?.some((place) => matches(file, place)) === false)
          problems.push(`${file} may not import ${target}: that is for ${places.join(", ")}.`);
        continue;
      }
      const owner = ownerOf(target);
      if (owner !== undefined && !file.startsWith(`${owner}/`))
        problems.push(`${file} may not import ${target}: it is internal to ${owner}.`);
      const other = roomOf(target);
      if (other === room) continue;
      uses.set(room, (uses.get(room) ?? new Set()).add(other));
      used.add(`${room} ${other}`).add(`${room} ${doorOf(target)}`);
      // A room's part in the editor is of the room: what it imports there is no door.
      if (room !== `${other}/editor`) doors.set(other, (doors.get(other) ?? new Set()).add(target));
      if (!mayImport(room, other, target, rules))
        problems.push(`${file} may not import ${target}: ${room} does not know ${other}.`);
    }
  }
  problems.push(...circles(uses));
  for (const [room, allowed] of Object.entries(rules.imports))
    for (const other of allowed)
      if (!used.has(`${room} ${other}`))
        problems.push(`${room} may import ${other} and does not: take it out of rooms.json.`);
  for (const [room, files] of doors) {
    const most = rules.doors[room] ?? maxDoors;
    if (!rules.leaves.includes(room) && files.size > most)
      problems.push(`${room} has ${files.size} doors, ${most} at most: ${[...files].sort().join(", ")}.`);
  }
  for (const file of imports.keys()) {
    const room = roomOf(file);
    const isDoor = doors.get(room)?.has(file) === true || rules.leaves.includes(room);
    if (!isDoor && !file.includes("/internal/") && !rules.entries.includes(file))
      problems.push(`${file} is used by ${room} alone: it belongs in internal/.`);
  }
  return problems;
}

/** `bridge/protocol` of `src/bridge/protocol.ts`. @param {string} file */
const doorOf = (file) => file.slice("src/".length, -".ts".length);

/** @param {string} room @param {string} other @param {string} target the file of the other room @param {Rules} rules */
function mayImport(room, other, target, { imports, everywhere }) {
  // What knows VS Code puts the others together: it may import every room but the page, and circles are refused.
  if (/^(?:main|editor(?:\/.*)?|.*\/editor)$/.test(room)) return other !== "page" && other !== "main";
  if (everywhere.includes(room))
    return everywhere.indexOf(other) < everywhere.indexOf(room) && everywhere.includes(other);
  return (
    everywhere.includes(other) ||
    [other, doorOf(target)].some((each) => imports[room]?.includes(each) === true)
  );
}

/** @param {string} file @param {string} place a folder, a file, or `*` for any one folder */
const matches = (file, place) =>
  new RegExp(`^${place.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}(?:/|$)`).test(file);

/** @param {ReadonlyMap<string, ReadonlySet<string>>} uses */
function circles(uses) {
  const found = [];
  const done = new Set();
  /** @param {string} room @param {readonly string[]} path */
  function follow(room, path) {
    if (path.includes(room))
      found.push(`A circle of rooms: ${[...path.slice(path.indexOf(room)), room].join(" → ")}.`);
    else if (!done.has(room)) {
      for (const next of uses.get(room) ?? []) follow(next, [...path, room]);
      done.add(room);
    }
  }
  for (const room of uses.keys()) follow(room, []);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const broken = brokenRules(process.cwd(), readRules());
  for (const each of broken) console.error(each);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
