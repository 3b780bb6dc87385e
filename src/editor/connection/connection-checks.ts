// Commands that check the service: whether it is reachable, whether it accepts the key, and how it behaves where its
// interface is not specified. Each says what it sends; the result is a document that can be read, searched and shared.
import * as vscode from "vscode";
import type { Problem } from "../../conversation/problem.ts";
import { isLimited } from "../../service/capabilities.ts";
import type { CheckPlan, ConnectionReport, Finding } from "../../service/request.ts";
import type { ServiceClient } from "../../service/service-client.ts";
import { markdownTable } from "../../util/markdown-table.ts";
import { localize } from "../localize.ts";
import { showInformation } from "../notify.ts";
import type { ReadOnlyDocuments } from "../ui/documents.ts";
import { problemInWords, showProblem, withProgress } from "../ui/show-problem.ts";
import type { ConnectionState } from "./connection-state.ts";

interface ConnectionChecksDeps {
  readonly client: Pick<ServiceClient, "checkKey" | "checkConnection" | "detectFeatures" | "forgetFound">;
  readonly connection: Pick<ConnectionState, "address">;
  readonly documents: ReadOnlyDocuments;
  /** The remote machine that this extension runs on, as VS Code names it; absent on this computer. */
  readonly remote?: string | undefined;
}

export type ConnectionChecks = ReturnType<typeof createConnectionChecks>;

export function createConnectionChecks({ client, connection, documents, remote }: ConnectionChecksDeps) {
  const t = vscode.l10n.t;
  /** The URL to be requested; "" if none is set. */
  const address = (): string => {
    const now = connection.address();
    return "url" in now ? now.origin : "";
  };

  async function test(): Promise<void> {
    const result = await withProgress(t("Testing the API key…"), (signal) => client.checkKey(signal));
    if (!result.ok) return showProblem(result.problem);
    void showInformation(
      t(
        "The API key works: {0} counted {1} tokens in {2} ms.",
        result.model,
        result.tokens,
        result.milliseconds,
      ),
    );
  }

  async function check(): Promise<void> {
    const report = await withProgress(t("Checking the connection…"), (signal) =>
      client.checkConnection(confirm, signal),
    );
    await show(report);
    if (report === "declined" || !("findings" in report)) return;
    if (report.found.detected === undefined && isLimited(report.found)) await offerDetection();
  }

  async function detect(): Promise<void> {
    await show(
      await withProgress(t("Detecting features…"), (signal) =>
        client.detectFeatures(confirmDetection, signal),
      ),
    );
  }

  async function show(report: ConnectionReport | Problem | "declined"): Promise<void> {
    if (report === "declined") return;
    if (!("findings" in report)) return showProblem(report);
    await documents.show(t("Connection check"), "md", reportMarkdown(address(), report, remote));
  }

  /** A refused request may have used several optional features, so offer to find out which. */
  async function offerDetection(): Promise<void> {
    const button = t("Detect Features…");
    const sentence = t("Some optional features are off for {0}. Each can be tried separately.", address());
    if ((await showInformation(sentence, button)) === button) await detect();
  }

  const confirm = (plan: CheckPlan) =>
    agreeTo(plan, t("Check which optional features {0} supports?", address()), t("Check"));

  const confirmDetection = (plan: CheckPlan) =>
    agreeTo(plan, t("Try each optional feature of {0} separately?", address()), t("Detect"));

  async function agreeTo({ steps, requests, tokens }: CheckPlan, question: string, go: string) {
    const detail = [
      ...steps.map((step, index) => `${index + 1}. ${localize(step)}`),
      t("At most {0} requests and about {1} tokens.", requests, tokens),
    ].join("\n\n");
    return (await vscode.window.showInformationMessage(question, { modal: true, detail }, go)) === go;
  }

  async function forget(): Promise<void> {
    await client.forgetFound();
    void showInformation(t("The detected capabilities of {0} were reset.", address()));
  }

  return { test, check, detect, forget };
}

/** In a remote window VS Code runs this extension beside the folders, unless the person moved it to this computer. */
export const remoteOf = ({ extensionKind }: Pick<vscode.Extension<unknown>, "extensionKind">) =>
  extensionKind === vscode.ExtensionKind.Workspace ? vscode.env.remoteName : undefined;

const marks: Readonly<Record<Finding["state"], string>> = { yes: "✔", no: "✘", unknown: "–" };

function reportMarkdown(address: string, report: ConnectionReport, remote: string | undefined): string {
  const t = vscode.l10n.t;
  const { findings, requests, found, problem, gaps, profile } = report;
  const time = (at: number) => new Date(at).toLocaleString(vscode.env.language);
  return [
    `# ${t("Connection check")}`,
    `${address} · ${time(Date.now())} · ${t("{0} requests", requests)}`,
    remote === undefined
      ? t("Requests go out from this computer.")
      : t("Requests go out from the remote machine ({0}).", remote),
    ...(problem === undefined ? [] : [problemInWords(problem)]),
    markdownTable(
      ["", t("Question"), t("Finding")],
      findings.map(({ name, state, detail }) => [marks[state], localize(name), localize(detail)]),
      "words",
    ),
    t("Refused features are turned off for this URL. To try them again, reset the detected capabilities."),
    ...(found.detected === undefined
      ? []
      : [t("Each feature was tried separately on {0}; a later check keeps that.", time(found.detected))]),
    `## ${t("What the interface doesn't show")}`,
    markdownTable(
      [t("Gap"), t("Default"), t("Here"), t("How it's learned"), t("How to change it")],
      gaps.map(({ gap, byDefault, here, learned, change }) => [
        ...[gap, byDefault, here, learned].map((what) => (what === undefined ? "–" : localize(what))),
        change.join(", ") || "–",
      ]),
      "words",
    ),
    `## ${t("Profile in use")}`,
    t("Names without a dot are members of {0}.", "`patchbay.service.profile`"),
    `\`\`\`json\n${profile}\n\`\`\``,
    "",
  ].join("\n\n");
}

/**
 * Shows what leaves this computer, as described on the extension's page, whose file name packaging changes to lower
 * case.
 */
export async function showDataDisclosure(extension: vscode.Uri): Promise<void> {
  const names = (await vscode.workspace.fs.readDirectory(extension)).map(([name]) => name);
  const readme = names.find((name) => name.toLowerCase() === "readme.md") ?? "README.md";
  const place = vscode.Uri.joinPath(extension, readme).with({ fragment: "what-leaves-this-computer" });
  await vscode.commands.executeCommand("markdown.showPreview", place);
}
