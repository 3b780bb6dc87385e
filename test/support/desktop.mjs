// The desktop VS Code of this machine, if it can be shown. Its program itself is started, not the `code` command, which
// would hand over to a window that nobody here could end.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const applications = {
  darwin: [
    "/Applications/Visual Studio Code.app/Contents/MacOS/Code",
    "/Applications/Visual Studio Code.app/Contents/MacOS/Electron",
  ],
};

/** Answers the program, or undefined where the server build takes its place. */
export function findDesktop() {
  if (process.env.VSCODE_TEST_TARGET === "web" || !hasDisplay()) return undefined;
  return [...fromPath(), ...(applications[process.platform] ?? [])].find((file) => existsSync(file));
}

export function hasDisplay() {
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** `…/bin/code` stands in the folder of the program. */
function fromPath() {
  const command = process.platform === "win32" ? "code.cmd" : "code";
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((file) => existsSync(file));
  if (found === undefined) return [];
  const home = dirname(dirname(realpathSync(found)));
  if (process.platform === "win32") return [join(home, "Code.exe")];
  if (process.platform === "darwin")
    return ["Code", "Electron"].map((name) => join(home, "..", "..", "MacOS", name));
  return [join(home, "code")];
}

export function desktopArgs({ home, user, workspace, extension }) {
  return [
    workspace,
    `--extensionDevelopmentPath=${extension}`,
    `--user-data-dir=${user}`,
    `--extensions-dir=${join(home, "extensions")}`,
    "--disable-workspace-trust",
    "--disable-updates",
    "--skip-release-notes",
    "--skip-welcome",
  ];
}
