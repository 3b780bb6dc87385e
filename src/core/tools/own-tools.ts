// The tools that come with Patchbay. Their definitions are sorted where they are offered, so the order here is free.
import { applyPatch } from "./apply-patch.ts";
import { listFiles } from "./list-files.ts";
import { problems } from "./list-problems.ts";
import { readFile } from "./read-file.ts";
import { searchText } from "./search-text.ts";
import type { Tool } from "./tool.ts";

export const ownTools: readonly Tool[] = [applyPatch, readFile, listFiles, searchText, problems];

/** Runs at the service; interface, "Tool definitions": it has no fields to set. */
export const webSearch = JSON.stringify({ type: "web_search" });
