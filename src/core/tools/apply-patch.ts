// `apply_patch`, the one custom tool of this interface: how it is offered. What happens to a patch is propose-patch.ts.

import { Refusal } from "../files/refusal.ts";
import { message } from "../messages/message.ts";
import { proposePatch } from "./propose-patch.ts";
import type { Tool } from "./tool.ts";

/** Wire §10, as Lark. */
const grammar = `start: begin file+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?
file: add | delete | update
add: "*** Add File: " path LF added+
delete: "*** Delete File: " path LF
update: "*** Update File: " path LF move? hunk*
move: "*** Move to: " path LF
hunk: anchor+ line+ last?
anchor: ("@@" | "@@ " /(.+)/) LF
added: "+" /(.*)/ LF
line: ("+" | "-" | " ") /(.*)/ LF
last: "*** End of File" LF
path: /(.+)/
%import common.LF
`;

const description = [
  "Changes files of the workspace: adds, deletes, moves or updates them. A patch is proposed to the user, who decides later; your other tools read the files as if it was applied.",
  "Paths are relative to the workspace. In an update, give about three unchanged lines before and after each change, exactly as they are in the file, so that the place is unique; where it is not, add @@ lines that name the function or class around it.",
].join(" ");

export const applyPatch: Tool = {
  name: "apply_patch",
  definition: JSON.stringify({
    type: "custom",
    name: "apply_patch",
    description,
    format: { type: "grammar", syntax: "lark", definition: grammar },
  }),
  kind: "write",
  permission: "ask",
  reviews: true,
  prepare(patch) {
    if (patch.trim() === "") throw new Refusal(message("toolPatchEmpty"));
    return { summary: "", run: (context) => proposePatch(patch, context) };
  },
};
