import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

type Operator = Config['operator']

declare module 'fastify' {
  // Only an interface can be extended.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyInstance {
    /** Whose name and logo pages have. */
    operator: Operator
  }
}

/** A page about something else than this installation, such as a report, may also be in French or Spanish. */
export type PlainPage = {
  language: 'en' | 'de' | 'fr' | 'es'
  title: string
  /** HTML. Every text in it is escaped already. */
  content: string
  /** The same page in the other language. */
  translation?: { language: 'en' | 'de'; href: string }
  /** What the page needs beyond the style of all pages. */
  more?: PageStyle
}

/** A style sheet with the hash by which the policy of the page allows it. */
export type PageStyle = { css: string; hash: string }

export function pageStyle(css: string): PageStyle {
  return { css, hash: createHash('sha256').update(css).digest('base64') }
}

/** The colours of the web app, whose style sheet has a name that changes with each release. */
const style = `
:root{color-scheme:light dark;--canvas:#fbf9f5;--surface:#fff;--line:#e3ddd3;--edge:#8f857a;--ink:#221d19;--quiet:#5f564d;--bell:#874b11;--on:#fefcf8}
@media(prefers-color-scheme:dark){:root{--canvas:#101216;--surface:#181b20;--line:#30343a;--edge:#727780;--ink:#efece6;--quiet:#b8b3aa;--bell:#e8b26c;--on:#231606}}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
body>*{max-width:44rem;margin:0 auto;padding:0 1.25rem}
body>header{display:flex;align-items:center;gap:.6rem;padding-top:2rem;font:1.25rem Georgia,serif}
body>header svg,body>header img{width:1.75rem;height:1.75rem;object-fit:contain;color:var(--bell)}
body>header a{margin-left:auto;font:.875rem system-ui,sans-serif;padding:.6rem 0}
main{padding-top:1.5rem;padding-bottom:2.5rem}
h1{margin:.5rem 0 1rem;font:500 1.75rem/1.25 Georgia,serif;text-wrap:balance}
h2{margin:2rem 0 .5rem;font:600 1.0625rem/1.4 system-ui,sans-serif}
p,ul{margin:.6rem 0}
ul{padding-left:1.25rem}
li{margin:.35rem 0}
a{color:var(--bell);text-underline-offset:.2em}
label{display:block;color:var(--quiet)}
input{display:block;width:100%;max-width:24rem;min-height:2.75rem;margin-top:.25rem;padding:0 .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--surface);color:var(--ink);font:inherit}
button{min-height:2.75rem;margin-top:.5rem;padding:0 1.25rem;border:0;border-radius:.5rem;background:var(--bell);color:var(--on);font:600 1rem system-ui,sans-serif;cursor:pointer}
.quiet{color:var(--quiet)}
label .quiet{display:block;margin-top:.25rem;font-size:.875rem}
dl{margin:1rem 0;padding:.5rem 1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--surface)}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.4rem 0}
dt{flex:0 0 8rem;color:var(--quiet)}
dd{flex:1 1 12rem;min-width:0;margin:0}
.choice{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;margin-top:.5rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);color:var(--ink)}
.choice .quiet{display:inline}
.choice input{flex:none;width:1.25rem;min-height:0;height:1.25rem;margin:0;accent-color:var(--bell)}
.choices{padding:0;list-style:none}
.choices a{display:flex;align-items:center;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface)}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem}
.second{border:1px solid var(--edge);background:none;color:var(--ink)}
.problem{padding:.75rem 1rem;border:1px solid var(--bell);border-radius:.5rem}
select{display:block;width:100%;max-width:24rem;min-height:2.75rem;margin-top:.25rem;padding:0 .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--surface);color:var(--ink);font:inherit}
fieldset{margin:1.5rem 0;padding:0;border:0}
legend{padding:0;font-weight:600}
.option{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;align-items:center;margin-top:.5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);color:var(--ink);cursor:pointer}
.option:has(:checked){border-color:var(--bell)}
.option input{width:1.125rem;min-height:1.125rem;margin:0;accent-color:var(--bell)}
.option small{grid-column:2;color:var(--quiet);font-size:.875rem}
.notice{margin:1rem 0;padding:.75rem 1rem;border-left:3px solid var(--bell);background:var(--surface)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
body>footer{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding-top:1rem;padding-bottom:2rem;border-top:1px solid var(--line);color:var(--quiet);font-size:.875rem}
body>footer a{color:inherit;padding:.35rem 0}
`

const { hash: styleHash } = pageStyle(style)

/** The mark of the web app: a bell cut into three keys. */
const bell =
  '<svg viewBox="0 0 32 32" fill="currentColor" aria-hidden="true"><clipPath id="keys">' +
  '<path d="M0 0h11.6v32H0zM13.2 0h5.6v32h-5.6zM20.4 0H32v32H20.4z"/></clipPath><path clip-path="url(#keys)" ' +
  'd="M16 3a2 2 0 0 0-2 2v.5C10.1 6.4 7.6 9.5 7.6 13.6c0 5-1.3 7.5-2.9 9.1-.85.85-.3 2.3.95 2.3h20.7c1.25 0 1.8-1.45.95-2.3-1.6-1.6-2.9-4.1' +
  '-2.9-9.1 0-4.1-2.5-7.2-6.4-8.1V5a2 2 0 0 0-2-2z"/><path d="M12.9 27h6.2a3.1 3.1 0 0 1-6.2 0z"/></svg>'

/** A whole page that needs no script and no file, with the operator's name above it. */
export function renderPage({ name, logoUrl }: Operator, { language, title, content, translation, more }: PlainPage): string {
  const mark = logoUrl === null ? bell : `<img src="${escapeHtml(logoUrl)}" alt="">`
  const other = translation
    ? `<a href="${escapeHtml(translation.href)}" lang="${translation.language}">${languageNames[translation.language]}</a>`
    : ''
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(title)} · ${escapeHtml(name)}</title><style>${style}</style>${more ? `<style>${more.css}</style>` : ''}</head>` +
    `<body><header>${mark}<span>${escapeHtml(name)}</span>${other}</header><main>${content}</main><footer>${legalLinks(language)}</footer></body></html>`
  )
}

const languageNames = { en: 'English', de: 'Deutsch' } as const

const legalWords = {
  en: { privacy: 'Privacy', terms: 'Terms', deletion: 'Deleting data' },
  de: { privacy: 'Datenschutz', terms: 'Bedingungen', deletion: 'Daten löschen' },
  fr: { privacy: 'Confidentialité', terms: 'Conditions', deletion: 'Suppression des données' },
  es: { privacy: 'Privacidad', terms: 'Condiciones', deletion: 'Eliminar datos' },
} as const

function legalLinks(language: PlainPage['language']): string {
  const { privacy, terms, deletion } = legalWords[language]
  return [
    ['/legal/privacy', privacy],
    ['/legal/terms', terms],
    ['/legal/data-deletion', deletion],
  ]
    .map(([path, label]) => `<a href="${path}?lang=${language === 'de' ? 'de' : 'en'}">${label}</a>`)
    .join('')
}

type Loads = {
  /** Sources of files that the page shows. */
  files?: readonly string[]
  /** Where its form may lead besides this site: the browser follows a redirect only if the policy names its target. */
  formTarget?: string
}

/** What such a page may load: its own style, the operator's logo, and what else it names. */
export function plainPagePolicy(
  { logoUrl }: Operator,
  { style: more, files = [], formTarget }: Loads & { style?: PageStyle } = {},
): string {
  const images = [...files, ...(logoUrl === null ? [] : [new URL(logoUrl).origin])]
  const styles = [styleHash, ...(more ? [more.hash] : [])].map((hash) => `'sha256-${hash}'`)
  const forms = ["'self'", ...(formTarget === undefined ? [] : [formTarget])]
  return (
    `default-src 'none'; form-action ${forms.join(' ')}; frame-ancestors 'none'; base-uri 'none'; ` +
    `style-src ${styles.join(' ')}` +
    (images.length === 0 ? '' : `; img-src ${[...new Set(images)].join(' ')}`) +
    (files.length === 0 ? '' : `; media-src ${files.join(' ')}`)
  )
}

export type SentPage = PlainPage & Loads & { status?: number; isForEveryone?: boolean }

/** Sends such a page. Search engines may list only what is for everyone: the addresses of the others have a secret or are of one person. */
export function sendPlainPage(
  reply: FastifyReply,
  { status = 200, isForEveryone = false, files, formTarget, ...page }: SentPage,
): FastifyReply {
  const { operator } = reply.server
  if (!isForEveryone) void reply.header('x-robots-tag', 'noindex, nofollow, noarchive')
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': plainPagePolicy(operator, {
        ...(page.more && { style: page.more }),
        ...(files && { files }),
        ...(formTarget !== undefined && { formTarget }),
      }),
      // A secret in the address must not reach other sites. `no-referrer` would make browsers send a form with `Origin: null`.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      vary: 'accept-language',
    })
    .send(renderPage(operator, page))
}

const references = new Map([
  [34, '&quot;'],
  [38, '&amp;'],
  [39, '&#39;'],
  [60, '&lt;'],
  [62, '&gt;'],
])
const largestCode = Math.max(...references.keys())

/** Safe between tags and inside quoted attributes. One pass over the text is faster than a replacement for each of the characters. */
export function escapeHtml(text: string): string {
  let escaped = ''
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const reference = code > largestCode ? undefined : references.get(code)
    if (reference === undefined) continue
    escaped += text.slice(copied, at) + reference
    copied = at + 1
  }
  return escaped + text.slice(copied)
}

/** The language of a page without a script: the one in the address, or the one that the browser prefers among those that we have. */
export function pageLanguage({ query, headers }: FastifyRequest): 'en' | 'de' {
  const { lang } = query as { lang?: unknown }
  if (lang === 'en' || lang === 'de') return lang
  const preferred = (headers['accept-language'] ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const quality = parameters.find((each) => each.trim().startsWith('q='))?.split('=')[1]
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ language, quality }) => (language === 'en' || language === 'de') && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return preferred[0]?.language === 'de' ? 'de' : 'en'
}
