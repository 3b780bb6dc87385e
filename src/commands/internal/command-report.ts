// What a model and a person are told of a command that has run.
import type { CommandRun, CopyChanges, OtherFile, Touched } from "../../checks/check.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { visibleName } from "../../util/hidden-characters.ts";
import { forModel } from "../../util/sentences.ts";

/** How a command ended: for the model, and for its row. */
interface CommandEnd {
  readonly told: string;
  readonly message: Message;
}

/** An exit code that is not known is never told as success. */
export function describeEnd(
  { end, code, signal, seconds }: Pick<CommandRun, "end" | "code" | "signal" | "seconds">,
  limit: number,
): CommandEnd {
  const took = Math.max(0.1, Math.round(seconds * 10) / 10);
  switch (end) {
    case "timeout":
      return {
        told: forModel(`Ended by its time limit of ${limit} s. There is no exit code.`),
        message: message("commandTimeout", { seconds: limit }),
      };
    case "output":
    case "disk":
    case "memory":
    case "processes":
      return {
        told: forModel(
          `Ended after ${took} s, because it used too much: ${limitNames[end]}. There is no exit code.`,
        ),
        message: message(limitMessages[end]),
      };
    case "broken":
    case "sandbox":
      return {
        told: forModel("It could not be started. Nothing ran."),
        message: message(end === "sandbox" ? "commandNoSandbox" : "commandNotStarted"),
      };
    default:
      break;
  }
  if (code !== undefined)
    return {
      told: forModel(`Exit code ${code}${signalIn(code)} after ${took} s.`),
      message: message(code === 0 ? "commandDone" : "commandFailed", { code, seconds: took }),
    };
  if (signal !== undefined)
    return {
      told: forModel(`Ended by ${signal} after ${took} s. There is no exit code.`),
      message: message("commandSignal", { signal }),
    };
  return {
    told: forModel(`It ended after ${took} s with an unknown exit code: do not take that for success.`),
    message: message("commandUnknown"),
  };
}

/** A shell answers so for a program that a signal has ended, and programs may answer so by themselves. */
const signalIn = (code: number): string => (code > 128 && code < 160 ? ` (signal ${code - 128}?)` : "");

const limitNames = {
  output: "output of more than 4,000,000 characters",
  disk: "disk space",
  memory: "memory",
  processes: "processes",
} as const;

const limitMessages = {
  output: "commandTooMuchOutput",
  disk: "commandTooMuchDisk",
  memory: "commandTooMuchMemory",
  processes: "commandTooManyProcesses",
} as const;

/** More names help nobody. */
const maxNames = 20;

const reasons: Readonly<Record<Exclude<OtherFile["why"], "private">, string>> = {
  ignored: "ignored by Git",
  large: "too large",
  binary: "no UTF-8 text",
  link: "a link",
  special: "no plain file",
  deleted: "deleted, no UTF-8 text",
  unreadable: "a folder that cannot be read any more",
  outputs: "a notebook's outputs and metadata; only its cells can be proposed",
  renamed: "a renamed notebook; rename it with a patch",
};

/** What a command has changed in the copy besides the files that are proposed. Names of private files are not told. */
export function describeOthers({ others, isTooMany, isGone }: CopyChanges): readonly string[] {
  if (isGone === true)
    return [forModel("The command has removed its copy of the folder. Nothing is proposed.")];
  if (isTooMany === true)
    return [forModel("It changed more files than a proposal may have. Nothing of that is proposed.")];
  const named = others.flatMap(({ path, bytes, why }) =>
    why === "private"
      ? []
      : [`${visibleName(path)} (${bytes === undefined ? "" : `${sizeOf(bytes)}, `}${reasons[why]})`],
  );
  const hidden = others.length - named.length;
  const shown = named.slice(0, maxNames);
  const more = named.length - shown.length;
  const all = [
    ...shown,
    ...(more > 0 ? [`${more} more`] : []),
    ...(hidden > 0 ? [`${hidden} that the user keeps private`] : []),
  ];
  return all.length === 0 ? [] : [forModel(`Changed, but not proposed: ${all.join("; ")}.`)];
}

/**
 * Changes in the real folder, which only a command with the person's rights can make. Names of private files are not
 * told.
 */
export function describeTouched(changes: Touched): readonly string[] {
  const all = touchedNames(changes, maxNames);
  return all.length === 0
    ? []
    : [forModel(`While it ran, these changed in the user's own folder: ${all.join(", ")}.`)];
}

/** Where a command was stopped, a person is told what it has changed in the real folder. */
export function describeStopped(changes: Touched): Message {
  const files = touchedNames(changes, 3).join(", ");
  return files === ""
    ? message("commandStopped")
    : message("commandStoppedTouched", { touched: [message("checkTouched", { files })] });
}

function touchedNames({ touched = [], touchedPrivate = 0 }: Touched, most: number): readonly string[] {
  const more = touched.length - most;
  return [
    ...touched.slice(0, most).map(visibleName),
    ...(more > 0 ? [`${more} more`] : []),
    ...(touchedPrivate > 0 ? [`${touchedPrivate} that the user keeps private`] : []),
  ];
}

const sizeOf = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.ceil(bytes / 1000)} KB`
      : `${Math.ceil(bytes / 1_000_000)} MB`;
