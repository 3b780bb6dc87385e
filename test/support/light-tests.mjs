// Preloaded where whole groups of tests run. node:test follows every promise, timer and socket of a test, to name the
// test when something is thrown outside of it: a fifth of the processor time of many small tests. Here nothing is
// followed; what is thrown outside of every test is printed as it is and ends the group, which has then failed. The
// file run by itself, `node --test <file>`, says which test it was.
import hooks from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { inspect } from "node:util";

/** @returns {hooks.AsyncHook} */
const followNothing = () => ({ enable: followNothing, disable: followNothing });
hooks.createHook = followNothing;
syncBuiltinESMExports();

for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error) => {
    console.error(`\nThrown outside of every test: ${inspect(error)}`);
    process.exit(1);
  });
