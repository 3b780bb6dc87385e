// The files that the page is made of, for the build and for the page's tests.
import { readdirSync } from "node:fs";

const folder = "src/page/markdown/scripts";

/** Scripts that the page loads when something first needs them, by name; renderers.ts has the loader. */
export const laterScripts = () =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith("-script.ts"))
      .map((file) => [file.replace("-script.ts", ""), `${folder}/${file}`]),
  );

/** Entry points of the bundler, named as what ships. */
export const pageFiles = () => ({
  webview: "src/page/main.ts",
  styles: "src/page/styles.css",
  ...laterScripts(),
});

/** The renderer of diagrams lays them out by a package of 1.5 MB, in whose place stands a file of ours. */
export const ownLayout = { "elkjs/lib/elk.bundled.js": "./src/diagrams/internal/layered-layout.ts" };
