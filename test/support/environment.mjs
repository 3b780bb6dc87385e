// The environment for a VS Code that we start ourselves.

/** A terminal inside VS Code sets variables that would make another VS Code believe it is that one. */
export function cleanEnvironment(extra = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name));
  return { ...Object.fromEntries(inherited), ...extra };
}
