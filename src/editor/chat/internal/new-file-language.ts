// The language of a new file created from a code block: VS Code's id for the word after the fence.
import * as vscode from "vscode";

/** Maps the names that people and models write after a code fence to VS Code's language ids. */
const languageIds: ReadonlyMap<string, string> = new Map([
  ["ts", "typescript"],
  ["tsx", "typescriptreact"],
  ["js", "javascript"],
  ["jsx", "javascriptreact"],
  ["mjs", "javascript"],
  ["py", "python"],
  ["rb", "ruby"],
  ["rs", "rust"],
  ["cs", "csharp"],
  ["c++", "cpp"],
  ["md", "markdown"],
  ["yml", "yaml"],
  ["sh", "shellscript"],
  ["bash", "shellscript"],
  ["shell", "shellscript"],
  ["zsh", "shellscript"],
  ["ps1", "powershell"],
  ["docker", "dockerfile"],
  ["make", "makefile"],
  ["golang", "go"],
]);

/** `undefined` for a language that this editor does not know. */
export async function languageOfNewFile(name: string): Promise<string | undefined> {
  const id = languageIds.get(name.toLowerCase()) ?? name.toLowerCase();
  return (await vscode.languages.getLanguages()).includes(id) ? id : undefined;
}
