// Mentions of files in an answer: "src/cart.ts:12", "src/cart.ts#L12", "cart.ts(12)". Relative paths that go down, with
// a line or a well-known ending; whether such a file exists is the host's to know.
import { hasHidden } from "../../core/conversation/hidden-characters.ts";

export interface FileReference {
  readonly path: string;
  readonly line: number | undefined;
}

const endings =
  "astro|bash|bat|bicep|c|cc|cfg|cjs|clj|cmake|conf|cpp|cs|csproj|css|csv|cts|cxx|dart|diff|env|erl|ex|exs|fs|fsx|go|gradle|graphql|h|hbs|hpp|hs|htm|html|ini|ipynb|java|jl|js|json|jsonc|jsx|kt|kts|less|lock|log|lua|m|md|mdx|mjs|ml|mm|mts|patch|php|pl|prisma|properties|proto|ps1|py|pyi|r|rb|rs|rst|sass|scala|scss|sh|sln|sol|sql|svelte|svg|swift|tf|tfvars|toml|ts|tsx|txt|vb|vue|xml|yaml|yml|zig|zsh";
const segment = String.raw`[\p{L}\p{N}_@+~-][\p{L}\p{N}_@+~.-]*`;
const place = String.raw`:(\d{1,7})(?::\d{1,7})?(?:-\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?|\((\d{1,7})(?:,\s?\d{1,7})?\)`;
const form = String.raw`((?:\.{0,1}/)?(?:\.?${segment}/)*\.?(?:${segment})?\.[A-Za-z][A-Za-z0-9]{0,11})(?:${place})?`;

const whole = new RegExp(`^${form}$`, "u");
const mention = new RegExp(String.raw`(?<![\p{L}\p{N}_@/\\.:~#&=+-])${form}(?![\p{L}\p{N}_/\\@])`, "gu");
const known = new RegExp(String.raw`\.(?:${endings})$`, "i");

/** A code span that is nothing but a file's name. */
export function fileIn(code: string): FileReference | undefined {
  const found = code.length > 400 ? null : whole.exec(code);
  return found === null ? undefined : referenceOf(found, true);
}

export interface Mention extends FileReference {
  readonly index: number;
  readonly text: string;
}

/** In running text a bare name is not enough: "Node.js" is no file. */
export function mentionsIn(text: string): readonly Mention[] {
  if (!/\.[A-Za-z]/.test(text)) return [];
  return [...text.matchAll(mention)].flatMap((found) => {
    const file = referenceOf(found, false);
    return file === undefined ? [] : [{ ...file, index: found.index, text: found[0] }];
  });
}

function referenceOf(found: RegExpExecArray, bareNames: boolean): FileReference | undefined {
  const [, path = "", colon, hash, bracket] = found;
  const number = colon ?? hash ?? bracket;
  // Some letters cannot be seen: such a name would open another file than the one that is read.
  if (hasHidden(path)) return undefined;
  const isKnown = known.test(path);
  if (!isKnown && (number === undefined || !path.includes("/"))) return undefined;
  if (!bareNames && number === undefined && !path.includes("/")) return undefined;
  if (path.startsWith("/") || /^(?:www\.|[\w-]+\.(?:com|org|net|io|dev|edu|gov)\/)/i.test(path))
    return undefined;
  return { path: path.replace(/^\.\//, ""), line: number === undefined ? undefined : Number(number) };
}
