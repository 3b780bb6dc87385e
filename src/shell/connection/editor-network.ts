// VS Code's own way through a network: which proxy it has found for an address, and requests that it dials itself. It
// gives both to extensions by changing Node's modules; nothing of it is loaded or changed here.

import { join } from "node:path";
// biome-ignore lint/style/useNodejsImportProtocol: VS Code promises its changes under this name.
import { request } from "https";
import type { EditorNetwork } from "../../core/api/editor-network.ts";

/** Where VS Code keeps the module that finds proxies: packed on a desktop, plain in a server. */
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

/** A second copy would know nothing: only what VS Code has loaded counts. */
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
