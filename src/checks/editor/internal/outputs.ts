// Which files programs create and delete without any change to a source.

const outputs =
  /(?:^|\/)(?:\.git|node_modules|\.venv|venv|target|dist|build|out|coverage|\.next|__pycache__|\.[\w-]*cache)\//;

/** `path` is below `root`, which may itself lie in a folder with such a name. */
export const isOutput = (path: string, root: string): boolean => outputs.test(path.slice(root.length));
