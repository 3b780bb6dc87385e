// What a page asks of the editor: open a file or a link, copy text, take code, attach. Paths, addresses and code may
// come from the model, so each is looked at before anything happens; what goes wrong is said at once.
import * as vscode from "vscode";
import type { CodeUse, PageCommand } from "../../bridge/protocol.ts";
import type { Workspace } from "../../core/changes/workspace.ts";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { readPath } from "../../core/patch/paths.ts";
import { withoutControls } from "../../core/util/plain-text.ts";
import type { PageEditor } from "../../page-host.ts";
import { type Attach, attachKinds } from "../attach/attach.ts";
import type { SuggestedContext } from "../attach/suggested-context.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import type { LogChannel } from "../log.ts";
import { commands } from "../manifest.ts";
import { showInformation, showWarning } from "../notify.ts";
import { reportError } from "../report-error.ts";
import { toUri } from "../workspace/file-uris.ts";
import type { PageFocusKeys } from "./page-focus.ts";
import { type ProposeCodeDeps, proposeCode } from "./propose-code.ts";
import { useCode } from "./use-code.ts";

export interface PageActionsDeps extends ProposeCodeDeps {
  readonly workspace: Workspace;
  readonly attach: Attach;
  readonly suggested: SuggestedContext;
  readonly focus: PageFocusKeys;
  readonly log: LogChannel;
}

export function createPageActions(deps: PageActionsDeps): PageEditor {
  const { workspace, attach, focus, log } = deps;
  const report = (error: unknown) => reportError(error, log);
  const wish =
    <Words extends unknown[]>(grant: (...words: Words) => Promise<unknown>) =>
    (...words: Words) =>
      void grant(...words).catch(report);
  /** Without what went wrong, the page goes on. */
  const attached = (wished: Promise<readonly Attachment[]>) =>
    wished.catch(async (error: unknown) => {
      await report(error);
      return [];
    });

  return {
    openFile: wish(async (path: string, line: number | undefined) => {
      const named = readPath(path, workspace.folders);
      const found = named.kind === "named" ? await workspace.look(named.file) : undefined;
      if (named.kind === "denied" || found?.kind !== "file") {
        void showInformation(vscode.l10n.t("{0} is not a file of this workspace.", path));
        return;
      }
      const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
      await vscode.window.showTextDocument(toUri(named.file), { selection: new vscode.Range(at, at) });
    }),
    openLink: wish(async (url: string) => {
      if (!URL.canParse(url) || !["http:", "https:"].includes(new URL(url).protocol)) return;
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    }),
    copy: wish(async (text: string) => {
      await vscode.env.clipboard.writeText(withoutControls(text));
    }),
    useCode: wish((use: CodeUse, code: string, language: string) =>
      use === "propose" ? proposeCode(code, deps) : useCode(use, code, language),
    ),
    run: wish(async (command: PageCommand) => {
      const known = commandsOfPage[command];
      if (known !== undefined) await vscode.commands.executeCommand(known, "current");
    }),
    inspectTurn: wish(async (turn: string) => {
      await vscode.commands.executeCommand(commands.inspectTurn, turn);
    }),
    get suggested() {
      return deps.suggested.current;
    },
    attachKinds,
    pick: (kind) => attached(attach.pick(kind)),
    attachmentsOf: (uris) => attached(attach.dropped(uris)),
    setFocus: focus.set,
    tell: ({ asMessage, message }) =>
      void showWarning(asMessage === undefined ? message : inReaderLanguage(asMessage)),
  };
}

const commandsOfPage: Partial<Record<PageCommand, string>> = {
  "output-limit": commands.setOutputLimit,
  "inspect-draft": commands.inspectRequest,
};
