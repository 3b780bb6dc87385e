// What stands at a path of a file system that is not this machine's disk: remote, virtual. Such a system does not
// say where a link leads, so any link on the way counts as leading outside.
import * as vscode from "vscode";
import { type FileName, plainStanding, type Standing } from "../../core/patch/model.ts";
import { toUri } from "./file-uris.ts";

export async function lookThroughVsCode(file: FileName): Promise<Standing> {
  const steps = file.path === "" ? [] : file.path.split("/");
  let stat = await statOf({ ...file, path: "" });
  for (let length = 1; length <= steps.length && stat !== undefined; length += 1) {
    if ((stat.type & vscode.FileType.Directory) === 0)
      return { ...plainStanding, kind: "blocked", real: file.path };
    stat = await statOf({ ...file, path: steps.slice(0, length).join("/") });
    const isLink = stat !== undefined && (stat.type & vscode.FileType.SymbolicLink) !== 0;
    if (isLink) return { ...plainStanding, kind: "other", real: undefined, link: true };
  }
  if (stat === undefined) return { ...plainStanding, kind: "nothing", real: file.path };
  return {
    ...plainStanding,
    kind: kindOf(stat.type),
    real: file.path,
    bytes: stat.size,
    writable: isWritable(file, stat),
  };
}

function statOf(file: FileName): Thenable<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(toUri(file)).then(
    (stat) => stat,
    (error: unknown) => {
      // Only what is certainly not there counts as nothing.
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
      throw error;
    },
  );
}

function kindOf(type: vscode.FileType): Standing["kind"] {
  if (type === vscode.FileType.File) return "file";
  return type === vscode.FileType.Directory ? "folder" : "other";
}

function isWritable(file: FileName, stat: vscode.FileStat): boolean {
  const readOnly = ((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0;
  return !readOnly && vscode.workspace.fs.isWritableFileSystem(toUri(file).scheme) !== false;
}
