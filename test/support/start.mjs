// `npm start`: Patchbay in a real VS Code with a sample workspace, connected to the service simulator, key already set.
// Desktop VS Code where there is one and a display; elsewhere the server build, whose address is printed. Ctrl-C ends
// everything that was started here.
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { desktopArgs, findDesktop } from "./desktop.mjs";
import { cleanEnvironment } from "./environment.mjs";
import { installDependencies } from "./install.mjs";
import { quietly, start } from "./processes.mjs";
import { removeFolder } from "./remove-folder.mjs";
import { startSimulatorProgram } from "./simulator.mjs";
import { prepareServer } from "./tools.mjs";
import { startVsCodeServer, writeSettings } from "./vscode-server.mjs";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
/** VS Code's own chat answers with the simulator's models as well; inline chat then does so in the editor. */
const vscodeChat = { "patchbay.languageModel.enabled": true, "inlineChat.askInChat": false };
const vscodeChatHint =
  "To try VS Code's own chat, run “Chat: Manage Language Models” once: until then it asks for a sign-in.";
const home = mkdtempSync(join(tmpdir(), "patchbay-start-"));
const workspace = join(home, "workspace");
const closers = [() => removeFolder(home)];
let ending = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(0));
// A terminal that was closed takes no more words.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => end(1));

try {
  await startEverything();
} catch (error) {
  if (!ending) console.error(error.message);
  await end(1);
}

async function startEverything() {
  installDependencies(process.cwd());
  const desktop = findDesktop();
  const tools = desktop === undefined ? await prepareServer() : undefined;
  await quietly(process.execPath, ["esbuild.mjs", "--quiet", "extension", "sim"]);
  cpSync("test/fixtures/workspace", workspace, { recursive: true });
  const { url, key, stop } = await startSimulatorProgram();
  closers.push(stop);
  const settings = { "patchbay.baseUrl": url, ...vscodeChat };
  const world = { env: { PATCHBAY_DEV_KEY: key }, settings };
  if (tools === undefined) openDesktop(desktop, world);
  else await openServer(tools, world);
}

function openDesktop(executable, { env, settings }) {
  const user = join(home, "user");
  writeSettings(user, settings);
  const args = desktopArgs({ home, user, workspace, extension: process.cwd() });
  const desktop = start(executable, args, { env: cleanEnvironment(env) });
  closers.push(desktop.stop);
  desktop.exited.then(() => end(0));
  console.log("\nVS Code opens with Patchbay in it. Close it, or press Ctrl-C here, to end everything.");
  console.log(vscodeChatHint);
}

async function openServer(tools, { env, settings }) {
  const server = await startVsCodeServer({ tools, home, extension: process.cwd(), env, settings });
  closers.push(server.close);
  server.exited.then(() => end(1));
  const address = server.url(workspace, [join(workspace, "src", "cart.ts")]);
  console.log(
    `\nOpen this address in your browser; Ctrl-C ends everything:\n\n  ${address}\n\n${vscodeChatHint}\n`,
  );
}

async function end(code) {
  if (ending) return;
  ending = true;
  for (const close of closers.reverse()) await close();
  process.exit(code);
}
