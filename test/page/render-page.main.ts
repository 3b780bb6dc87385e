// Builds the static page for people: see test/support/render-page.ts.
import { buildRenderPage } from "../support/render-page.ts";

console.log(await buildRenderPage(process.argv[2]));
