// What a command sees of this machine besides its copy: programs and what they need. A path that is not in these lists
// does not exist for the command, and no listed path contains credentials.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, sep } from "node:path";

/** Whether a path is this folder or inside it. Both must be absolute and contain no `..`. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Mounted unchanged. */
const systemFolders = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/snap"],
  ...["/nix/store", "/gnu/store", "/run/current-system"],
];

/**
 * Paths below /etc that programs need to start. Not shadow, ssl/private, gitconfig (addresses with tokens), nix
 * (access-tokens).
 */
const configuration = [
  ...["passwd", "group", "nsswitch.conf", "host.conf", "hosts", "protocols", "services", "mime.types"],
  ...["localtime", "timezone", "locale.alias", "os-release", "lsb-release", "debian_version"],
  ...["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "static"],
  ...["ssl/certs", "ssl/openssl.cnf", "ca-certificates", "pki/tls", "pki/ca-trust", "crypto-policies"],
  ...["python3", "perl", "php", "php.d", "php.ini", "R", "dotnet"],
];

/** Configuration folders whose names contain a version. */
const versionedConfiguration = /^(?:java|python)[\d.-]/;

/**
 * Paths below the home: programs and what they have downloaded. Never `.cargo`, `.m2`, `.gradle`, `.gem`, `.julia`,
 * `.opam` or `.dotnet` as a whole, since they contain credentials.
 */
const toolchains = [
  ...[".pyenv", ".rustup", ".cargo/bin", ".cargo/registry", ".cargo/git", ".nvm/versions", ".fnm"],
  ...[".volta/bin", ".volta/tools", ".asdf/installs", ".asdf/shims", ".local/bin", ".local/lib"],
  ...[".local/share/mise/installs", ".local/share/mise/shims", ".local/share/fnm", ".local/share/pnpm"],
  ...[".local/share/uv/python", ".local/share/uv/tools", ".local/pipx/venvs", ".local/share/pipx/venvs"],
  ...["go/bin", "go/pkg/mod", ".bun/bin", ".bun/install", ".deno/bin", ".nuget/packages"],
  ...[".dotnet/dotnet", ".dotnet/host", ".dotnet/packs", ".dotnet/sdk", ".dotnet/sdk-manifests"],
  ...[".dotnet/shared", ".dotnet/templates", ".dotnet/tools"],
  ...[".m2/repository", ".m2/wrapper", ".gradle/caches", ".gradle/wrapper", ".sdkman/candidates"],
  ...[".rbenv", ".gem/ruby", ".gem/jruby", ".gem/truffleruby", ".local/share/gem/ruby", ".composer/vendor"],
  ...[".cache/ms-playwright", ".cache/puppeteer", ".cache/Cypress", ".cache/node", ".cache/electron"],
  ...[".julia/artifacts", ".julia/bin", ".julia/compiled", ".julia/environments", ".julia/juliaup"],
  ...[".julia/packages", ".julia/registries", ".ghcup", ".elan"],
];

/** Folders below the home that stay empty, even if PATH has a folder around them. */
const credentials = [".dotnet/corefx", ".julia/servers", ".opam/plugins"];

/** Program folders of each compiler that opam has installed, by whatever name. */
function opamFolders(home: string): readonly string[] {
  const opam = join(home, ".opam");
  const names = existsSync(opam) ? readdirSync(opam) : [];
  return names
    .filter((name) => existsSync(join(opam, name, ".opam-switch")))
    .flatMap((name) => ["bin", "lib", "sbin", "share"].map((each) => join(opam, name, each)));
}

/** Siblings of a program folder named `bin` from which its programs load files. */
const besideBin = ["lib", "lib64", "libexec", "share", "include", "conf"];

/**
 * Those of them that are shown in a home: what a person keeps in `share` and `conf` there contains credentials. Beside
 * `~/bin` there is none.
 */
const besideBinAtHome = ["lib", "lib64", "libexec", "include"];

function siblingsOfBin(bin: string, owners: readonly string[]): readonly string[] {
  const folder = dirname(bin);
  if (basename(bin) !== "bin" || owners.includes(folder)) return [];
  const names = owners.some((home) => isInside(folder, home)) ? besideBinAtHome : besideBin;
  return names.map((name) => join(folder, name));
}

export interface ViewOptions {
  readonly storage: string;
  readonly workspaceFolders: readonly string[];
  /** Program folders in unusual places. */
  readonly programs?: readonly string[] | undefined;
}

/** The source path and the path in the sandbox. */
type Shown = readonly [from: string, at: string];

/** A system folder, or the link that exists in its place. */
type SystemFolder = { readonly at: string; readonly linkTo?: string };

/** The user's home folders, according to the environment and to the system. */
export function homes(): readonly string[] {
  const all = [homedir()];
  try {
    all.push(userInfo().homedir);
  } catch {
    // A container's user may have no passwd entry.
  }
  return [...new Set(all.filter(isAbsolute).map(real))].filter((each) => each !== "/" && existsSync(each));
}

export function shownSystem(): readonly SystemFolder[] {
  return systemFolders.flatMap((at) => {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    return [stats.isSymbolicLink() ? { at, linkTo: readlinkSync(at) } : { at }];
  });
}

/** `network`: a command that may use the network has to find its name servers. */
export function shownConfiguration(network: boolean): readonly Shown[] {
  const versioned = readdirSync("/etc").filter((each) => versionedConfiguration.test(each));
  return [...configuration, ...versioned, ...(network ? ["resolv.conf"] : [])]
    .map((each) => join("/etc", each))
    .filter((each) => existsSync(each))
    .map((each) => [realpathSync(each), each] as const);
}

/** Program folders: known ones below the home, those in PATH, and those that a person has configured. */
export function shownPrograms(
  path: string,
  { storage, workspaceFolders, programs = [] }: ViewOptions,
): readonly Shown[] {
  const closed = [storage, ...workspaceFolders].map(real);
  const owners = homes();
  const isOpen = (folder: string) =>
    existsSync(folder) &&
    !closed.some((each) => isInside(folder, each) || isInside(each, folder)) &&
    !owners.some((each) => isInside(each, folder)) &&
    folder !== "/";
  const known = owners.flatMap((home) => [
    ...toolchains.map((each) => join(home, each)),
    ...opamFolders(home),
  ]);
  const named = [...path.split(delimiter), ...programs].filter((each) => isAbsolute(each));
  const shown: Shown[] = [];
  const show = (from: string, at: string) => {
    if (!isOpen(from) || !isOpen(at)) return;
    const isThere = [...systemFolders, ...shown.map(([, each]) => each)].some((each) => isInside(at, each));
    if (!isThere) shown.push([from, at]);
  };
  for (const each of known) show(real(each), each);
  for (const each of named) {
    const from = real(each);
    show(from, from);
    for (const beside of siblingsOfBin(from, owners)) show(beside, beside);
    show(from, each);
  }
  return shown;
}

/** Folders inside the visible ones that must appear empty: other workspaces, our storage, credentials. */
export function closedFolders(
  shown: readonly string[],
  at: string,
  { storage, workspaceFolders }: ViewOptions,
): readonly string[] {
  const isDirectory = (each: string) => lstatSync(each, { throwIfNoEntry: false })?.isDirectory() === true;
  const withCredentials = homes().flatMap((home) => credentials.map((each) => join(home, each)));
  return [...new Set([storage, ...workspaceFolders, ...withCredentials].map(real))].filter(
    (each) => isDirectory(each) && !isInside(each, at) && shown.some((folder) => isInside(each, folder)),
  );
}

const real = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};
