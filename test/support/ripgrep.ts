// The ripgrep of the package that VS Code takes it from, for tests that have no VS Code.
import { join } from "node:path";

const { platform, arch } = process;

export const ripgrep = join(
  ...[process.cwd(), "node_modules", "@vscode", `ripgrep-${platform}-${arch}`, "bin"],
  platform === "win32" ? "rg.exe" : "rg",
);
