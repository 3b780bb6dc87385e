// The folder that host tests run in: a copy of the sample workspace, settings, and another extension beside ours.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { writeSettings } from "./vscode-server.mjs";

/** Fills `workspace`, `user` and `extensions` below `home`; answers the workspace. `settings` come beside the ordinary one. */
export function furnishHostHome(home, settings = {}) {
  const workspace = join(home, "workspace");
  cpSync("test/fixtures/workspace", workspace, { recursive: true });
  // Another extension beside ours, as people have many.
  cpSync("test/fixtures/tool-extension", join(home, "extensions", "test.tools-0.0.1"), { recursive: true });
  // As on the desktop: in a browser VS Code would save by itself, sooner or later.
  writeSettings(join(home, "user"), { "files.autoSave": "off", ...settings });
  return workspace;
}
