// Nobody hears of anything but the service: no telemetry, no other host, nothing in what VS Code copies to other machines.
// The sources are read, since what is not there cannot be called.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const files = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && file.name.endsWith(".ts"))
  .map((file) => {
    const path = join(file.parentPath, file.name);
    return { path, source: readFileSync(path, "utf8") };
  });
const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const found = (pattern: RegExp) =>
  files.flatMap(({ path, source }) => [...source.matchAll(pattern)].map(([text]) => `${path}: ${text}`));

test("only the network files import network modules, and no source uses telemetry", () => {
  const values =
    /^import (?!type )[^;]*? from "((?:node:)?(?:http|https|http2|net|tls|dgram|dns)\b[^"]*|undici[^"]*)"/gm;
  const importing = files.filter(({ source }) => source.search(values) >= 0).map(({ path }) => path);
  // Beside the one that sends: the system's authorities, the way through a proxy, and requests that VS Code dials itself.
  assert.deepEqual(importing.sort(), [
    "src/editor/connection/vscode-network.ts",
    "src/service/internal/open-connections.ts",
    "src/service/internal/proxy.ts",
    "src/service/internal/trusted-authorities.ts",
  ]);
  assert.deepEqual(found(/\b(?:net|tls)\.(?:connect|createConnection|createServer)\b/g), []);
  assert.deepEqual(
    found(
      /\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|EventSource\(|TelemetryLogger|child_process|\brequire\("node:(http|net|tls)/g,
    ).sort(),
    // Checks that a person has accepted, on a copy, with Git to list its files, and what locks them in; Git for its notes
    // and for commits, without a transport; and VS Code's own ripgrep.
    [
      "src/checks/internal/command-launcher.ts: child_process",
      "src/checks/internal/copy/shadow-copy.ts: child_process",
      "src/checks/internal/run-check-command.ts: child_process",
      "src/checks/internal/sandbox/bubblewrap.ts: child_process",
      "src/checks/internal/sandbox/find-sandbox.ts: child_process",
      "src/checks/internal/sandbox/remove-tree.ts: child_process",
      "src/checks/internal/sandbox/run-with-limits.ts: child_process",
      "src/checks/internal/sandbox/seatbelt.ts: child_process",
      "src/editor/provenance/internal/git.ts: child_process",
      "src/tools/ripgrep.ts: child_process",
      "src/trials/internal/git-objects.ts: child_process",
    ],
  );
});

test("the sources contain no URLs but examples and the names of two formats", () => {
  const known = [
    "https://host",
    "https://host.",
    "https://inference.example.com",
    "https://base-address.invalid",
    "http://www.w3.org",
  ];
  // What a comment refers to is for who reads it.
  const hosts = files.flatMap(({ source }) =>
    [...source.replace(/^\s*(?:\/?\*|\/\/).*$/gm, "").matchAll(/https?:\/\/[a-z][\w.-]*/g)].map(
      ([host]) => host,
    ),
  );
  assert.deepEqual(
    [...new Set(hosts)].filter((host) => !known.includes(host)),
    [],
  );
});

test("Settings Sync carries only settings, and no setting holds a secret", () => {
  assert.deepEqual(found(/setKeysForSync/g), []);
  // The one number that is kept beside the files is not synchronized unless it is said to be.
  assert.deepEqual(
    [...new Set(found(/\b(?:globalState|workspaceState)\b/g).map((each) => each.split(":")[0]))],
    ["src/main/extension.ts"],
  );
  const names = contributes.configuration.flatMap(({ properties }: { properties: object }) =>
    Object.keys(properties),
  );
  assert.ok(names.length > 30);
  assert.deepEqual(
    names.filter((name: string) => /secret|password|token$|credential|apiKey|conversations$/i.test(name)),
    [],
  );
});
