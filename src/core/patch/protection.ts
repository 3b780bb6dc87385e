// Files that run, steer or unlock something: a patch may change them, but a person is asked each time, whatever the
// settings say. Paths come folded (paths.ts); a rule that fails to decide counts as protected.

interface Rule {
  readonly files: RegExp;
  readonly why: string;
}

const rules: readonly Rule[] = [
  { files: /(^|\/)\.vscode\//, why: "it steers the editor" },
  { files: /\.code-workspace$/, why: "it steers the editor" },
  { files: /(^|\/)\.(idea|vs|zed|fleet)\//, why: "it steers an editor" },
  { files: /(^|\/)\.devcontainer(\/|\.json$)/, why: "it builds the development container" },
  { files: /(^|\/)\.github\/(workflows|hooks|agents|actions)\//, why: "it runs on the build service" },
  {
    files: /(^|\/)(\.gitlab-ci|\.travis|azure-pipelines|bitbucket-pipelines|appveyor)\.ya?ml$/,
    why: "it runs on the build service",
  },
  { files: /(^|\/)(\.circleci|\.buildkite)\//, why: "it runs on the build service" },
  { files: /(^|\/)jenkinsfile$/, why: "it runs on the build service" },
  { files: /(^|\/)(\.husky|\.githooks)\//, why: "it runs with Git" },
  {
    files: /(^|\/)\.(pre-commit-config\.yaml|gitattributes|gitmodules|gitconfig|lfsconfig)$/,
    why: "it steers Git",
  },
  { files: /(^|\/)package\.json$/, why: "its scripts run on this machine" },
  {
    files:
      /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|composer\.lock|gemfile\.lock|go\.sum|[^/]+\.lock)$/,
    why: "it decides which packages are installed",
  },
  {
    files:
      /(^|\/)(\.npmrc|\.yarnrc[^/]*|\.pnpmfile[^/]*|pnpm-workspace\.yaml|bunfig\.toml|\.pypirc|pip\.conf)$/,
    why: "it steers a package manager",
  },
  { files: /(^|\/)\.yarn\//, why: "it steers a package manager" },
  { files: /(^|\/)\.env[^/]*$/, why: "it may hold secrets" },
  {
    files: /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)[^/]*|[^/]+\.(pem|key|pfx|p12|jks|keystore|kdbx))$/,
    why: "it may hold a key",
  },
  { files: /(^|\/)\.(ssh|gnupg|aws|kube|docker)\//, why: "it may hold secrets" },
  { files: /(^|\/)(\.netrc|\.git-credentials|\.htpasswd)$/, why: "it may hold secrets" },
  { files: /\.([^/.]*proj|props|targets)$/, why: "it runs with the build" },
  {
    files:
      /(^|\/)(build\.rs|cargo\.toml|web\.config|server\.xml|gradle\.properties|[^/]*\.gradle[^/]*|pom\.xml|setup\.py|conftest\.py)$/,
    why: "it runs with the build",
  },
  { files: /(^|\/)\.cargo\//, why: "it runs with the build" },
  { files: /(^|\/)\.?mcp\.json$/, why: "it starts tools for an assistant" },
  {
    files: /(^|\/)\.(cursor|claude|codex|roo|cline|gemini|windsurf|continue)(\/|rules$|ignore$)/,
    why: "it steers an assistant",
  },
  {
    files: /(^|\/)(agents|claude|gemini|copilot-instructions|[^/]+\.(instructions|prompt|chatmode))\.md$/,
    why: "it steers an assistant",
  },
  { files: /(^|\/)\.patchbay/, why: "it steers Patchbay" },
  {
    files:
      /(^|\/)\.(bash(rc|_profile|_login|_logout|_aliases)|profile|zshrc|zprofile|zshenv|zlogin|kshrc|cshrc|tcshrc|inputrc|vimrc|exrc)$/,
    why: "it runs with every shell",
  },
  { files: /(^|\/)(config\.fish|\.config\/fish\/.*|[^/]*profile\.ps1)$/, why: "it runs with every shell" },
];

export function protectionOf(foldedPath: string): readonly string[] {
  return rules.filter((rule) => rule.files.test(foldedPath)).map((rule) => rule.why);
}

const knownSchemas =
  /^(json-schema\.org|json\.schemastore\.org|www\.schemastore\.org|schemastore\.org|www\.w3\.org|maven\.apache\.org|schemas\.microsoft\.com|schemas\.android\.com)$/;

/** What the text that a patch writes would set in motion by merely being there. */
export function dangersIn(text: string): readonly string[] {
  const dangers = new Set<string>();
  if (/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(text))
    dangers.add("it adds text-direction characters");
  if (/[\u{E0000}-\u{E007F}]/u.test(text)) dangers.add("it adds invisible characters");
  for (const address of fetchedBy(text)) {
    const host = URL.canParse(address) ? new URL(address).hostname : address;
    if (!knownSchemas.test(host)) dangers.add(`it makes editors fetch a schema from ${host}`);
  }
  return [...dangers];
}

const tokens =
  /<!DOCTYPE|<!ENTITY|<\?xml-|schemaLocation\s*=\s*["']|\$schema["']?\s*[:=]\s*["']?|[>"']|https?:\/\/[^"'\s>]+/gi;

/** Addresses that stand where editors look for a schema. One pass: a search per opening would be for minutes. */
function fetchedBy(text: string): string[] {
  const found: string[] = [];
  let inTag = false;
  let inLocation = false;
  let schemaEnds = -1;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith("<")) inTag = true;
    else if (token === ">") inTag = false;
    else if (/^schemaLocation/i.test(token)) inLocation = true;
    else if (token.startsWith("$")) schemaEnds = index + token.length;
    else if (/^["']$/.test(token)) inLocation = false;
    else if (inTag || inLocation || schemaEnds === index) found.push(token);
  }
  return found;
}
