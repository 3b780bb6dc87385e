// Is the service there, is the key accepted, and what does it do where its interface is silent? Both commands say
// what they send; the report is a document that can be read, searched and passed on.
import * as vscode from "vscode";
import type { CheckPlan } from "../../core/api/connection-check.ts";
import type { ConnectionReport, Finding } from "../../core/api/connection-report.ts";
import type { ServiceClient } from "../../core/api/service-client.ts";
import type { Message } from "../../core/messages/message.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { problemInWords, showProblem } from "../show-problem.ts";
import { withProgress } from "../with-progress.ts";
import type { ConnectionState } from "./connection.ts";

export interface CheckNeeds {
  readonly client: Pick<ServiceClient, "checkKey" | "checkConnection" | "forgetFound">;
  readonly connection: Pick<ConnectionState, "address">;
  readonly documents: ReadOnlyDocuments;
}

export function createCheckCommands({ client, connection, documents }: CheckNeeds) {
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

  async function checkConnection(): Promise<void> {
    const report = await withProgress(t("Checking the connection…"), (signal) =>
      client.checkConnection(confirm, signal),
    );
    if (report === "declined") return;
    if (!("findings" in report)) return showProblem(report);
    await documents.show(t("Connection check"), "md", reportMarkdown(address(), report));
  }

  async function confirm({ steps, requests, tokens }: CheckPlan): Promise<boolean> {
    const go = t("Check");
    const detail = [
      ...steps.map((step, index) => `${index + 1}. ${inReaderLanguage(step)}`),
      t("At most {0} requests and about {1} tokens.", requests, tokens),
    ].join("\n\n");
    const question = t("Check which optional features {0} supports?", address());
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

function reportMarkdown(address: string, { findings, requests, problem }: ConnectionReport): string {
  const t = vscode.l10n.t;
  const cell = (what: Message) => inReaderLanguage(what).replaceAll("|", "\\|").replaceAll("\n", " ");
  return [
    `# ${t("Connection check")}`,
    `${address} · ${new Date().toLocaleString(vscode.env.language)} · ${t("{0} requests", requests)}`,
    ...(problem === undefined ? [] : [problemInWords(problem)]),
    [
      `| | ${t("Question")} | ${t("Finding")} |`,
      "|---|---|---|",
      ...findings.map(({ name, state, detail }) => `| ${marks[state]} | ${cell(name)} | ${cell(detail)} |`),
    ].join("\n"),
    t("Refused features are turned off for this URL. To try them again, reset the detected capabilities."),
    "",
  ].join("\n\n");
}
