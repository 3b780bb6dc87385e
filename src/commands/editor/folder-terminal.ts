// Runs one line in a terminal of its own that the person sees. Shell integration says when it has ended and how; where
// that does not come, the line is put there and the person runs it.
import * as vscode from "vscode";
import { plainText } from "../../util/text.ts";
import { wait } from "../../util/timeouts.ts";
import type { TerminalEnd, TerminalRun } from "../command-host.ts";

interface Patience {
  /** Milliseconds in which shell integration has to come. */
  readonly integration: number;
  /** Milliseconds after Ctrl+C, until the terminal is closed. */
  readonly stop: number;
}

const usual: Patience = { integration: 5000, stop: 3000 };
/** Milliseconds after a command has ended, for the rest of its output. */
const restOfOutput = 1000;
const longestName = 40;
const ctrlC = "\u0003";

/** `path`: of the folder. */
export async function runInTerminal(
  path: string,
  { line, onSent, onOutput, signal }: TerminalRun,
  patience = usual,
): Promise<TerminalEnd> {
  signal.throwIfAborted();
  const terminal = vscode.window.createTerminal({
    name: plainText(line, longestName),
    cwd: vscode.Uri.file(path),
    // After a reload of the window, nobody would stop what runs in it.
    isTransient: true,
  });
  terminal.show(true);
  const over = new AbortController();
  const closed = eventOf(vscode.window.onDidCloseTerminal, (each) => each === terminal, over.signal);
  const either = AbortSignal.any([signal, over.signal]);
  try {
    const integration = await Promise.race([
      integrationOf(terminal, over.signal),
      closed.then(() => undefined),
      wait(patience.integration, either).then(() => undefined),
    ]);
    if (terminal.exitStatus !== undefined) return { how: "closed" };
    if (signal.aborted) {
      terminal.dispose();
      return { how: "stopped" };
    }
    if (integration === undefined) {
      terminal.sendText(line, false);
      return { how: "unsent" };
    }
    onSent();
    const execution = integration.executeCommand(line);
    const reading = readAll(execution, onOutput);
    const ended = eventOf(
      vscode.window.onDidEndTerminalShellExecution,
      (each) => each.execution === execution,
      over.signal,
    ).then(({ exitCode: code }) => ({ how: "ended", code }) as const);
    const isClosed = closed.then(() => ({ how: "closed" }) as const);
    const end = await Promise.race([ended, isClosed, aborted(either).then(() => "aborted" as const)]);
    if (end === "aborted") {
      terminal.sendText(ctrlC, false);
      const late = wait(patience.stop, over.signal).then(() => "late" as const);
      if ((await Promise.race([ended, isClosed, late])) === "late") terminal.dispose();
    }
    await Promise.race([reading, wait(restOfOutput, over.signal)]);
    return end === "aborted" ? { how: "stopped" } : end;
  } finally {
    over.abort();
  }
}

/** The first of these events; it never comes once the signal is aborted. */
function eventOf<T>(event: vscode.Event<T>, isIt: (each: T) => boolean, signal: AbortSignal): Promise<T> {
  return new Promise((resolve) => {
    const listening = event((each) => {
      if (isIt(each)) resolve(each);
    });
    signal.addEventListener("abort", () => listening.dispose(), { once: true });
  });
}

async function integrationOf(
  terminal: vscode.Terminal,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration> {
  const coming = eventOf(
    vscode.window.onDidChangeTerminalShellIntegration,
    (each) => each.terminal === terminal,
    signal,
  );
  return terminal.shellIntegration ?? (await coming).shellIntegration;
}

async function readAll(
  execution: vscode.TerminalShellExecution,
  onOutput: TerminalRun["onOutput"],
): Promise<void> {
  for await (const piece of execution.read()) onOutput(piece);
}

const aborted = (signal: AbortSignal): Promise<void> => wait(2 ** 31 - 1, signal);
