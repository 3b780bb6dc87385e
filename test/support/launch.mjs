// What the launch configurations of .vscode/launch.json need before VS Code opens. `launch.mjs simulator` is the background
// task of "Run extension with simulator": a copy of the sample workspace, the simulator, and user settings that name its
// address; VS Code waits for the last line. `launch.mjs host` makes the
// folder that "Host tests" run in.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { furnishHostHome } from "./host-home.mjs";
import { must } from "./processes.mjs";
import { startSimulatorProgram } from "./simulator.mjs";
import { writeSettings } from "./vscode-server.mjs";

const prepare = {
  async simulator() {
    const home = join(".build", "launch");
    await must(process.execPath, ["esbuild.mjs", "sim"]);
    cpSync("test/fixtures/workspace", join(home, "workspace"), { recursive: true });
    const simulator = await startSimulatorProgram();
    writeSettings(join(home, "user"), { "patchbay.baseUrl": simulator.url });
    console.log("The simulator is ready.");
  },
  host() {
    const home = join(".build", "launch-tests");
    rmSync(home, { recursive: true, force: true });
    furnishHostHome(home);
  },
};

await prepare[process.argv[2]]();
