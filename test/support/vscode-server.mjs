// One running VS Code server build with its front: `startVsCodeServer` answers the address to open in a browser.
// It knows nothing of browsers, tests or our extension.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment } from "./environment.mjs";
import { startFront } from "./front.mjs";
import { quietly, start } from "./processes.mjs";
import { removeFolder } from "./remove-folder.mjs";

/**
 * `home` holds everything this VS Code writes; without one it is a temporary folder that `close` removes.
 * `extension` is a folder in development, or several of them, `suite` a module that runs tests, `keys` are the user's key bindings, `env` is
 * what the extension host sees, `paths` may name other folders for user data and extensions.
 */
export async function startVsCodeServer(options) {
  const { tools, home, port, extension, suite, settings, keys, trusted = true, env = {} } = options;
  const folder = home ?? mkdtempSync(join(tmpdir(), "patchbay-vscode-"));
  const paths = { ...serverPaths(folder), ...options.paths };
  for (const path of [paths.user, paths.extensions]) mkdirSync(path, { recursive: true });
  if (settings !== undefined) writeSettings(paths.user, settings);
  if (keys !== undefined) writeForUser(paths.user, "keybindings.json", keys);
  const listeners = new Set();
  const server = start(
    tools.node,
    [join(tools.server, "out", "server-main.js"), ...serverArgs(paths, trusted)],
    {
      env: cleanEnvironment({ ...env, EXTENSIONS_GALLERY: "{}", XDG_RUNTIME_DIR: folder }),
      onLine: (line) => {
        for (const listener of listeners) listener(line);
      },
    },
  );
  const lines = [];
  listeners.add((line) => lines.push(line));
  await reachable(paths.socket, server.exited, lines);
  const front = await startFront({ socketPath: paths.socket, userData: paths.user, port, extension, suite });
  return {
    origin: front.origin,
    folder,
    lines,
    exited: server.exited,
    onLine: (listener) => listeners.add(listener),
    /** The page that shows this folder. `open` names files to show in an editor. */
    url: (workspace, open = []) => pageUrl(front.origin, workspace, open),
    async close() {
      await server.stop();
      await front.close();
      if (home === undefined) await removeFolder(folder);
    },
  };
}

/** Installs a packed extension where a server with this home finds it. */
export async function installExtension({ tools, home, vsix }) {
  const { extensions, data } = serverPaths(home);
  await quietly(tools.node, [
    join(tools.server, "out", "server-main.js"),
    "--accept-server-license-terms",
    `--server-data-dir=${data}`,
    `--extensions-dir=${extensions}`,
    `--install-extension=${vsix}`,
  ]);
}

const serverPaths = (folder) => ({
  socket:
    process.platform === "win32" ? `\\\\.\\pipe\\patchbay-${process.pid}-${Date.now()}` : join(folder, "s"),
  data: join(folder, "data"),
  user: join(folder, "user"),
  extensions: join(folder, "extensions"),
});

function serverArgs({ socket, data, user, extensions }, trusted) {
  return [
    "--accept-server-license-terms",
    "--without-connection-token",
    `--socket-path=${socket}`,
    `--server-data-dir=${data}`,
    `--user-data-dir=${user}`,
    `--extensions-dir=${extensions}`,
    "--telemetry-level=off",
    "--force-disable-user-env",
    ...(trusted ? ["--disable-workspace-trust"] : []),
  ];
}

export const writeSettings = (user, settings) => writeForUser(user, "settings.json", settings);

function writeForUser(user, name, content) {
  mkdirSync(join(user, "User"), { recursive: true });
  writeFileSync(join(user, "User", name), JSON.stringify(content, undefined, 2));
}

function pageUrl(origin, workspace, open) {
  const { host } = new URL(origin);
  const payload = [
    ["skipWelcome", "true"],
    ["skipReleaseNotes", "true"],
    ...open.map((file) => ["openFile", `vscode-remote://${host}${file}`]),
  ];
  const kind = workspace.endsWith(".code-workspace") ? "workspace" : "folder";
  return `${origin}/?${new URLSearchParams({ [kind]: workspace, payload: JSON.stringify(payload) })}`;
}

/** In milliseconds: on a machine that is busy with other things it may take its time. */
const patience = 120_000;

async function reachable(socket, exited, lines) {
  let gone = false;
  exited.then(() => {
    gone = true;
  });
  const deadline = Date.now() + patience;
  while (!(await accepts(socket))) {
    if (gone || Date.now() > deadline)
      throw new Error(`VS Code's server did not start.\n${lines.slice(-20).join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const accepts = (socket) =>
  new Promise((resolve) => {
    const probe = connect(socket);
    probe.on("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", () => resolve(false));
  });
