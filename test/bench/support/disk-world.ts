// A workspace in plain Node over one folder, with the product's own looks at the disk: what a bench of the tools needs
// of the editor, and nothing that only the editor has.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { listOnDisk, lookOnDisk } from "../../../src/editor/workspace/internal/look-on-disk.ts";
import { noWorkspace, type Workspace } from "../../../src/files/workspace.ts";
import type { FileName } from "../../../src/patch/model.ts";
import { mayHold } from "../../../src/tools/ripgrep.ts";

export function diskWorld(root: string, program: string | undefined): Workspace {
  const place = ({ path }: FileName) => join(root, path);
  return {
    ...noWorkspace,
    trusted: true,
    folders: [basename(root)],
    look: ({ path }) => lookOnDisk(root, path, [join(dirname(root), "storage")]),
    async read(file) {
      const bytes = await readFile(place(file));
      return bytes.includes(0)
        ? { kind: "binary" }
        : { kind: "text", text: bytes.toString("utf8"), version: 1 };
    },
    list: (folder) => listOnDisk(place(folder)),
    ripgrep: async () => program,
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    disk: {
      place,
      opened: () => [],
      isUtf8: () => true,
      mayHold: async (folder, query, take) => program !== undefined && mayHold(program, folder, query, take),
    },
  };
}
