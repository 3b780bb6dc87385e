// Git's history as VS Code's Git extension reads it. Nothing here changes a repository.
import type { GitHistory } from "../../../files/workspace.ts";
import type { FileName } from "../../../patch/model.ts";
import { toUri } from "../file-uris.ts";
import { type GitRepository, repositoryOf } from "../git.ts";

/** Each costs a run of Git, and what all of them say is more than anybody reads. */
const maxFiles = 200;

export const gitHistory: GitHistory = {
  log: (at, count) =>
    inRepository(at, async (repository, path) => {
      const found = await repository.log({ maxEntries: count, path });
      return found.map(({ hash, message, authorName = "", authorDate }) => ({
        ...{ hash, message, author: authorName, date: authorDate },
      }));
    }),
  diff: (at, from = "HEAD", to) =>
    inRepository(at, async (repository, path) => {
      const diffOf = (each: string) =>
        to === undefined ? repository.diffWith(from, each) : repository.diffBetween(from, to, each);
      if (path !== repository.rootUri.fsPath) return diffOf(path);
      // The Git extension takes the folder of the repository itself for an empty path, which Git refuses.
      const changed = await (to === undefined ? repository.diffWith(from) : repository.diffBetween(from, to));
      const diffs: string[] = [];
      for (const { uri } of changed.slice(0, maxFiles)) diffs.push((await diffOf(uri.fsPath)).trimEnd());
      return diffs.map((diff) => `${diff}\n`).join("");
    }),
  rootOf: (at) => inRepository(at, async ({ rootUri }) => rootUri.toString()),
  blame: (file) => inRepository(file, (repository, path) => repository.blame(path)),
};

async function inRepository<Answer>(
  at: FileName,
  read: (repository: GitRepository, path: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  const uri = toUri(at);
  const repository = await repositoryOf(uri);
  return repository && read(repository, uri.fsPath);
}
