import { logo } from './style-sheet.ts'

const viewerSettings = {
  url: '/docs/openapi.json',
  // The page must not contact any other host.
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
createApiReference('#reference', ${JSON.stringify(viewerSettings)})
`

const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  // The viewer sets inline styles.
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
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; '),
}

export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carillon API</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<link rel="modulepreload" href="/docs/viewer/standalone.esm.js">
</head>
<body>
<header class="masthead">${logo}<strong>Carillon</strong><span>API reference</span></header>
<noscript>
<p class="plain">
This page needs JavaScript to show the <a href="/docs/openapi.json">OpenAPI document</a>. You can open the document without it.
</p>
</noscript>
<main id="reference"></main>
<script type="module" src="/docs/start.js"></script>
</body>
</html>
`
