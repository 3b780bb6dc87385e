// What a careless or hostile service answers to hold whoever reads it: each within what the interface allows a reply to
// look like, and far beyond what one is for.
import { raw, status } from "./http-answers.ts";
import { call, type Part, patchCall, reasoning } from "./script.ts";

/** A call for a file in so many folders, one in the other. */
export const deepPath = (folders: number, name: string): Part =>
  call("read_file", { path: `${"a/".repeat(folders)}${name}` });

/** An error whose text begins a token again and again. */
export const errorOfTokens = (length: number): Part =>
  status(400, { type: "invalid_request_error", message: "-eyJ".repeat(length / 4) });

/** A document of so many output items. */
export const manyItems = (count: number): Part =>
  raw(
    `{"object":"response","id":"resp_1","status":"completed","output":[${Array(count).fill('{"type":"message"}').join(",")}]}`,
    "application/json",
  );

/** A patch that takes so many escapes to write in JSON. */
export const escapedPatch = (escapes: number): Part =>
  patchCall(`*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+${"\t".repeat(escapes)}\n*** End Patch\n`);

/** Encrypted content of so many escapes. */
export const escapedContent = (escapes: number): Part => reasoning({ encrypted: "\n".repeat(escapes) });
