// What a page requests of the editor: open a file or a link, copy text, use code, attach. Also the page's focus as
// context keys, and the notices above its composer.
import * as vscode from "vscode";
import type { CodeUse, PageCommand, PageFocus } from "../../bridge/protocol.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Attachment } from "../../conversation/state.ts";
import type { Workspace } from "../../files/workspace.ts";
import { uncommitted } from "../../findings/editor/what-to-review.ts";
import type { PageEditor } from "../../host/page-host.ts";
import { readPath } from "../../patch/paths.ts";
import { parsedUrl } from "../../util/parsed-url.ts";
import { withoutControls } from "../../util/text.ts";
import { type Attach, attachKinds } from "../attach/attach.ts";
import type { Starters, SuggestedContext } from "../attach/suggested-context.ts";
import { localize } from "../localize.ts";
import type { LogChannel } from "../log.ts";
import { commands, contextKeys } from "../manifest.ts";
import { reportError, showInformation, showWarning } from "../notify.ts";
import type { Settings } from "../settings/settings.ts";
import type { ReadOnlyDocuments } from "../ui/documents.ts";
import { type AskedTexts, showAskedTexts } from "../ui/show-problem.ts";
import { toUri } from "../workspace/file-uris.ts";
import { type ProposeCodeDeps, proposeCode } from "./internal/propose-code.ts";
import { useCode } from "./internal/use-code.ts";

interface PageActionsDeps extends ProposeCodeDeps {
  readonly workspace: Workspace;
  readonly attach: Attach;
  readonly suggested: SuggestedContext;
  readonly starters: Starters;
  readonly focus: PageFocusKeys;
  readonly documents: ReadOnlyDocuments;
  readonly log: LogChannel;
}

/**
 * Handles the requests of a page. Paths, URLs and code may come from the model, so each is checked first. Failures are
 * reported immediately.
 */
export function createPageActions(deps: PageActionsDeps): PageEditor {
  const { workspace, attach, focus, log } = deps;
  const report = (error: unknown) => reportError(error, log);
  const wish =
    <Words extends unknown[]>(grant: (...words: Words) => Promise<unknown>) =>
    (...words: Words) =>
      void grant(...words).catch(report);
  /** A failure is reported, and the page gets what there is. */
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
      // In the editor of its kind: an image or a notebook is no text document.
      const shown: vscode.TextDocumentShowOptions = { selection: new vscode.Range(at, at) };
      await vscode.commands.executeCommand("vscode.open", toUri(named.file), shown);
    }),
    openLink: wish(async (url: string) => {
      if (!["http:", "https:"].includes(parsedUrl(url)?.protocol ?? "")) return;
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
      if (known !== undefined) await vscode.commands.executeCommand(...known);
    }),
    inspectTurn: wish(async (turn: string) => {
      await vscode.commands.executeCommand(commands.inspectTurn, turn);
    }),
    get suggested() {
      return deps.suggested.current;
    },
    get starters() {
      return deps.starters.current;
    },
    attachKinds,
    pick: (kind) => attached(attach.pick(kind)),
    attachmentsOf: (uris) => attached(attach.dropped(uris)),
    setFocus: focus.set,
    showTexts: wish((texts: AskedTexts) => showAskedTexts(texts, deps.documents)),
    tell: ({ asMessage, message }) =>
      void showWarning(asMessage === undefined ? message : localize(asMessage)),
  };
}

const commandsOfPage: Partial<Record<PageCommand, readonly [command: string, about: string]>> = {
  "output-limit": [commands.setOutputLimit, "current"],
  "inspect-draft": [commands.inspectRequest, "current"],
  "set-up-checks": [commands.setUpChecks, "current"],
  "review-changes": [commands.reviewCode, uncommitted],
};

interface PageFocusKeys {
  /** Reported by the page. */
  set(focus: PageFocus, page: object): void;
  /** The turn that commands refer to. */
  readonly turn: string | undefined;
  /** Whether a page has the focus. */
  readonly isInPage: boolean;
}

/** The focus inside the chat page as context keys, for keybindings and menus. */
export function createPageFocus(tell: (key: string, value: boolean) => unknown = setContext): PageFocusKeys {
  let turn: string | undefined;
  /** The page that has the focus. */
  let inUse: object | undefined;
  return {
    set(focus, page) {
      // Messages of two pages arrive in any order: one page losing the focus says nothing about the other.
      if (focus.area === "elsewhere" && inUse !== page) return;
      inUse = focus.area === "elsewhere" ? undefined : page;
      turn = focus.turn ?? turn;
      tell(contextKeys.chatFocused, focus.area !== "elsewhere");
      tell(contextKeys.composerFocused, focus.area === "composer");
      tell(contextKeys.turnFocused, focus.turn !== undefined);
      tell(contextKeys.codeFocused, focus.code === true);
    },
    get turn() {
      return turn;
    },
    get isInPage() {
      return inUse !== undefined;
    },
  };
}

const setContext = (key: string, value: boolean): void =>
  void vscode.commands.executeCommand("setContext", key, value);

type Noted = Pick<Settings, "service" | "unusableProfile" | "defaultModel" | "languageModel">;

/** Notices above the composer, about the window and about what is being logged. */
export function placeNotices({ service, unusableProfile, defaultModel, languageModel }: Noted): Message[] {
  const model = defaultModel();
  // Requirements M6: an unknown model is pointed out, and used all the same.
  const isUnknown = model !== "" && !languageModel.models().some(({ id }) => id === model);
  return [
    // Requirements N5: a reminder that bodies are being logged.
    ...(service().trace === "bodies" ? [message("placeTraced")] : []),
    ...unusableProfile().map((name) => message("placeProfile", { name })),
    ...(isUnknown ? [message("placeModel", { model })] : []),
    ...ofPlace(),
  ];
}

function ofPlace(): Message[] {
  if (!vscode.workspace.isTrusted) return [message("placeRestricted")];
  if (vscode.workspace.workspaceFolders === undefined) return [message("placeNoFolder")];
  return [];
}
