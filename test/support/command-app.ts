// A session whose model may run commands, on a real copy of a real folder, and a person who answers.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { CheckHost, Confinement } from "../../src/checks/check.ts";
import { FolderChecks } from "../../src/checks/internal/folder-checks.ts";
import { readerProgram } from "../../src/checks/internal/reader-program.ts";
import type { Sandbox } from "../../src/checks/internal/sandbox/sandbox.ts";
import type { CommandHost } from "../../src/commands/command-host.ts";
import type { Decision } from "../../src/conversation/events.ts";
import { message } from "../../src/conversation/messages.ts";
import type { ToolPart } from "../../src/conversation/state.ts";
import { createPrivacy } from "../../src/files/privacy.ts";
import { call, text } from "../sim/script.ts";
import { copyThread } from "./copy-thread.ts";
import { english } from "./english.ts";
import { createFolderWorkspace } from "./folder-workspace.ts";
import { openTestApp } from "./test-app.ts";

interface CommandAppOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Absent: commands run with the person's rights. */
  readonly sandbox?: Sandbox;
  readonly mode?: CommandHost["mode"];
  readonly git?: string;
  readonly model?: string;
  readonly isForTextCalls?: boolean;
  /** The person's terminal. */
  readonly terminal?: CommandHost["runInTerminal"];
  /** What the person answers; absent: they allow it. */
  readonly answer?: (asked: ToolPart) => Decision | undefined;
}

export async function openCommandApp(t: TestContext, options: CommandAppOptions = {}) {
  const { files = { "a.txt": "one\n" }, sandbox, mode = "ask", git, model = "svc-k3" } = options;
  const workspace = createFolderWorkspace();
  for (const [path, content] of Object.entries(files)) workspace.write(`work/${path}`, content);
  const folder = join(workspace.root, "work");
  const storage = mkdtempSync(join(realpathSync(tmpdir()), "patchbay-commands-"));
  const isPrivate = createPrivacy({ ignore: [], alsoIgnore: [] });
  const copies = new FolderChecks({
    ...{
      copyThread: copyThread(),
      folder,
      storage,
      git,
      isLeftOut: (path) => isPrivate(path, false) !== undefined,
    },
    unsaved: () => [],
    programOf: (reader) => readerProgram(reader, folder, [folder]),
    sandbox: async () => sandbox,
  });
  const confinement: Confinement =
    sandbox === undefined ? { kind: "none", why: message("sandboxMissing") } : { kind: "sandbox" };
  const checkHost: CheckHost = {
    ...{ hasAny: false, obstacle: undefined, filesRevision: 0 },
    checks: async () => [],
    confinement: async () => confinement,
    allowAlways: async () => {},
    measure: (_, signal) => copies.measure(signal),
    judge: async () => undefined,
    onDidChange: () => ({ dispose() {} }),
    withCopy: (_, overlaid, use, signal) =>
      copies.withCopy(
        overlaid.map(([{ path }, state]) => [path, state === undefined ? null : state.text] as const),
        use,
        signal,
      ),
  };
  const allowed: string[] = [];
  const commandHost: CommandHost = {
    ...{ mode, isForTextCalls: options.isForTextCalls === true },
    isAllowedIn: (name) => allowed.includes(name),
    allowIn: async (name) => void allowed.push(name),
    runsInTerminal: options.terminal !== undefined,
    runInTerminal: async (name, run) => (await options.terminal?.(name, run)) ?? { how: "closed" },
    allowedFolders: allowed,
    askIn: async (name) => void allowed.splice(allowed.indexOf(name), 1),
    onDidChange: () => ({ dispose() {} }),
  };
  const app = await openTestApp(t, { workspace, defaultModel: () => model, checkHost, commandHost });
  t.after(async () => {
    await copies.close();
    rmSync(storage, { recursive: true, force: true });
  });
  /** Each state in which a command's row was shown. */
  const rows: ToolPart[] = [];
  const answer = options.answer ?? (() => ({ kind: "accept" }));
  app.session.onEvent((event) => {
    if (event.type !== "tool") return;
    const { turn: _, ...row } = event;
    rows.push(row);
    if (row.status !== "asked") return;
    const decision = answer(row);
    if (decision !== undefined) queueMicrotask(() => app.session.decide(row.call, decision));
  });
  const outputsIn = (at: number): readonly string[] => {
    const { input = [] } = JSON.parse(app.sim.requests.at(at)?.raw.toString("utf8") ?? "{}");
    return input.flatMap((item: { type?: string; output?: string }) =>
      item.type === "function_call_output" && item.output !== undefined ? [item.output] : [],
    );
  };
  return {
    ...{ app, workspace, folder, storage, copies, rows, allowed, commandHost },
    asked: () => rows.filter(({ status }) => status === "asked"),
    ended: () => rows.findLast(({ status }) => status !== "asked" && status !== "running"),
    said: () => {
      const { message: about } = rows.at(-1) ?? {};
      return about === undefined ? "" : english(about);
    },
    /** Runs these commands in one turn and returns what the model hears of each. */
    async run(...commands: readonly (string | Readonly<Record<string, unknown>>)[]) {
      for (const command of commands)
        app.sim.reply(call("run_command", typeof command === "string" ? { command } : command));
      app.sim.reply(text("Done."));
      await app.session.send({ prompt: "Run it." });
      return outputsIn(-1).slice(-commands.length);
    },
    outputsIn,
    /** What waits for the person, by path: the text it would have, or "deleted". */
    async pending() {
      await app.session.patches.changes.refresh();
      const overlaid = await app.session.patches.changes.overlaid();
      return Object.fromEntries(overlaid.map(([{ path }, state]) => [path, state?.text ?? "deleted"]));
    },
  };
}
