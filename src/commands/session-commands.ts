// Commands of a session's model: on the copy of a folder with the session's proposals in it, in a sandbox where there is
// one, or in a terminal of the person, line by line. What a line means is never judged: where it runs decides what it can do.
import type { ChangeSet } from "../changes/change-set.ts";
import { type CheckHost, type CommandRun, type LeftFile, StoppedCommand } from "../checks/check.ts";
import { MessageError } from "../conversation/english.ts";
import type { Decision } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import { createGitIgnored } from "../files/git-ignore.ts";
import { Refusal } from "../files/refusal.ts";
import type { Workspace } from "../files/workspace.ts";
import type { FileName } from "../patch/model.ts";
import { forModel } from "../util/sentences.ts";
import { trimEnd } from "../util/text.ts";
import type { CommandHost } from "./command-host.ts";
import { cleanOutput, LiveOutput, showWhileRunning } from "./internal/command-output.ts";
import { describeEnd, describeOthers, describeStopped, describeTouched } from "./internal/command-report.ts";
import { prepareReal } from "./internal/real-folder.ts";

interface CommandInput {
  readonly line: string;
  /** Absent: the only folder. */
  readonly folder?: string | undefined;
  readonly seconds?: number | undefined;
  readonly network?: boolean | undefined;
  /** In the person's own folder instead of a copy. */
  readonly real?: boolean | undefined;
}

interface CommandsDeps {
  readonly host: CommandHost;
  readonly checks: CheckHost;
  readonly changes: Pick<ChangeSet, "overlaid">;
  /** As the model sees it now. */
  workspace(): Promise<Workspace>;
}

interface CommandCall {
  /** Ends the command, and not the turn. */
  readonly stop: AbortSignal;
  /** Shows the end of the output so far. */
  live(output: string): Promise<void>;
}

interface Left extends Omit<LeftFile, "path"> {
  readonly file: FileName;
}

interface CommandOutcome {
  /** How it ended. */
  readonly told: string;
  readonly message: Message;
  readonly output: string;
  /** What it has written or deleted, to be proposed. */
  readonly left: readonly Left[];
  /** What it has changed besides. */
  readonly notes: readonly string[];
}

interface ReadyCommand {
  /** Absent: the person has allowed it already. */
  readonly question?: {
    readonly text: Message;
    /** It can be allowed for the whole folder. */
    readonly canAllow?: true;
    /** They may change the line. */
    readonly canEdit?: true;
    accepted(decision: Decision): Promise<void>;
  };
  /** Without a question, and where it was allowed for the whole folder, it runs by the permission for this one. */
  readonly folder?: string;
  run(call: CommandCall, signal: AbortSignal): Promise<CommandOutcome>;
}

const usualSeconds = 120;

export class SessionCommands {
  readonly #deps: CommandsDeps;

  constructor(deps: CommandsDeps) {
    this.#deps = deps;
  }

  /**
   * Decides how a line would run and what a person must be asked first. It then runs in that way or not at all.
   * @throws Refusal, or the reason of the signal, which ends the turn
   */
  async prepare(input: CommandInput, turn: AbortSignal): Promise<ReadyCommand> {
    const { host, checks } = this.#deps;
    if (checks.obstacle !== undefined) throw new Refusal(message("commandNowhere"));
    const folder = await this.#folderOf(input.folder);
    const confinement = await checks.confinement();
    const isConfined = confinement.kind === "sandbox";
    if (host.mode === "off" || (host.mode !== "ask" && !isConfined))
      throw new Refusal(message("commandsOff"));
    if (input.real === true) {
      if (!host.runsInTerminal) throw new Refusal(message("commandNoTerminal"));
      const { line, seconds = usualSeconds } = input;
      return prepareReal(line, { folder, seconds, runInTerminal: (run) => host.runInTerminal(folder, run) });
    }
    const hasNetwork = input.network === true;
    const run: ReadyCommand["run"] = (call, signal) =>
      this.#run({ ...input, folder, isConfined, hasNetwork }, call, signal);
    const nothing = async () => {};
    if (!isConfined) {
      const size = await checks.measure(folder, turn).catch(() => undefined);
      turn.throwIfAborted();
      const copied = size === undefined ? [] : [message("commandCopies", { count: size.files })];
      const text = message("commandUnconfined", { folder, why: [confinement.why, ...copied] });
      return { question: { text, accepted: nothing }, run };
    }
    if (hasNetwork)
      return { question: { text: message("commandNetwork", { folder }), accepted: nothing }, run };
    if (host.isAllowedIn(folder)) return { folder, run };
    const accepted = async (decision: Decision) => {
      if (decision.kind === "accept" && decision.always === true) await host.allowIn(folder);
    };
    return {
      question: { text: message("commandFolder", { folder }), canAllow: true, accepted },
      folder,
      run,
    };
  }

  async #folderOf(named: string | undefined): Promise<string> {
    const { folders } = await this.#deps.workspace();
    const [only] = folders;
    if (named === undefined && folders.length === 1 && only !== undefined) return only;
    const folder = folders.find((each) => each === (named && trimEnd(named, "/")));
    if (folder !== undefined) return folder;
    throw new Refusal(message("commandWhere", { folders: folders.join(", ") }));
  }

  async #run(
    {
      line,
      folder,
      seconds = usualSeconds,
      isConfined,
      hasNetwork,
    }: CommandInput & { readonly folder: string; readonly isConfined: boolean; readonly hasNetwork: boolean },
    { stop, live }: CommandCall,
    signal: AbortSignal,
  ): Promise<CommandOutcome> {
    const { checks, changes } = this.#deps;
    const isIgnored = createGitIgnored(await this.#deps.workspace());
    const overlaid = (await changes.overlaid()).filter(([file]) => file.folder === folder);
    const output = new LiveOutput();
    const stopShowing = showWhileRunning(output, live);
    const both = AbortSignal.any([signal, stop]);
    const command = {
      ...{ line, seconds, isConfined, hasNetwork },
      wants: async (path: string) => !(await isIgnored(folder, path)),
      onOutput: (piece: string) => output.add(piece),
    };
    try {
      const run = await checks.withCopy(folder, overlaid, (copy) => copy.command(command, both), both);
      return await outcomeOf(run, folder, seconds);
    } catch (error) {
      const touched = error instanceof StoppedCommand ? error.touched : undefined;
      // Of a turn that was stopped, its row tells what has changed in the real folder.
      if (touched === undefined) signal.throwIfAborted();
      if (error instanceof MessageError) throw new Refusal(error.asMessage);
      if (!both.aborted) throw error;
      return {
        told: forModel("The user stopped this command. What it changed is not proposed."),
        message: describeStopped(touched ?? {}),
        output: (await output.text()).trimEnd(),
        left: [],
        notes: describeTouched(touched ?? {}),
      };
    } finally {
      stopShowing();
    }
  }
}

async function outcomeOf(run: CommandRun, folder: string, seconds: number): Promise<CommandOutcome> {
  const { changes } = run;
  const left = changes.files.map(({ path, ...file }) => ({ file: { folder, path }, ...file }));
  return {
    ...describeEnd(run, seconds),
    output: await cleanOutput(run.output),
    left,
    notes: [...describeTouched(run), ...describeOthers(changes)],
  };
}
