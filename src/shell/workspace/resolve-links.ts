// The paths of what a person has open or named anywhere, also outside of every folder: as they are written, and where
// they lead. It reads nothing; what may be sent of it is decided in the core.
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { refusePathSize } from "../../core/util/path-limits.ts";

/** Throws where it cannot be told. */
export async function follow(address: string): Promise<readonly string[]> {
  const uri = vscode.Uri.parse(address, true);
  if (refusePathSize(uri.path) !== undefined) return [uri.path];
  // Threats C7: the name of a host is never looked at, since asking for it can tell that host who asks.
  if (uri.scheme === "file" && uri.authority !== "") return [uri.path];
  if (uri.scheme === "file") return [uri.path, await realPath(uri)];
  // Other file systems do not say where a link leads; documents without a file system have none.
  const isFile = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  const found = isFile ? await statOf(uri) : undefined;
  if (found !== undefined && (found.type & vscode.FileType.SymbolicLink) !== 0)
    throw new Error("Nobody knows where this link leads.");
  return [uri.path];
}

async function realPath(uri: vscode.Uri): Promise<string> {
  try {
    return vscode.Uri.file(await realpath(uri.fsPath)).path;
  } catch (error) {
    // An open document may outlive its file.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return uri.path;
    throw error;
  }
}

function statOf(uri: vscode.Uri): Thenable<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    (stat) => stat,
    () => undefined,
  );
}
