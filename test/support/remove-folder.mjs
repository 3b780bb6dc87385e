// Removes a folder that a program may still be writing to: on a busy machine the last of a VS Code goes some time
// after it was told to.
import { rm } from "node:fs/promises";

/**
 * @param {string} path
 * @returns {Promise<void>}
 */
export const removeFolder = (path) =>
  rm(path, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
