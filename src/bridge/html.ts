// The page's HTML and its content security policy, as a pure function, so that browser tests run under the very
// same policy as VS Code.

export interface PageHtml {
  readonly nonce: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUris: readonly string[];
  readonly language: string;
  /** English sentence to sentence in the user's language, as VS Code's language bundles have it. */
  readonly dictionary?: Readonly<Record<string, string>> | undefined;
}

export function contentSecurityPolicy({ nonce, cspSource }: Pick<PageHtml, "nonce" | "cspSource">): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
  ].join("; ");
}

export function pageHtml(page: PageHtml): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentSecurityPolicy(page))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${page.styleUris.map((uri) => `<link rel="stylesheet" href="${escapeHtml(uri)}">`).join("\n")}
<title>Patchbay</title>
</head>
<body data-dictionary="${escapeHtml(JSON.stringify(page.dictionary ?? {}))}">
<script nonce="${escapeHtml(page.nonce)}" src="${escapeHtml(page.scriptUri)}"></script>
</body>
</html>
`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
