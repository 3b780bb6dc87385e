// What Git puts above the hunks of a file: `diff --git`, `index`, modes, `---` and `+++`. It is overlooked where it
// names the file of the section it stands in, and nowhere else.

const plain =
  /^(?:index [0-9a-f]{4,64}\.\.[0-9a-f]{4,64}(?: \d{6})?|(?:new|deleted) file mode \d{6}|(?:old|new) mode \d{6}|similarity index \d{1,3}%)$/;

const longest = 2048;

/** A line that says nothing of the change. `paths` are the file's names, as the section has them. */
export function isGitHeader(line: string, paths: readonly string[]): boolean {
  if (plain.test(line)) return true;
  if (!line.startsWith("diff --git ") || line.length > longest) return false;
  const named = line.slice("diff --git ".length);
  // Either name may hold spaces.
  for (let at = named.indexOf(" "); at !== -1; at = named.indexOf(" ", at + 1))
    if (isNamed(named.slice(0, at), paths) && isNamed(named.slice(at + 1), paths)) return true;
  return false;
}

/** `--- a/path` or `+++ b/path`. */
export function namesOldOrNew(line: string, sign: "---" | "+++", paths: readonly string[]): boolean {
  if (!line.startsWith(`${sign} `) || line.length > longest) return false;
  // A time may follow, behind a tab.
  const [named = ""] = line.slice(4).split("\t", 1);
  return named === "/dev/null" || isNamed(named.trimEnd(), paths);
}

/** Git counts from the root of its repository, which may lie above the folder that is open, or below. */
function isNamed(named: string, paths: readonly string[]): boolean {
  const bare = named.replace(/^[ab]\//, "");
  return paths.some((path) => {
    const own = path.replace(/^(["'`])(.+)\1$/, "$2").replace(/^[ab]\//, "");
    return bare !== "" && (own === bare || own.endsWith(`/${bare}`) || bare.endsWith(`/${own}`));
  });
}
