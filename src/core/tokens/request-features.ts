// What the local estimate sees of a whole request on Responses: the same pieces that are sent, so that the input
// tokens the service reports afterwards can teach it. Encrypted reasoning is opaque and stands for nothing here.
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../util/json.ts";
import { featuresOf } from "./local-estimate.ts";
import type { Features } from "./text-features.ts";

export interface RequestPieces {
  readonly instructions?: string;
  /** Raw JSON, as it is sent. */
  readonly tools?: readonly string[];
  readonly input: readonly string[];
}

export function featuresOfRequest({ instructions = "", tools = [], input }: RequestPieces): Features {
  const seen = input.map(piecesOf);
  const framed = instructions === "" ? [] : [instructions];
  return featuresOf({
    texts: [...tools, ...framed, ...seen.flatMap(({ texts }) => texts)],
    images: seen.reduce((sum, { images }) => sum + images, 0),
    messages: framed.length + input.length,
  });
}

export interface Block {
  /** Its place in the body, and what it is. */
  readonly name: string;
  readonly features: Features;
}

/** The same of each block of a body, on either route, in the order in which the cache sees them. */
export function featuresOfBlocks(body: string): readonly Block[] {
  const json = asObject(parseJson(body)) ?? {};
  const instructions = asString(json["instructions"]);
  const blocksOf = (field: string, pieces: (raw: string) => RequestPieces) =>
    asArray(json[field]).map((value, at) => ({
      name: `${field}[${at}] ${nameOf(value)}`,
      features: featuresOfRequest(pieces(JSON.stringify(value))),
    }));
  return [
    ...blocksOf("tools", (tool) => ({ tools: [tool], input: [] })),
    ...(instructions === undefined
      ? []
      : [{ name: "instructions", features: featuresOfRequest({ instructions, input: [] }) }]),
    ...blocksOf("input", (item) => ({ input: [item] })),
    ...blocksOf("messages", (message) => ({ input: [message] })),
  ];
}

function nameOf(value: unknown): string {
  const item = asObject(value) ?? {};
  return ["type", "role", "name"].flatMap((key) => asString(item[key]) ?? []).join(" ");
}

interface Pieces {
  readonly texts: readonly string[];
  readonly images: number;
}

function piecesOf(raw: string): Pieces {
  const item = parseJson(raw);
  if (!isObject(item)) return { texts: [raw], images: 0 };
  const fields = ["name", "arguments", "input", "output"].map((name) => asString(item[name]) ?? "");
  const parts = [...asArray(item["content"]), ...asArray(item["summary"])].filter(isObject);
  const texts = [
    asString(item["content"]) ?? "",
    ...fields,
    ...parts.map((part) => asString(part["text"]) ?? ""),
  ];
  return { texts: texts.filter((text) => text !== ""), images: parts.filter(isImage).length };
}

const isImage = ({ image_url: url, type }: JsonObject): boolean =>
  url !== undefined || type === "input_image";
