// Another extension in the same host, which says what the host holds after it has collected all garbage, and ends its worker
// threads. It is asked by a file beside the workspace, and answers by another one: `<number>.ask`, then `<number>.answer`.
const { readdirSync, readFileSync, rmSync, writeFileSync, renameSync, existsSync } = require("node:fs");
const { Session } = require("node:inspector");
const { dirname, join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const { Worker } = require("node:worker_threads");
const vscode = require("vscode");

const lookEvery = 200;

exports.activate = ({ subscriptions }) => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return;
  const asked = join(dirname(folder.uri.fsPath), "asked");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const answer = {
    figures: () => figures(collect),
    "end-workers": () => ({ ended: onEach(Worker, endRunning) }),
  };
  const timer = setInterval(() => {
    if (!existsSync(asked)) return;
    for (const name of readdirSync(asked).filter((each) => each.endsWith(".ask"))) {
      const path = join(asked, name);
      const what = readFileSync(path, "utf8");
      rmSync(path);
      writeFileSync(`${path}.new`, JSON.stringify(answer[what]()));
      renameSync(`${path}.new`, path.replace(/\.ask$/, ".answer"));
    }
  }, lookEvery);
  subscriptions.push({ dispose: () => clearInterval(timer) });
};

function figures(collect) {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  return {
    heap: heapUsed + arrayBuffers,
    timers: onEach(timer.constructor, "function () { return this.filter((one) => !one._destroyed).length; }"),
    listeners: onEach(EventTarget, listenersOfTargets),
    workers: onEach(Worker, countRunning),
  };
}

/** Among the workers are prototypes of other kinds of them, which have no thread and throw when they are asked for it. */
const countRunning = `function () {
  return this.filter((one) => {
    try {
      return one.threadId > 0;
    } catch {
      return false;
    }
  }).length;
}`;

const endRunning = `function () {
  let ended = 0;
  for (const one of this)
    try {
      if (one.threadId > 0) {
        one.terminate();
        ended += 1;
      }
    } catch {}
  return ended;
}`;

/** Node keeps them in a map by kind, under a symbol. */
const listenersOfTargets = `function () {
  let sum = 0;
  for (const one of this) {
    const key = Object.getOwnPropertySymbols(one).find(({ description }) => description === "kEvents");
    for (const { size = 0 } of one[key]?.values() ?? []) sum += size;
  }
  return sum;
}`;

/** What the function answers for all objects of a kind that are alive. */
function onEach(kind, count) {
  const engine = new Session();
  engine.connect();
  let answer;
  const ask = (method, parameters) => {
    engine.post(method, { ...parameters, objectGroup: "counted" }, (error, result) => {
      if (error !== null) throw new Error(error.message);
      answer = result;
    });
    return answer;
  };
  try {
    globalThis.countedKind = kind;
    const { result } = ask("Runtime.evaluate", { expression: "countedKind.prototype" });
    const { objects } = ask("Runtime.queryObjects", { prototypeObjectId: result.objectId });
    const counted = { objectId: objects.objectId, functionDeclaration: count, returnByValue: true };
    const { result: answered, exceptionDetails } = ask("Runtime.callFunctionOn", counted);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
    return answered.value;
  } finally {
    delete globalThis.countedKind;
    engine.post("Runtime.releaseObjectGroup", { objectGroup: "counted" });
    engine.disconnect();
  }
}
