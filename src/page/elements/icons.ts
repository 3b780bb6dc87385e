// Icons on VS Code's 16 px grid in the colour of the surrounding text. They are decorative: their meaning is in the
// text beside them or in the label of their button.

const paths = {
  send: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  stop: "M4 4h8v8H4z",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  check: "m2.5 8.5 3.5 3.5 7.5-8",
  refresh: "M13 8A5 5 0 1 1 11.3 4.2M11.5 1.5v3h-3",
  edit: "m2.5 13.5.8-3.3 7.9-7.9 2.5 2.5-7.9 7.9zM9.7 3.8l2.5 2.5",
  undo: "M6 3 2.500 6.500 6 10M2.500 6.500h7a4 4 0 0 1 0 8H6",
  branch:
    "M5 5v6M5 11c0-3 6-1.5 6-4.5M5 5a1.5 1.5 0 1 1 0-3 1.5 1.5 0 0 1 0 3zM5 14a1.5 1.5 0 1 1 0-3 1.5 1.5 0 0 1 0 3zM11 6.5a1.5 1.5 0 1 1 0-3 1.5 1.5 0 0 1 0 3z",
  inspect: "M6 2.5c-2.5 0-.5 4.5-3 5.5 2.5 1 .5 5.5 3 5.5M10 2.5c2.5 0 .5 4.5 3 5.5-2.5 1-.5 5.5-3 5.5",
  chevron: "m6 3.5 4.5 4.5L6 12.5",
  back: "M10.5 3.500 6 8l4.500 4.500",
  add: "M8 3v10M3 8h10",
  close: "m4 4 8 8M12 4l-8 8",
  more: "M3 7.4v1.2M8 7.4v1.2M13 7.4v1.2",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.2 10.2 13.5 13.5",
  settings:
    "M2 5h6M11 5h3M2 11h3M8 11h6M9.5 6.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6.5 12.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
  down: "M8 3v10M3.5 8.5 8 13l4.5-4.5",
  mention:
    "M10.500 8a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM10.500 5.500v3.300a1.700 1.700 0 0 0 3.400-.3V8A6 6 0 1 0 11.500 12.800",
  up: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  export: "M8 10V2M4.5 5.5 8 2l3.5 3.5M2.5 9v4.5h11V9",
  globe:
    "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c2 1.6 2.5 3.7 2.5 6S10 12.4 8 14c-2-1.6-2.5-3.7-2.5-6S6 3.6 8 2z",
  thought: "M6 11.5C6 9.5 4 9 4 6.2a4 4 0 0 1 8 0C12 9 10 9.5 10 11.5zM6.5 14h3",
  error: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM5.5 5.5l5 5M10.5 5.5l-5 5",
  warning: "M8 2.5 14 13.5H2zM8 6.5v3.5M8 11.5v.6",
  info: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7v4M8 4.6v.6",
  clock: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.5V8l2.5 1.5",
  code: "m5.500 4-4 4 4 4M10.500 4l4 4-4 4",
  file: "M4 1.5h5.500l3 3v10H4zM9 1.500v3.500h3.5",
  folder: "M1.5 3h4.500l1.5 2h7v8h-13z",
  symbol: "M8 2 13 4.5v7L8 14l-5-2.500v-7zM3 4.500 8 7l5-2.500M8 7v7",
  image: "M2 3h12v10H2zM2 11l3.5-3.5 3 3L10.5 8.5 14 12M10.5 6.500a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.600z",
  terminal: "M2 3h12v10H2zM4.5 6l2.5 2-2.5 2M8.5 10.500h3",
  diff: "M8 2.500v6M5 5.500h6M5 12.500h6",
  comment: "M2 3h12v8H7.500L4.5 13.500V11H2z",
  text: "M3 4h10M3 7h10M3 10h6",
  tool: "M9.5 6.5 3 13l-1-1 6.5-6.500M9 5.500a3.2 3.2 0 0 1 4.5-3l-2 2 .3 1.7 1.7.3 2-2a3.2 3.2 0 0 1-4.2 3.500z",
  insert: "M2 2.5h12M2 13.5h12M8 5v5.5M5.5 8 8 10.5 10.5 8",
  "new-file": "M8.5 1.5H4v13h8V5zM8.5 1.5V5H12M8 7.5v4M6 9.5h4",
  wrap: "M2 4h12M2 8h9.5a2 2 0 0 1 0 4.5H8M9.5 11 8 12.5 9.5 14M2 12.5h3",
  fold: "M5 2l3 3 3-3M5 14l3-3 3 3M2 8h12",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  external: "M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4",
} as const;

export type IconName = keyof typeof paths;

const svg = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGElement {
  const element = document.createElementNS(svg, "svg");
  element.setAttribute("viewBox", "0 0 16 16");
  element.setAttribute("aria-hidden", "true");
  element.setAttribute("class", `icon ${name}`);
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", paths[name]);
  element.append(path);
  return element;
}
