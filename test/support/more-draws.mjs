// fast-check for `npm run draws`: every property is drawn so many times as often as its test says. Preloaded, it takes the
// place of the package for everybody else, who imports its default.
import { register } from "node:module";
import fastCheck from "fast-check";

const times = Number(process.env.PATCHBAY_DRAWS);
/** What a property is drawn whose test names no number. */
const usual = 100;

const here = JSON.stringify(import.meta.url);
const hooks = `export const resolve = (name, context, next) =>
  name === "fast-check" && context.parentURL !== ${here} ? { url: ${here}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

/** @type {typeof fastCheck.assert} */
function assert(property, parameters) {
  return fastCheck.assert(property, { ...parameters, numRuns: (parameters?.numRuns ?? usual) * times });
}

export default { ...fastCheck, assert };
