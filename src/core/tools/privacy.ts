// Which files never leave the machine. The one choke point: whatever a tool or an attachment reads goes through
// guarded-files.ts, which asks here. It fails closed: a rule that cannot be read refuses everything.
import { foldName } from "../patch/paths.ts";
import { BrokenPattern, type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";

export interface PrivacySettings {
  /** The user's own patterns, after the built-in ones; `!` may take one of those back. */
  readonly ignore: readonly string[];
  /** The workspace's patterns: they only add. */
  readonly alsoIgnore: readonly string[];
}

/** A file of patterns that lies in the workspace; it only adds, too. */
export const ignoreFileName = ".patchbayignore";

export const neverSent: readonly string[] = [
  ".env*",
  ".git",
  "*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk,asc,gpg}",
  "id_{rsa,dsa,ecdsa,ed25519}*",
  ".{ssh,gnupg,aws,azure,kube}/",
  ".{netrc,npmrc,pypirc,pgpass,htpasswd,git-credentials,vault-token}",
  "_netrc",
  "kubeconfig*",
  ".docker/config.json",
  "{credentials,client_secret*,service-account*}.json",
  "secrets.{json,yml,yaml,toml,env}",
  "*.tfstate*",
  "*.tfvars*",
];

/** Answers with the reason why a path is never sent, or with nothing. Paths are relative to their folder. */
export type Privacy = (path: string, isFolder: boolean) => string | undefined;

/** `ignoreFile` is the text of the folder's own ignore file, if there is one. */
export function createPrivacy(settings: PrivacySettings, ignoreFile = ""): Privacy {
  const layers: IgnoreRules[] = [];
  try {
    for (const lines of [[...neverSent, ...settings.ignore], settings.alsoIgnore, ignoreFile.split("\n")])
      layers.push(readIgnoreRules(lines, { fold: foldName }));
  } catch (error) {
    const pattern = error instanceof BrokenPattern ? ` "${error.pattern}"` : "";
    return () => `nothing is sent while the ignore rule${pattern} cannot be read`;
  }
  return (path, isFolder) =>
    path !== "" && layers.some((rules) => rules.ignores(path, isFolder))
      ? "it is on the list of files that are never sent"
      : undefined;
}
