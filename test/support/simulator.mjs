// The service simulator as a program beside us, the way people meet it.
import { start } from "./processes.mjs";

/** Answers { url, key, stop }; both stand in its first lines, which are printed like all others. */
export async function startSimulatorProgram() {
  const told = {};
  let stop;
  await new Promise((resolve, reject) => {
    const args = ["--enable-source-maps", ".build/sim/cli.main.mjs", "--port=0"];
    const program = start(process.execPath, args, {
      onLine(line) {
        console.log(line);
        told.url ??= /https?:\/\/[\w.:[\]]+/.exec(line)?.[0];
        told.key ??= /\bsk-[\w-]+/.exec(line)?.[0];
        if (told.url !== undefined && told.key !== undefined) resolve();
      },
    });
    stop = program.stop;
    program.exited.then(() => reject(new Error("The service simulator did not start.")));
  });
  return { ...told, stop };
}
