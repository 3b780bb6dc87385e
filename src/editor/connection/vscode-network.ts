// VS Code's own network access: its proxy resolution and its request functions. VS Code provides both to extensions by
// patching Node's modules; nothing is loaded or changed here.
import { join } from "node:path";
// biome-ignore lint/style/useNodejsImportProtocol: VS Code promises its changes under this name.
import { request } from "https";
import type { EditorNetwork } from "../../service/settings.ts";

/** Where VS Code keeps its proxy agent: packed on a desktop, plain in a server. */
const folders = ["node_modules.asar", "node_modules"];

interface ProxyAgent {
  /** Set by VS Code when its extension host starts. */
  resolveProxyURL?(url: string): Promise<string | undefined>;
}

export function createEditorNetwork(appRoot: string): EditorNetwork {
  return {
    request: (options) => request(options),
    async proxyFor(url) {
      return loadedIn(appRoot)?.resolveProxyURL?.(url);
    },
  };
}

/** Only the instance that VS Code has loaded is useful: a second copy would not be configured. */
function loadedIn(appRoot: string): ProxyAgent | undefined {
  for (const folder of folders) {
    try {
      const file = require.resolve(join(appRoot, folder, "@vscode", "proxy-agent"));
      const exports: ProxyAgent | undefined = require.cache[file]?.exports;
      if (exports?.resolveProxyURL !== undefined) return exports;
    } catch {
      // Another kind of installation.
    }
  }
  return undefined;
}
