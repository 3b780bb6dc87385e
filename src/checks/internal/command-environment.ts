// The environment of a command on a copy: which variables of the editor's own it sees, and what keeps it from waiting
// and downloading. Also which programs it finds.
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Variables that programs need to find each other and their caches. All others may hold secrets. */
const passedOn = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ"],
  ...["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
  ...["ProgramFiles", "ProgramFiles(x86)", "ProgramData", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"],
  ...["JAVA_HOME", "GOROOT", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT", "NVM_DIR", "VOLTA_HOME"],
];

export function environmentFor(folder: string, temporary: string): Record<string, string> {
  const own: Record<string, string> = Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const programs = [".venv", "venv"].map((name) =>
    join(folder, name, process.platform === "win32" ? "Scripts" : "bin"),
  );
  return {
    ...own,
    PATH: [...programs, ...programFolders(own["PATH"])].join(delimiter),
    ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    // Without a terminal and without downloads.
    ...{ TERM: "dumb", PYTHONUNBUFFERED: "1", PYTHONDONTWRITEBYTECODE: "1" },
    ...{ npm_config_offline: "true", npm_config_update_notifier: "false" },
    ...{ npm_config_manage_package_manager_versions: "false", COREPACK_ENABLE_NETWORK: "0" },
    ...{ CARGO_NET_OFFLINE: "true", GOPROXY: "off", GOTOOLCHAIN: "local" },
    ...{ PIP_NO_INDEX: "1", YARN_ENABLE_NETWORK: "0", GIT_TERMINAL_PROMPT: "0" },
  };
}

/**
 * What checks are told besides: not to wait for anybody, and to write without colours. A command of a model is not told
 * so, because tests of a program's own colours would fail by that; its output has no colours once it is cleaned.
 */
export const unattended: Readonly<Record<string, string>> = {
  ...{ CI: "1", NO_COLOR: "1", FORCE_COLOR: "0", CARGO_TERM_COLOR: "never" },
};

/** What of it keeps programs from the network. */
export const offlineVariables: ReadonlySet<string> = new Set([
  ...["npm_config_offline", "COREPACK_ENABLE_NETWORK", "CARGO_NET_OFFLINE", "GOPROXY", "PIP_NO_INDEX"],
  "YARN_ENABLE_NETWORK",
]);

/** Relative entries would be folders of the copy, whose programs a proposal may have put in the place of others. */
const programFolders = (path = ""): readonly string[] => path.split(delimiter).filter(isAbsolute);

/** Finds the programs available to the checks of a folder: in its own Python environment, and on the system's path. */
export async function isInstalled(program: string, folder: string): Promise<boolean> {
  if (!/^[\w.-]+$/.test(program)) return true;
  const { PATH = "", PATHEXT = "" } = environmentFor(folder, folder);
  const endings = process.platform === "win32" ? ["", ...PATHEXT.split(";")] : [""];
  for (const place of PATH.split(delimiter).filter((each) => each !== ""))
    for (const ending of endings) if (await isProgram(join(place, `${program}${ending}`))) return true;
  return false;
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
