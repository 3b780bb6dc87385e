// The background task of the launch configuration "Run extension with simulator": the simulator, and user settings that
// name its address. VS Code waits for the last line.
import { join } from "node:path";
import { must } from "./processes.mjs";
import { startSimulatorProgram } from "./simulator.mjs";
import { writeSettings } from "./vscode-server.mjs";

await must(process.execPath, ["esbuild.mjs", "sim"]);
const simulator = await startSimulatorProgram();
writeSettings(join(".build", "launch"), { "patchbay.baseUrl": simulator.url });
console.log("The simulator is ready.");
