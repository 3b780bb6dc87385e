// `npm run soak -- [--turns 1000] [--every 100] [--sessions 3] [--kills 200]`: a long day in the real window, with tools, patches, commands
// and compactions in sessions side by side, against the simulator. Every hundred turns all is closed but an empty chat, and a
// line says what the host, the page and the disk hold then; afterwards, what grows. Then its processes are killed again and
// again, and it says what was lost.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { removeFolder } from "../support/remove-folder.mjs";
import { openWindow } from "../ui/support/open-vscode.ts";
import type { VsCode } from "../ui/support/vscode.ts";
import { closeChats, openChats } from "./soak-chats.ts";
import { grown, headOfTable, rowOfTable, type SoakFigures, takeFigures } from "./soak-figures.ts";
import { killAtRandom } from "./soak-kills.ts";
import { fileOf, firstText, soakService, stepOf, takeTurn } from "./soak-turns.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "1000" },
    every: { type: "string", default: "100" },
    sessions: { type: "string", default: "3" },
    kills: { type: "string", default: "200" },
  },
});
const [turns, every, sessions] = [Number(values.turns), Number(values.every), Number(values.sessions)];
const kills = Number(values.kills);
const print = (line: string) => process.stdout.write(`${line}\n`);

/** What the service was asked. */
const heard = new Set<string>();
const closers: (() => Promise<void>)[] = [];
try {
  const { vscode, sim } = await open();
  const toPicture = async (error: unknown): Promise<never> => {
    await vscode.screenshot("failed soak");
    throw error;
  };
  const found = await play(vscode).catch(toPicture);
  const more = grown(found, every);
  for (const what of more) print(what);
  heard.clear();
  const lost = await killAtRandom(vscode, heard, kills, print).catch(toPicture);
  for (const what of sim.complaints) print(what);
  const wrong = [...more, ...lost, ...sim.complaints];
  if (wrong.length === 0) print("Nothing grows, and nothing was lost.");
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  for (const close of closers.reverse()) await close();
}

async function open(): Promise<{ vscode: VsCode; sim: Simulator }> {
  const original = mkdtempSync(join(tmpdir(), "patchbay-soak-"));
  closers.push(() => removeFolder(original));
  for (let session = 0; session < sessions; session++)
    writeFileSync(join(original, fileOf(session)), firstText);
  let workspace = original;
  const sim = await startSimulator({ assistant: soakService(() => workspace, heard) });
  closers.push(() => sim.close());
  const settings = {
    "patchbay.baseUrl": sim.url,
    "patchbay.patch.saveAfterApply": true,
    "patchbay.agent.tools": { run_command: "ask" },
  };
  const size = { width: 1500, height: 800 };
  const { vscode } = await openWindow(
    { workspace: original, settings, size, beside: "test/soak/beside" },
    (close) => closers.push(close),
  );
  workspace = vscode.workspace;
  await vscode.openChat();
  await vscode.setKey(sim.key);
  return { vscode, sim };
}

async function play(vscode: VsCode): Promise<SoakFigures[]> {
  const found: SoakFigures[] = [];
  print(headOfTable());
  let played = 0;
  while (played < turns) {
    const chats = await openChats(vscode, sessions);
    for (let round = 0; round * chats.length < every; round++) {
      // Each is at another step of its day.
      await Promise.all(
        chats.map((chat) => takeTurn(chat, stepOf(round + chat.session * 3), played + round)),
      );
      played += chats.length;
    }
    await closeChats(vscode);
    const figures = await takeFigures(vscode);
    found.push(figures);
    print(rowOfTable(played, figures));
  }
  return found;
}
