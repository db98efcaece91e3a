import { bellMark } from './style-sheet.ts'

const settings = {
  url: '/docs/openapi.json',
  // Nothing is asked of, or told to, anybody else.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

export const startScript = `import { createApiReference } from '/docs/viewer/standalone.esm.js'
createApiReference('#reference', ${JSON.stringify(settings)})
`

const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  // The viewer sets styles on elements as it draws them.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': Object.entries(policy)
    .map(([what, from]) => `${what} ${from}`)
    .join('; '),
}

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carillon API</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/look.css">
<link rel="modulepreload" href="/docs/viewer/standalone.esm.js">
</head>
<body>
<header class="masthead">${bellMark}<strong>Carillon</strong><span>API reference</span></header>
<noscript><p class="plain">This page draws the <a href="/docs/openapi.json">OpenAPI document</a> with JavaScript. The document itself needs none.</p></noscript>
<main id="reference"></main>
<script type="module" src="/docs/start.js"></script>
</body>
</html>
`
