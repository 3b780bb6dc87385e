// The one way to a working connection: service URL, API key, one token count that proves both. What is wrong is said in
// the box that mends it. Knows nothing of pages; whoever calls it says what comes after success.
import * as vscode from "vscode";
import type { KeyCheck } from "../../core/api/connection-report.ts";
import { completeUrl, readBaseUrl, readKey } from "../../core/api/url-and-key.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import type { Address } from "./connection.ts";

export interface ConnectDeps {
  /** What is set now; a problem: nothing that could be used. */
  address(): Address | Problem;
  /** Whether a key may go to this URL: it is encrypted, or a person has agreed to go without. */
  agree(url: string): Promise<boolean>;
  keepUrl(url: string): Promise<void>;
  /** For the service that is set now. */
  hasKey(): Promise<boolean>;
  /** Answers whether the key can be used in this window. */
  keepKey(origin: string, key: string): Promise<boolean>;
  check(signal: AbortSignal): Promise<KeyCheck>;
  /** The service has counted: a person can ask. */
  connected(): unknown;
}

type Step = "url" | "key" | "check";

/** What a person does about it. A problem of another kind says that the key was taken. */
const mendedBy = (kind: Problem["kind"]): Step | undefined => {
  if (kind === "auth" || kind === "no-key") return "key";
  const unreached = ["not-configured", "network", "timeout", "redirect", "protocol", "not-found"];
  return unreached.includes(kind) ? "url" : undefined;
};

export async function connect(first: "url" | "key", deps: ConnectDeps): Promise<unknown> {
  const t = vscode.l10n.t;
  const box = vscode.window.createInputBox();
  box.ignoreFocusOut = true;
  box.totalSteps = 2;
  let step: Step = first;
  let complaint = "";
  try {
    for (;;) {
      const address = deps.address();
      if (step === "url" || "kind" in address) {
        const typed = await askUrl();
        if (typed === undefined) return;
        if (!(await deps.agree(completeUrl(typed)))) continue;
        await deps.keepUrl(completeUrl(typed));
        complaint = "";
        step = (await deps.hasKey()) ? "check" : "key";
      } else if (step === "key") {
        const key = await askKey(address.origin);
        if (key === undefined) return;
        complaint = "";
        if (key === "back") step = "url";
        else if (await deps.keepKey(address.origin, key)) step = "check";
        else return;
      } else {
        const problem = await check();
        if (problem === "left") return;
        const mending = problem && mendedBy(problem.kind);
        // A service that is busy or broken has taken the key: what it says is said where people ask.
        if (mending === undefined) return deps.connected();
        step = mending;
        complaint = problem === undefined ? "" : `${inReaderLanguage(problem.message)} ${wayOut(problem)}`;
      }
    }
  } finally {
    box.dispose();
  }

  function wayOut({ kind, message }: Problem): string {
    if (mendedBy(kind) === "key") return t("Enter another key.");
    // What there is to check is said with it.
    if (message.code === "problemOffline") return t("Press Enter to try again.");
    return t("Check the URL and your network, then press Enter to try again.");
  }

  function askUrl(): Promise<string | undefined> {
    box.title = t("Connect to Your Service");
    box.step = 1;
    box.password = false;
    box.placeholder = "https://inference.example.com";
    box.value = vscode.workspace.getConfiguration("patchbay").inspect<string>("baseUrl")?.globalValue ?? "";
    box.buttons = [];
    const prompt = t("Service URL. Stored in your user settings; a workspace can't change it.");
    return ask((typed) => {
      const read = readBaseUrl(completeUrl(typed));
      const isCompleted = read.ok && completeUrl(typed) !== typed.trim();
      box.prompt = isCompleted ? t("Connects to {0}.", completeUrl(typed)) : prompt;
      return read.ok || read.unconfirmed !== undefined ? undefined : inReaderLanguage(read.message);
    }).then((typed) => (typed === "back" ? undefined : typed));
  }

  function askKey(origin: string): Promise<string | undefined> {
    box.title = t("Connect to Your Service");
    box.step = 2;
    box.password = true;
    box.placeholder = "";
    box.value = "";
    box.buttons = [vscode.QuickInputButtons.Back];
    box.prompt = t("API key. Stored in VS Code's secret storage, sent only to {0}.", origin);
    return ask((typed) => {
      const read = readKey(typed);
      return read.ok ? undefined : inReaderLanguage(read.message);
    });
  }

  /** Enter takes what `refuse` has nothing against; an empty box is not scolded before anybody has pressed Enter. */
  function ask(refuse: (typed: string) => string | undefined): Promise<string | undefined> {
    box.enabled = true;
    box.busy = false;
    refuse(box.value);
    box.validationMessage = complaint;
    return new Promise((resolve) => {
      const listening = vscode.Disposable.from(
        box.onDidChangeValue((typed) => {
          const refusal = refuse(typed);
          box.validationMessage = typed === "" ? "" : (refusal ?? "");
        }),
        box.onDidAccept(() => {
          box.validationMessage = refuse(box.value) ?? "";
          if (box.validationMessage === "") end(box.value.trim());
        }),
        box.onDidTriggerButton(() => end("back")),
        box.onDidHide(() => end(undefined)),
      );
      const end = (answer: string | undefined) => {
        listening.dispose();
        resolve(answer);
      };
      box.show();
    });
  }

  /** Nothing: the service has counted. */
  async function check(): Promise<Problem | "left" | undefined> {
    const leaving = new AbortController();
    box.enabled = false;
    box.busy = true;
    box.validationMessage = "";
    box.prompt = t("Testing the connection…");
    box.show();
    const hidden = box.onDidHide(() => leaving.abort());
    try {
      const result = await deps.check(leaving.signal);
      return result.ok ? undefined : result.problem;
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
      return "left";
    } finally {
      hidden.dispose();
    }
  }
}
