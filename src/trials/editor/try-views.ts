// A person looks at one of several tries: at its changes, against the files as they are, in one diff, or at its response.
// Where checks of it wait for a person, they are asked what they would be asked before the checks of any proposal.
import * as vscode from "vscode";
import type { TryAction } from "../../bridge/protocol.ts";
import type { CheckHost } from "../../checks/check.ts";
import { askToRun } from "../../checks/editor/check-runs.ts";
import { HumanError } from "../../conversation/messages.ts";
import type { ReadOnlyDocuments } from "../../editor/ui/documents.ts";
import { findUri } from "../../editor/workspace/file-uris.ts";
import type { Session } from "../../session/session.ts";
import type { SessionTrials } from "../session-trials.ts";

interface TryViewsDeps {
  readonly trials: Pick<SessionTrials, "of" | "check">;
  readonly documents: Pick<ReadOnlyDocuments, "show">;
  readonly host: Pick<CheckHost, "allowAlways" | "measure">;
}

/** No scheme of a review, since nothing of a try can be accepted before it is taken. */
const scheme = "patchbay-try";
/** Looks whose texts are kept; VS Code itself holds what a tab has read. */
const kept = 10;

export function createTryViews({ trials, documents, host }: TryViewsDeps) {
  const t = vscode.l10n.t;
  /** The texts of each look by their query. */
  const looks = new Map<string, ReadonlyMap<string, string>>();
  // A tab that has survived a reload holds on to its old text, so no later look may have its URLs.
  let count = Date.now();
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) =>
      looks.get(query.split("/", 1)[0] ?? "")?.get(query) ?? t("This text is no longer available."),
  });

  async function found(session: Session, at: number) {
    const trial = trials.of(session);
    const shown = await trial?.look(at);
    if (shown === undefined) throw new HumanError(t("This try is gone, or runs again."));
    const model = trial?.candidates[at]?.model;
    const label = session.choices.models.find(({ id }) => id === model)?.label ?? model ?? "";
    return { ...shown, name: `${at + 1} · ${label}` };
  }

  async function look(session: Session, at: number): Promise<void> {
    const { files, name } = await found(session, at);
    if (files.length === 0) return read(session, at);
    count += 1;
    const address = String(count);
    const texts = new Map<string, string>();
    const side = (name: string, path: string, text: string | undefined) => {
      if (text === undefined) return undefined;
      const uri = vscode.Uri.from({ scheme, path: `/${path}`, query: `${address}/${name}` });
      texts.set(uri.query, text);
      return uri;
    };
    const rows = files.map(({ file, path, to, before, after }, row) => {
      const [original, modified] = [side(`${row}/before`, path, before), side(`${row}/after`, to, after)];
      return [findUri(file) ?? modified ?? original, original, modified];
    });
    looks.set(address, texts);
    for (const oldest of [...looks.keys()].slice(0, -kept)) looks.delete(oldest);
    const title = t("Changes of Try {0}", name);
    const isEarlier = new Set(tabsOf(title));
    await vscode.commands.executeCommand("vscode.changes", title, rows);
    // VS Code cannot change the title or the files of a tab. A preview tab was already replaced.
    const earlier = tabsOf(title).filter((tab) => isEarlier.has(tab));
    if (earlier.length > 0) await vscode.window.tabGroups.close(earlier, true);
  }

  async function read(session: Session, at: number): Promise<void> {
    const { said, name } = await found(session, at);
    await documents.show(
      t("Response of Try {0}", name),
      "txt",
      said === "" ? t("It has written no text.") : said,
    );
  }

  const check = (session: Session, at: number): Promise<void> =>
    trials.check(session, at, async (question) => {
      const answer = await askToRun(question, host);
      if (answer === "show") await look(session, at);
      if (answer === "always") await host.allowAlways(question.check);
      return answer === "run" || answer === "always";
    });

  const actions = { look, read, check };
  return {
    act: (session: Session, action: TryAction, at: number): Promise<void> => actions[action](session, at),
    dispose: () => provider.dispose(),
  };
}

/** The diffs with this title. A tab doesn't list files that are added or deleted, but VS Code adds a number of files. */
const tabsOf = (title: string): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ label, input }) => {
      const isTitled = label.startsWith(title) && /^(?:\s*[(（]|$)/.test(label.slice(title.length));
      return isTitled && !(input instanceof vscode.TabInputText);
    });
