// The page's HTML and its content security policy. A pure function, so that browser tests run under the same policy as
// VS Code.

interface PageHtml {
  readonly nonce: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUris: readonly string[];
  readonly language: string;
  /** Shown until the script has rendered the page, and permanently if it never runs. */
  readonly starting: string;
  /** English sentences and their translations in the user's language, as in VS Code's language bundles. */
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
<p class="starting">${escapeHtml(page.starting)}</p>
<script nonce="${escapeHtml(page.nonce)}" src="${escapeHtml(page.scriptUri)}"></script>
</body>
</html>
`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
