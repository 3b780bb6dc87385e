// Links that write a question: vscode://patchbay.patchbay/open?prompt=…&file=… Whoever makes such a link is unknown, so a
// person sees all of it first; nothing is ever sent, and neither key nor address can be in one (threats A9).
import * as vscode from "vscode";
import { readPath } from "../../core/patch/paths.ts";

export interface LinkedQuestion {
  readonly prompt: string;
  /** Paths in the workspace, as the link spells them. */
  readonly files: readonly string[];
}

/** Each character of a question may be written as nine. */
const longestQuery = 128 * 1024;
const longestPrompt = 2_000;
const maxFiles = 20;

/** `undefined`: it is no link of this kind, or asks for more than any honest one. */
export function readLink(uri: Pick<vscode.Uri, "path" | "query">): LinkedQuestion | undefined {
  if (uri.path !== "/open" || uri.query.length > longestQuery) return undefined;
  const query = new URLSearchParams(uri.query);
  const prompt = query.get("prompt") ?? "";
  const files = query.getAll("file");
  const known = [...query.keys()].every((name) => name === "prompt" || name === "file");
  if (!known || prompt.length > longestPrompt || files.length > maxFiles) return undefined;
  return prompt.trim() === "" && files.length === 0 ? undefined : { prompt, files };
}

export interface LinkDeps {
  folders(): readonly string[];
  /** Into the box of a new conversation. */
  fill(question: LinkedQuestion): Promise<void>;
  report(error: unknown): unknown;
  /** The editor's own dialog unless given. */
  confirm?(question: LinkedQuestion): Promise<boolean>;
}

export function createLinkHandler(deps: LinkDeps): vscode.UriHandler {
  const { confirm = confirmNatively } = deps;
  return {
    async handleUri(uri) {
      try {
        const asked = readLink(uri);
        if (asked === undefined) return;
        const files = asked.files.filter((file) => readPath(file, deps.folders()).kind === "named");
        const question = { prompt: asked.prompt, files };
        if (question.prompt.trim() === "" && files.length === 0) return;
        if (await confirm(question)) await deps.fill(question);
      } catch (error) {
        await deps.report(error);
      }
    },
  };
}

async function confirmNatively({ prompt, files }: LinkedQuestion): Promise<boolean> {
  const t = vscode.l10n.t;
  const yes = t("Write It");
  const detail = [visible(prompt), ...files.map((file) => `@ ${visible(file)}`)]
    .filter((line) => line !== "")
    .concat(t("The text will be added to a new conversation. Nothing is sent until you press Send."))
    .join("\n\n");
  const question = t("A link wants to add a question to Patchbay.");
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, yes)) === yes;
}

/** Threats B12: what nobody would see is spelled out. */
const visible = (text: string): string =>
  text.replace(
    /(?![\n\t ])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`,
  );
