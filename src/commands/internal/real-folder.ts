// A command in the person's real folder: in a terminal that they see, with their rights. They are asked about every line,
// can edit it, and nothing is remembered.
import type { Decision } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { Refusal } from "../../files/refusal.ts";
import { withEscapes } from "../../util/hidden-characters.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import { awakeTimeout } from "../../util/timeouts.ts";
import type { TerminalEnd, TerminalRun } from "../command-host.ts";
import { cleanOutput, LiveOutput, showWhileRunning } from "./command-output.ts";
import { describeEnd } from "./command-report.ts";

interface RealDeps {
  readonly folder: string;
  readonly seconds: number;
  runInTerminal(run: TerminalRun): Promise<TerminalEnd>;
}

interface RealCall {
  readonly stop: AbortSignal;
  live(output: string): Promise<void>;
}

/** Of one command, as on the copy. */
const mostLetters = 4_000_000;

/** A terminal takes a line break for Enter and a tab for a completion, and nobody sees the others. */
function refuseHidden(line: string): void {
  if (/\p{Cc}/u.test(line) || withEscapes(line) !== line) throw new Refusal(message("commandOneLine"));
}

/** @throws Refusal */
export function prepareReal(asked: string, deps: RealDeps) {
  refuseHidden(asked);
  let line = asked;
  const question = {
    text: message("commandReal", { folder: deps.folder }),
    canEdit: true as const,
    async accepted(decision: Decision) {
      if (decision.kind === "accept") line = decision.line ?? asked;
      refuseHidden(line);
    },
  };
  return { question, run: (call: RealCall, signal: AbortSignal) => runReal(line, asked, deps, call, signal) };
}

async function runReal(
  line: string,
  asked: string,
  { folder, seconds, runInTerminal }: RealDeps,
  { stop, live }: RealCall,
  signal: AbortSignal,
) {
  const shown = new LiveOutput();
  const pieces: string[] = [];
  let letters = 0;
  const tooMuch = new AbortController();
  const late = new AbortController();
  const stopShowing = showWhileRunning(shown, live);
  /** When the shell got the line, by a clock that nobody sets. */
  let sent: number | undefined;
  try {
    const end = await runInTerminal({
      line,
      signal: AbortSignal.any([signal, stop, late.signal, tooMuch.signal]),
      onSent() {
        sent = performance.now();
        awakeTimeout(seconds * 1000).addEventListener("abort", () => late.abort());
      },
      onOutput(piece) {
        letters += piece.length;
        if (letters > mostLetters) return tooMuch.abort();
        pieces.push(piece);
        shown.add(piece);
      },
    });
    signal.throwIfAborted();
    const how =
      sent === undefined
        ? whyNotRun(end)
        : reasonOf(end, stop.aborted, tooMuch.signal.aborted, {
            took: (performance.now() - sent) / 1000,
            limit: seconds,
          });
    const changed = line === asked ? [] : [forModel(`The user has changed the line to: ${line}`)];
    return {
      told: [...changed, how.told].join("\n"),
      message: message("commandInTerminal", { folder, how: [how.message] }),
      output: await cleanOutput(pieces.join("")),
      left: [],
      notes:
        sent === undefined ? [] : [forModel("It ran in the user's own folder: what it changed there stays.")],
    };
  } finally {
    stopShowing();
  }
}

interface HowItEnded {
  readonly told: string;
  readonly message: Message;
}

/** The line was never given to a shell. */
function whyNotRun({ how }: TerminalEnd): HowItEnded {
  switch (how) {
    case "unsent":
      return {
        told: forModel(
          "It has not run: the line waits in a terminal of the user, who runs it themselves. You will not see its output or exit code.",
        ),
        message: message("commandUnsent"),
      };
    case "stopped":
      return {
        told: forModel("It has not run: the user stopped it before."),
        message: message("commandStopped"),
      };
    default:
      return {
        told: forModel("It has not run: its terminal was closed before."),
        message: message("commandClosedEarly"),
      };
  }
}

function reasonOf(
  end: TerminalEnd,
  isStopped: boolean,
  isTooMuch: boolean,
  { took, limit }: { readonly took: number; readonly limit: number },
): HowItEnded {
  switch (end.how) {
    case "ended":
      return describeEnd({ end: "done", ...present({ code: end.code }), seconds: took }, limit);
    case "unsent":
    case "closed":
      return {
        told: forModel("Its terminal was closed. The exit code is unknown: do not take that for success."),
        message: message("commandClosed"),
      };
    case "stopped":
      if (isStopped)
        return {
          told: forModel("The user stopped this command."),
          message: message("commandStopped"),
        };
      return describeEnd({ end: isTooMuch ? "output" : "timeout", seconds: took }, limit);
    default:
      return end satisfies never;
  }
}
