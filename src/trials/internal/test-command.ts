// The command that judges a commit: the person's own test command, restricted to the commit's test files where its runner
// takes them, else the whole.

/** Runners that take test files as arguments. */
const takesFiles: readonly (readonly [runner: RegExp, ending: RegExp])[] = [
  [/^(?:npx (?:--no-install )?)?(?:vitest(?: run)?|jest|mocha|ava)$/, /\.[cm]?[jt]sx?$/],
  [/^node(?: --[\w-]+(?:=[\w./-]+)?)* --test(?: --[\w-]+(?:=[\w./-]+)?)*$/, /\.[cm]?[jt]s$/],
  [/^(?:python3? -m )?pytest(?: -\w+)*$/, /\.py$/],
];

/** Names that need no quotes in any shell. */
const isPlain = (path: string): boolean => /^[\w./@+-]+$/.test(path) && !path.startsWith("-");

interface TestCommand {
  readonly command: string;
  /** Whether it runs only the commit's own tests. */
  readonly isRestricted: boolean;
}

/**
 * `body`: the one script of package.json that the command runs. `files`: the test files of the commit, as they are in
 * it.
 */
export function testCommand(
  command: string,
  body: string | undefined,
  files: readonly string[],
): TestCommand {
  const whole = { command, isRestricted: false };
  const isScript = /^(?:npm|pnpm|yarn|bun) (?:run )?[\w:-]+$/.test(command.trim());
  const runner = (isScript ? body : command)?.trim() ?? "";
  if (/^go test \.\/\.\.\.$/.test(runner) && !isScript) {
    const folders = files.filter((path) => /_test\.go$/.test(path)).map(folderOf);
    if (folders.length === 0 || !folders.every(isPlain)) return whole;
    const packages = [...new Set(folders)].map((folder) => (folder === "" ? "." : `./${folder}`));
    return { command: `go test ${packages.join(" ")}`, isRestricted: true };
  }
  const row = takesFiles.find(([form]) => form.test(runner));
  if (row === undefined) return whole;
  const own = files.filter((path) => row[1].test(path) && !/(?:fixtures?|helpers?|support)\//.test(path));
  if (own.length === 0 || !own.every(isPlain)) return whole;
  // The others hand such a separator on to the script.
  const separator = isScript && /^npm\b/.test(command.trim()) ? " --" : "";
  return { command: `${command.trim()}${separator} ${own.join(" ")}`, isRestricted: true };
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
