// What this machine's own disk allows for a search: where things lie, what is open in front of them, in which encoding
// VS Code takes them, and its own ripgrep.
import { env, workspace } from "vscode";
import type { LocalDisk } from "../../core/changes/workspace.ts";
import { toFileName, toUri } from "./file-uris.ts";
import { findRipgrep, mayHold } from "./ripgrep.ts";

export function createLocalDisk(): LocalDisk {
  let ripgrep: Promise<string | undefined> | undefined;
  return {
    place(file) {
      const { scheme, authority, fsPath } = toUri(file);
      return scheme === "file" && authority === "" ? fsPath : undefined;
    },
    opened: () =>
      workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === "file" ? (toFileName(uri) ?? []) : [])),
    isUtf8(folder) {
      const files = workspace.getConfiguration("files", toUri(folder));
      const { languageIds = [] } = files.inspect("encoding") ?? {};
      const isMeant = ["utf8", "utf8bom"].includes(files.get("encoding", "utf8"));
      return isMeant && languageIds.length === 0 && !files.get("autoGuessEncoding", false);
    },
    async mayHold(place, query, take) {
      ripgrep ??= findRipgrep(env.appRoot);
      const program = await ripgrep;
      return program !== undefined && mayHold(program, place, query, take);
    },
  };
}
