// Sets up and manages the connection. Stores the URL in the user's settings and the key in the secret storage; callers
// decide what happens afterwards.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import type { KeyCheck } from "../../service/request.ts";
import { completeUrl, readBaseUrl, readKey } from "../../service/url-and-key.ts";
import type { Log } from "../../util/log.ts";
import { localize } from "../localize.ts";
import { type ConnectionStep, commands } from "../manifest.ts";
import type { ConnectionChecks } from "./connection-checks.ts";
import type { Address, ConnectionState } from "./connection-state.ts";
import type { Keys } from "./credentials.ts";

export interface ConnectDeps {
  /** The current address, or why there is no usable one. */
  address(): Address | Problem;
  /** Whether a key may be sent to this URL: it is encrypted, or the user has agreed to plain HTTP. */
  agree(url: string): Promise<boolean>;
  keepUrl(url: string): Promise<void>;
  /** For the current service. */
  hasKey(): Promise<boolean>;
  /** Returns whether the key can be used in this window. */
  keepKey(origin: string, key: string): Promise<boolean>;
  check(signal: AbortSignal): Promise<KeyCheck>;
  /** Called when the service has counted, so that questions can be asked. */
  connected(): unknown;
}

type Step = "url" | "key" | "check";

/** The step that fixes a problem; `undefined` means that the key itself was accepted. */
const stepToFix = (kind: Problem["kind"]): Step | undefined => {
  if (kind === "auth" || kind === "no-key") return "key";
  const unreached = ["not-configured", "network", "timeout", "redirect", "protocol", "not-found"];
  return unreached.includes(kind) ? "url" : undefined;
};

/**
 * Sets up a connection: service URL, API key, and one token count that proves both. Errors are shown in the input box
 * where they can be fixed. Knows nothing of pages; callers decide what happens after success.
 */
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
        const mending = problem && stepToFix(problem.kind);
        // A busy or failing service has accepted the key: its problem is shown in the chat.
        if (mending === undefined) return deps.connected();
        step = mending;
        complaint = problem === undefined ? "" : `${localize(problem.message)} ${wayOut(problem)}`;
      }
    }
  } finally {
    box.dispose();
  }

  function wayOut({ kind, message }: Problem): string {
    if (stepToFix(kind) === "key") return t("Enter another key.");
    // The message already says what to check.
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
      return read.ok || read.unconfirmed !== undefined ? undefined : localize(read.message);
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
      return read.ok ? undefined : localize(read.message);
    });
  }

  /** Enter is accepted if `refuse` returns nothing. An empty box shows no error before Enter was pressed. */
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

  /** `undefined` if the service has counted. */
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

interface ConnectionCommandDeps extends Pick<ConnectDeps, "check" | "connected"> {
  /** Number of models available. */
  models(): number;
  readonly connection: ConnectionState;
  readonly keys: Keys;
  readonly log: Log;
  /** Checks that use the service; loaded on demand. */
  checks(): Promise<ConnectionChecks>;
  /** Shows which of the user's data goes where. */
  showDataDisclosure(): Promise<void>;
  /** Whether the models are offered to VS Code's own chat. */
  isOffered(): boolean;
  /** Shows what still keeps the models out of VS Code's own chat. */
  showChatSteps(): Promise<void>;
}

/** Milliseconds for a status bar message: long enough to read, and nothing to close. */
const saidFor = 5000;

/** The one command about the connection: set the URL or the key, test, check, remove, or choose among these. */
export function createConnectionCommands({
  connection,
  keys,
  log,
  check,
  connected,
  models,
  checks,
  showDataDisclosure,
  isOffered,
  showChatSteps,
}: ConnectionCommandDeps) {
  const t = vscode.l10n.t;
  const { address } = connection;

  const connectFrom = (first: "url" | "key") => () =>
    connect(first, {
      address,
      async keepUrl(url) {
        const configuration = vscode.workspace.getConfiguration("patchbay");
        await configuration.update("baseUrl", url, vscode.ConfigurationTarget.Global);
      },
      agree: agreeToPlainHttp,
      async hasKey() {
        return !("kind" in (await connection.current()));
      },
      keepKey: keep,
      check,
      connected() {
        const sentence = t("Connected · {0} models", models());
        vscode.window.setStatusBarMessage(`$(pass) ${sentence}`, saidFor);
        return connected();
      },
    });
  const steps: Readonly<Record<ConnectionStep, () => Promise<unknown>>> = {
    url: connectFrom("url"),
    key: connectFrom("key"),
    test: async () => (await checks()).test(),
    check: async () => (await checks()).check(),
    features: async () => (await checks()).detect(),
    chat: showChatSteps,
  };
  const isStep = (step: unknown): step is ConnectionStep =>
    typeof step === "string" && Object.hasOwn(steps, step);

  /** Whether the URL is encrypted or plain HTTP was agreed to. */
  async function agreeToPlainHttp(entered: string): Promise<boolean> {
    const read = readBaseUrl(entered);
    if (read.ok || read.unconfirmed === undefined) return true;
    const use = t("Use HTTP");
    const question = t("Send your API key unencrypted to {0}?", read.unconfirmed);
    const detail = [
      t(
        "With http://, anyone on this network can read your API key, your code and the responses, and can change them.",
      ),
      t("Use it only in a network you trust. Prefer https:// if the service offers it."),
    ].join("\n\n");
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, use)) !== use)
      return false;
    await connection.allowPlainHttp(read.unconfirmed);
    return true;
  }

  /** Returns whether the key can be used. */
  async function keep(origin: string, key: string): Promise<boolean> {
    try {
      await keys.set(origin, key);
      // A store may accept what it cannot return.
      await keys.get(origin);
      return true;
    } catch (error) {
      log.error("The secret store did not take the key.", error);
      const hold = t("Keep for This Window");
      const sentence = t("The secret storage didn't accept the key, so it can't be saved.");
      const detail = t("It can be kept in memory until this window closes.");
      const chosen = await vscode.window.showWarningMessage(sentence, { modal: true, detail }, hold);
      if (chosen === hold) keys.hold(origin, key);
      return chosen === hold;
    }
  }

  async function removeKey(): Promise<void> {
    const address = connection.address();
    if ("kind" in address) return;
    try {
      await keys.remove(address.origin);
    } catch (error) {
      log.error("The secret store did not remove the key.", error);
      throw new HumanError(
        t("The secret storage didn't remove the key. Remove it in your system's credential manager."),
      );
    }
  }

  async function choose(): Promise<void> {
    const address = connection.address();
    const origin = "kind" in address ? t("not set") : address.url;
    const hasKey = !("kind" in (await connection.current()));
    const ofKey = [
      { label: `$(pass) ${t("Test API key")}`, run: steps.test },
      { label: `$(pulse) ${t("Check connection…")}`, run: steps.check },
      { label: `$(beaker) ${t("Detect features…")}`, run: steps.features },
      {
        label: `$(discard) ${t("Reset detected capabilities")}`,
        run: async () => (await checks()).forget(),
      },
    ];
    const choices = [
      { label: `$(globe) ${t("Set service URL…")}`, description: origin, run: steps.url },
      { label: `$(key) ${t("Set API key…")}`, run: steps.key },
      ...(hasKey ? ofKey : []),
      ...(isOffered() ? [{ label: `$(comment-discussion) ${t("VS Code's chat…")}`, run: steps.chat }] : []),
      { label: `$(refresh) ${t("Reset anonymous ID")}`, run: () => run(commands.resetUserId) },
      { label: `$(gear) ${t("Open settings")}`, run: openSettings },
      { label: `$(shield) ${t("What leaves this computer")}`, run: showDataDisclosure },
      ...(hasKey ? [{ label: `$(trash) ${t("Remove API key")}`, run: removeKey }] : []),
    ];
    const chosen = await vscode.window.showQuickPick(choices, { title: t("Connection") });
    await chosen?.run();
  }

  const run = async (command: string, ...given: readonly unknown[]) =>
    void (await vscode.commands.executeCommand(command, ...given));

  const openSettings = () => run("workbench.action.openSettings", "@ext:patchbay.patchbay");

  return {
    /**
     * Any extension may call it with any argument: only a known step is accepted, and no step takes further arguments.
     */
    async [commands.connection](step?: unknown): Promise<void> {
      await (isStep(step) ? steps[step]() : choose());
    },
    [commands.openSettings]: openSettings,
  };
}
