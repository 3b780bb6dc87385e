// How Git is started where it only reads or writes objects. A repository's configuration can name programs for almost
// everything Git does. What could run one – hooks, a pager, an editor, a file watcher, a transport for objects that are
// missing – is switched off on the command line and in the environment, which a repository cannot change. Filters and
// external diffs are switched off by the commands themselves.

/** Stands before the command. */
export const harmlessGitArguments: readonly string[] = [
  ...["--no-pager", "--no-optional-locks", "--literal-pathspecs"],
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "core.editor=true"].flatMap(
    (each) => ["-c", each],
  ),
  ...["core.quotePath=false", "log.showSignature=false", "gc.auto=0", "maintenance.auto=false"].flatMap(
    (each) => ["-c", each],
  ),
];

/** What Git needs to find its own files and the person's configuration. */
const passedOn = ["PATH", "HOME", "USERPROFILE", "SystemRoot", "TEMP", "TMP", "TMPDIR", "XDG_CONFIG_HOME"];

export const harmlessGitEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...{ LC_ALL: "C", GIT_PAGER: "cat", GIT_EDITOR: "true", GIT_TERMINAL_PROMPT: "0" },
  // A partial clone would otherwise ask a remote for what it lacks, by a command of its configuration. Older Gits know
  // only the second of these, and its place in the configuration is the repository's.
  ...{ GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_NO_REPLACE_OBJECTS: "1" },
});
