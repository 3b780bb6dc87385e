// How pictures of diagrams look: in the colours of the editor's theme, and changing with it. In a constructed sheet,
// which the page's policy allows and which comes with the script that draws.

const rules = `
.md-diagram {
  --bg: var(--vscode-editor-background);
  --fg: var(--vscode-editor-foreground, var(--vscode-foreground));
  --fill-tint: 22%;
  --stroke-tint: 70%;
  --_text: var(--fg);
  --_text-sec: color-mix(in srgb, var(--fg) 88%, var(--bg));
  --_text-muted: color-mix(in srgb, var(--fg) 82%, var(--bg));
  --_text-faint: color-mix(in srgb, var(--fg) 75%, var(--bg));
  --_line: color-mix(in srgb, var(--fg) 60%, var(--bg));
  --_arrow: color-mix(in srgb, var(--fg) 75%, var(--bg));
  --_node-fill: color-mix(in srgb, var(--fg) 6%, var(--bg));
  --_node-stroke: color-mix(in srgb, var(--fg) 45%, var(--bg));
  --_group-fill: color-mix(in srgb, var(--fg) 2%, var(--bg));
  --_group-hdr: color-mix(in srgb, var(--fg) 9%, var(--bg));
  --_inner-stroke: color-mix(in srgb, var(--fg) 20%, var(--bg));
  --_key-badge: color-mix(in srgb, var(--fg) 14%, var(--bg));
}
:is(.vscode-high-contrast, .vscode-high-contrast-light) .md-diagram {
  --fill-tint: 0%;
  --stroke-tint: 0%;
  --_text-sec: var(--fg);
  --_text-muted: var(--fg);
  --_text-faint: var(--fg);
  --_line: var(--fg);
  --_arrow: var(--fg);
  --_node-fill: var(--bg);
  --_node-stroke: var(--vscode-contrastBorder, var(--fg));
  --_group-fill: var(--bg);
  --_group-hdr: var(--bg);
  --_inner-stroke: var(--fg);
  --_key-badge: var(--bg);
}
@media (forced-colors: active) {
  .md-diagram { forced-color-adjust: none; --bg: Canvas; --fg: CanvasText; }
}
.md-diagram-view {
  max-block-size: 85vh;
  outline-offset: -1px;
  overflow: auto;
  padding: 4px;
}
.md-diagram-view:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
.md-diagram svg {
  display: block;
  font-family: var(--vscode-font-family, sans-serif);
  height: auto;
  margin-inline: auto;
}
.md-diagram .mono { font-family: var(--vscode-editor-font-family, monospace); }
.md-diagram-note {
  color: var(--vscode-descriptionForeground);
  font-size: 0.9em;
  margin: 0;
  padding: 0 10px 8px;
}
`;

export function putOnStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
}
