// Messages that leave a module boundary – to the page, the editor, the model or the disk – as data: the code of a
// sentence and its arguments. They are turned into text once, at the edge, in the reader's language.
import { englishOf, forModel } from "../util/sentences.ts";
import type { Catalogue, Code } from "./english.ts";

/** The value of a placeholder: names and numbers as they are, a message, or a list of messages. */
export type Argument = string | number | Duration | Moment | Message | readonly Message[];

interface Duration {
  readonly milliseconds: number;
}

/** Formatted as a time in the reader's time zone. */
interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Message {
  readonly code: Code;
  readonly args?: Readonly<Record<string, Argument>> | undefined;
}

type Holes<Sentence extends string> = Sentence extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;
type Args<C extends Code> = { readonly [Hole in Holes<Catalogue[C]>]: Argument };

/** Creates a message with all its arguments; a missing one does not compile. */
export function message<C extends Code>(
  code: C,
  ...[args]: [Holes<Catalogue[C]>] extends [never] ? [] : [args: Args<C>]
): Message {
  return args === undefined ? { code } : { code, args };
}

/** The same message with every string in it changed. */
export function withArguments(message: Message, change: (text: string) => string): Message {
  if (message.args === undefined) return message;
  const changed = (value: Argument): Argument => {
    if (typeof value === "string") return change(value);
    if (isList(value)) return value.map((each) => withArguments(each, change));
    return typeof value === "object" && "code" in value ? withArguments(value, change) : value;
  };
  const args = Object.entries(message.args).map(([hole, value]) => [hole, changed(value)] as const);
  return { code: message.code, args: Object.fromEntries(args) };
}

const isList = (value: Argument): value is readonly Message[] => Array.isArray(value);

/** An error meant for people: one sentence, either already in the reader's language or as a message. */
export class HumanError extends Error {
  override readonly name = "HumanError";
  /** Absent: the error's own text is the sentence. */
  readonly asMessage: Message | undefined = undefined;
  /**
   * The row of the affected file shows the error until it no longer applies, so it may be shown only briefly elsewhere.
   */
  readonly isInRow: boolean = false;
}

/**
 * Checks the name instead of the class: the host consists of two bundles, and either may have to show an error of the
 * other.
 */
export const isHumanError = (error: unknown): error is HumanError =>
  error instanceof Error && error.name === "HumanError";

/** Sentences and formats of a language. */
export interface Language {
  sentence(code: Code): string;
  number(value: number): string;
  duration(milliseconds: number): string;
  time(at: number): string;
}

/** Formats a message in any language that provides the sentences. */
export function formatMessage({ code, args = {} }: Message, language: Language): string {
  return fillHoles(language.sentence(code), (hole) => {
    const value = args[hole];
    return value === undefined ? undefined : formatArgument(value, language);
  });
}

/** Formats several messages, separated by spaces. */
export const formatMessages = (messages: readonly Message[], language: Language): string =>
  messages.map((each) => formatMessage(each, language)).join(" ");

function formatArgument(value: Argument, language: Language): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return language.number(value);
  if (isList(value)) return value.map((each) => formatMessage(each, language)).join("; ");
  if ("milliseconds" in value) return language.duration(value.milliseconds);
  if ("at" in value) return language.time(value.at);
  return formatMessage(value, language);
}

export const fillHoles = (sentence: string, fillOf: (hole: string) => string | undefined): string =>
  sentence.replace(/\{(\w+)\}/g, (hole, name: string) => fillOf(name) ?? hole);

/**
 * What is wrong with the address or the key before anything is sent. Used during activation, which loads no other
 * messages.
 */
export const connection = englishOf({
  addressUnknown: { en: "Connect to your service to get started.", zh: "连接到你的服务即可开始使用。" },
  keyStore: {
    en: "VS Code's secret storage couldn't be read. Set the API key again to use it in this window.",
    zh: "无法读取 VS Code 的密钥存储。请重新设置 API 密钥，以便在此窗口中使用。",
  },
  keyMissing: { en: "Add an API key for {origin}.", zh: "请为 {origin} 添加 API 密钥。" },
  addressMissing: { en: "The service URL isn't set.", zh: "尚未设置服务 URL。" },
  addressInvalid: {
    en: "This isn't a valid URL, such as https://host.",
    zh: "这不是有效的 URL，例如 https://host。",
  },
  addressNoHttps: { en: "The service URL must start with https://.", zh: "服务 URL 必须以 https:// 开头。" },
  addressNotHere: {
    en: "Use https://. http:// works only on this computer or, once confirmed, in a private network.",
    zh: "请使用 https://。http:// 仅可用于本机，或经确认后用于专用网络。",
  },
  addressUnconfirmed: {
    en: "Confirm the unencrypted connection to {origin} first.",
    zh: "请先确认与 {origin} 的未加密连接。",
  },
  addressNamesUser: {
    en: "The service URL can't include a user name or password.",
    zh: "服务 URL 不能包含用户名或密码。",
  },
  addressHasQuery: { en: "The service URL can't include a query (?).", zh: "服务 URL 不能包含查询 (?)。" },
  addressHasFragment: {
    en: "The service URL can't include a fragment (#).",
    zh: "服务 URL 不能包含片段 (#)。",
  },
  keyEmpty: { en: "The API key is empty.", zh: "API 密钥为空。" },
  keyLines: {
    en: "The API key contains a line break; copy it again as one line.",
    zh: "API 密钥包含换行符；请作为一行重新复制。",
  },
  keySpace: {
    en: "The API key contains a space; copy it again without spaces.",
    zh: "API 密钥包含空格；请不带空格重新复制。",
  },
  keyLetter: {
    en: "The API key contains a character that cannot be part of a key; copy it again.",
    zh: "API 密钥包含不能出现在密钥中的字符；请重新复制。",
  },
});

/** What is wrong with a file id before anything is sent, and the results of counts and deletions. */
export const service = englishOf({
  countStopped: { en: "Counting was canceled.", zh: "已取消计数。" },
  countFailed: { en: "Couldn't count the tokens.", zh: "无法计算 token 数。" },
  fileIdEmpty: { en: "The file ID is empty.", zh: "文件 ID 为空。" },
  fileIdDots: { en: "A file ID can't consist of dots.", zh: "文件 ID 不能只由点组成。" },
  fileIdLong: { en: "The file ID is longer than 256 characters.", zh: "文件 ID 超过 256 个字符。" },
  fileIdLetters: {
    en: "The file ID contains characters that aren't allowed.",
    zh: "文件 ID 包含不允许的字符。",
  },
  deletedBefore: { en: "The file does not exist or was already deleted.", zh: "文件不存在或已被删除。" },
  deletedNot: { en: "The service reports that the file was not deleted.", zh: "服务报告文件未被删除。" },
  deletedOther: {
    en: "The service confirmed the deletion of another file.",
    zh: "服务确认删除的是另一个文件。",
  },
});

// Questions that nobody typed: an editor action states what it does and where, and questions sent by a button are not
// the person's own text.

interface ActionQuestion {
  /** The command without its slash. */
  readonly name: string;
  /** The file name, with lines if the question is about some: `cart.ts:10–16`. */
  readonly place: string;
  /** What is wrong there; empty if nothing is stated. */
  readonly about: string;
}

/** Parses `/fix x is wrong (src/a.ts:3)` and `/explain src/a.ts`. Anything else was typed by a person. */
export function actionQuestion(prompt: string): ActionQuestion | undefined {
  const [, ofFile, file] = /^\/([\p{L}\p{N}_-]+) (?:\S*\/)?([^/()\s:]+\.[\p{L}\p{N}]+)$/u.exec(prompt) ?? [];
  if (ofFile !== undefined && file !== undefined) return { name: ofFile, place: file, about: "" };
  const [, name, about = "", place] =
    /^\/([\p{L}\p{N}_-]+) (?:(.*) \()?(?:[^()]*\/)?([^/()]+:\d+(?:–\d+)?)\)?$/u.exec(prompt) ?? [];
  return name === undefined || place === undefined ? undefined : { name, place, about };
}

export const remarksUnsent = (count: number): Message =>
  count === 1 ? message("remarkUnsent") : message("remarksUnsent", { count });

export const remarksSend = (count: number): Message =>
  count === 1 ? message("remarkSend") : message("remarksSend", { count });

/** Sent with the errors that came with an edit. */
export const fixErrorsPrompt = forModel("Fix the new errors that appeared when this edit was applied.");

/** Sent with the files of an edit that no longer fits. */
export const sendCurrentPrompt = forModel(
  "The files have changed since you proposed this edit. Their current content is attached: please look again, and propose the edit again if it is still needed.",
);

/** Sent with the changes that break a check. */
export const breakingPrompt = forModel(
  "Repair or replace the changes that break the check; what breaks is attached. Leave your other changes as they are.",
);

/** Whether a button sent the question. */
export const isOwnQuestion = (prompt: string): boolean =>
  prompt === fixErrorsPrompt || prompt === sendCurrentPrompt || prompt === breakingPrompt;
