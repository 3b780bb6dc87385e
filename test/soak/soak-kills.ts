// The host, the page, the threads and the commands of a window are killed at random moments of turns. Whatever was sent or
// shown before is there afterwards, once, and nothing is half written.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Locator } from "playwright-core";
import { type KeptOnDisk, readKept } from "../support/kept-on-disk.ts";
import { killExtensionHost } from "../ui/support/extension-host.ts";
import { until } from "../ui/support/insist.ts";
import type { VsCode } from "../ui/support/vscode.ts";
import { askHost, childrenOf, hostOf, storageOf } from "./soak-figures.ts";
import { fileOf } from "./soak-turns.ts";

const victims = ["host", "page", "worker", "command"] as const;
type Victim = (typeof victims)[number];
const steps = ["say", "accept", "command", "rich", "read"] as const;

const firstNumber = 1_000_000;

/** The same numbers in every run. */
const chance = (number: number, most: number) => (Math.imul(number + 1, 2_654_435_761) >>> 8) % most;

/**
 * Prints and answers what is broken, one sentence each. `heard` are the questions that the service knows of, and nothing
 * before.
 */
export async function killAtRandom(
  vscode: VsCode,
  heard: ReadonlySet<string>,
  kills: number,
  print: (line: string) => void,
): Promise<string[]> {
  const { chat, composer, page } = vscode;
  const accept = chat.locator(".changes [data-armed]").getByRole("button", { name: /^Accept( All)?$/ });
  const allow = chat.getByRole("button", { name: "Allow", exact: true });
  const stop = chat.getByRole("button", { name: "Stop", exact: true });
  const found: string[] = [];
  for (let number = 0; number < kills; number++) {
    const victim = victims[number % victims.length] ?? "host";
    // There is no command to be killed in other turns.
    const step = victim === "command" ? "command" : (steps[chance(number * 5, steps.length)] ?? "say");
    // No turn before had such a number.
    const question = `${step} ${firstNumber + number} of session 0`;
    const delay = chance(number * 7, 2) === 0 ? chance(number * 11, 100) : chance(number * 13, 1500);
    await composer.fill(question);
    // A person types for longer than it takes to store a draft: only words of the last moment go with a page that dies.
    await until(
      async () =>
        (await readKept(storageOf(vscode.workspace))).drafts.some((draft) => draft.includes(question)),
      () => wait(50),
    );
    await chat.getByRole("button", { name: "Send", exact: true }).click();
    if (step === "accept" && chance(number * 17, 2) === 0) {
      await accept.click();
    } else if (step === "command") {
      await allow.or(accept).first().waitFor();
      await pressIfThere(allow);
    }
    await wait(delay);
    await kill(vscode, victim);
    if (victim === "host" || victim === "page") {
      await vscode.openChat();
      await chat.getByText("has been repaired").waitFor({ state: "detached" });
    }
    // A command that was killed before it was asked about waits for its answer.
    await until(
      async () => !(await stop.isVisible()),
      async () => {
        await pressIfThere(allow);
        await wait(200);
      },
    );
    const wrong = await broken(vscode, heard, question);
    for (const what of wrong) {
      found.push(`${number}, ${victim} killed ${delay} ms into “${question}”: ${what}`);
      print(found.at(-1) ?? "");
    }
    if (number % 10 === 9) print(`${number + 1} kills, ${found.length} broken promises`);
    await composer.fill("");
    await pressIfThere(accept);
    await page.mouse.move(0, 0);
  }
  return found;
}

/** A button may go by itself meanwhile: what was pressed just before a kill may still be on its way to the page. */
async function pressIfThere(button: Locator): Promise<void> {
  if (await button.isVisible()) await button.click({ timeout: 5000 }).catch(() => {});
}

async function kill(vscode: VsCode, victim: Victim): Promise<void> {
  switch (victim) {
    case "host":
      killExtensionHost(vscode);
      return vscode.reload();
    case "page":
      // The whole window goes at once, as when its process dies.
      await vscode.page.reload();
      return vscode.statusItem.waitFor();
    case "worker":
      await askHost(vscode.workspace, "end-workers");
      return;
    case "command":
      for (const pid of childrenOf(hostOf(vscode.workspace))) tryToKill(pid);
  }
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended with its parent.
  }
}

async function broken(vscode: VsCode, heard: ReadonlySet<string>, sent: string): Promise<string[]> {
  let kept: KeptOnDisk | undefined;
  let isKept = false;
  // What was just sent may be on its way back into the box.
  const look = async () => {
    kept = await readKept(storageOf(vscode.workspace));
    const box = await vscode.composer.inputValue();
    isKept = times(kept, sent) > 0 || [...kept.drafts, ...kept.sent, box].some((text) => text.includes(sent));
    return isKept;
  };
  await until(look, () => wait(500)).catch(() => {});
  if (kept === undefined) return ["nothing can be read"];
  const { damage } = kept;
  const found = [...damage];
  if (!isKept) found.push("it is nowhere");
  for (const question of heard) {
    const count = times(kept, question);
    if (count !== 1) found.push(`“${question}” was heard, and is there ${count} times`);
  }
  const text = readFileSync(join(vscode.workspace, fileOf(0)), "utf8");
  if (!/^mark: [^\n]+\n$/.test(text)) found.push(`the file is ${JSON.stringify(text)}`);
  return found;
}

const times = ({ conversations }: KeptOnDisk, question: string): number =>
  conversations.flatMap(({ turns }) => turns).filter(({ prompt }) => prompt === question).length;
