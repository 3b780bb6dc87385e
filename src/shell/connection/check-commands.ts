// Is the service there, is the key accepted, and what does it do where its interface is silent? All of them say
// what they send; the report is a document that can be read, searched and passed on.
import * as vscode from "vscode";
import { isLimited } from "../../core/api/capabilities.ts";
import type { CheckPlan } from "../../core/api/check-requests.ts";
import type { ConnectionReport, Finding } from "../../core/api/connection-report.ts";
import type { ServiceClient } from "../../core/api/service-client.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands, detection } from "../manifest.ts";
import { markdownTable } from "../markdown-table.ts";
import { showInformation } from "../notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { problemInWords, showProblem } from "../show-problem.ts";
import { withProgress } from "../with-progress.ts";
import type { ConnectionState } from "./connection.ts";

export interface CheckDeps {
  readonly client: Pick<ServiceClient, "checkKey" | "checkConnection" | "detectFeatures" | "forgetFound">;
  readonly connection: Pick<ConnectionState, "address">;
  readonly documents: ReadOnlyDocuments;
}

export function createCheckCommands({ client, connection, documents }: CheckDeps) {
  const t = vscode.l10n.t;
  /** The address that is asked; empty when none is set. */
  const address = (): string => {
    const now = connection.address();
    return "url" in now ? now.origin : "";
  };

  async function checkKey(): Promise<void> {
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

  /** `what`: the report's button, the chat's and *Connection and Settings…* ask for more than the palette does. */
  async function checkConnection(what?: unknown): Promise<void> {
    const detects = what === detection;
    const report = detects
      ? await withProgress(t("Detecting features…"), (signal) =>
          client.detectFeatures(confirmDetection, signal),
        )
      : await withProgress(t("Checking the connection…"), (signal) =>
          client.checkConnection(confirm, signal),
        );
    if (report === "declined") return;
    if (!("findings" in report)) return showProblem(report);
    await documents.show(t("Connection check"), "md", reportMarkdown(address(), report));
    if (!detects && report.found.detected === undefined && isLimited(report.found)) await offerDetection();
  }

  /** All that an optional feature was refused with may have been one of several. */
  async function offerDetection(): Promise<void> {
    const detect = t("Detect Features…");
    const sentence = t("Some optional features are off for {0}. Each can be tried separately.", address());
    if ((await showInformation(sentence, detect)) === detect) await checkConnection(detection);
  }

  const confirm = (plan: CheckPlan) =>
    agreeTo(plan, t("Check which optional features {0} supports?", address()), t("Check"));

  const confirmDetection = (plan: CheckPlan) =>
    agreeTo(plan, t("Try each optional feature of {0} separately?", address()), t("Detect"));

  async function agreeTo({ steps, requests, tokens }: CheckPlan, question: string, go: string) {
    const detail = [
      ...steps.map((step, index) => `${index + 1}. ${inReaderLanguage(step)}`),
      t("At most {0} requests and about {1} tokens.", requests, tokens),
    ].join("\n\n");
    return (await vscode.window.showInformationMessage(question, { modal: true, detail }, go)) === go;
  }

  async function forget(): Promise<void> {
    await client.forgetFound();
    void showInformation(t("The detected capabilities of {0} were reset.", address()));
  }

  return {
    [commands.testKey]: checkKey,
    [commands.checkConnection]: checkConnection,
    [commands.forgetFound]: forget,
  };
}

const marks: Readonly<Record<Finding["state"], string>> = { yes: "✔", no: "✘", unknown: "–" };

function reportMarkdown(address: string, report: ConnectionReport): string {
  const t = vscode.l10n.t;
  const { findings, requests, found, problem, gaps, profile } = report;
  const time = (at: number) => new Date(at).toLocaleString(vscode.env.language);
  return [
    `# ${t("Connection check")}`,
    `${address} · ${time(Date.now())} · ${t("{0} requests", requests)}`,
    ...(problem === undefined ? [] : [problemInWords(problem)]),
    markdownTable(
      ["", t("Question"), t("Finding")],
      findings.map(({ name, state, detail }) => [
        marks[state],
        inReaderLanguage(name),
        inReaderLanguage(detail),
      ]),
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
        ...[gap, byDefault, here, learned].map((what) => (what === undefined ? "–" : inReaderLanguage(what))),
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
