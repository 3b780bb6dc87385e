// The language of a new file: what people and models write behind a fence, and what VS Code calls it.
import * as vscode from "vscode";

const otherNames: ReadonlyMap<string, string> = new Map([
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

/** None for a language that this editor does not know. */
export async function languageIdOf(name: string): Promise<string | undefined> {
  const id = otherNames.get(name.toLowerCase()) ?? name.toLowerCase();
  return (await vscode.languages.getLanguages()).includes(id) ? id : undefined;
}
