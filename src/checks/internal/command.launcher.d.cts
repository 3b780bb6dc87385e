/** The text of the program: the build does not bundle it (esbuild.mjs). */
declare const launcher: string;
export = launcher;
