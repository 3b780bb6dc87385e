// One call of runTests(), as a program of its own: whoever waits for it can end it, and all it started, at any time.
import { runTests } from "@vscode/test-electron";

try {
  process.exitCode = await runTests(JSON.parse(process.argv[2]));
} catch (error) {
  console.error(error.message);
  process.exitCode = error.code ?? 1;
}
