import { posix } from 'node:path'
import type { ArrangedSection } from './arrange-pages.ts'
import type { Page } from './page.ts'

export type SiteVersion = {
  name: string
  /** The folder below the root of the site; empty for the newest. */
  folder: string
  /** The addresses of its pages. */
  addresses: ReadonlySet<string>
}

export type Layout = { page: Page; sections: readonly ArrangedSection[]; version: SiteVersion; versions: readonly SiteVersion[] }

/** The whole document of one page. All addresses are relative, so that the site works in any folder and from the disk. */
export function layOutPage({ page, sections, version, versions }: Layout): string {
  const to = (address: string) => posix.relative(posix.dirname(page.address), address) || posix.basename(address)
  const all = sections.flatMap((section) => section.pages)
  const at = all.indexOf(page)
  const [previous, next] = [all[at - 1], all[at + 1]]
  const neighbours = [
    previous
      ? `<a rel="prev" href="${to(previous.address)}"><span>Previous</span>${escapeHtml(previous.title)}</a>`
      : '<span></span>',
    next ? `<a rel="next" href="${to(next.address)}"><span>Next</span>${escapeHtml(next.title)}</a>` : '',
  ]
  return `<!doctype html>
<html lang="en" data-root="${to('index.html').replace(/index\.html$/, '')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title === 'Carillon' ? 'Carillon documentation' : `${page.title} · Carillon`)}</title>
<meta name="description" content="${escapeHtml((page.sections[0]?.text ?? '').slice(0, 150))}">
<link rel="icon" href="${to('assets/icon.svg')}">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/theme.js')}"></script>
</head>
<body${page.address === 'index.html' ? ' class="front"' : ''}>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<a class="brand" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" alt="" width="24" height="24">Carillon</a>
<button type="button" id="open-search" aria-haspopup="dialog"><span>Search</span><kbd>/</kbd></button>
${versionMenu(page, version, versions)}
<button type="button" id="theme">Dark</button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Pages">
${sections.map((section) => navigationSection(section, page, to)).join('\n')}
</nav>
<main id="content">
<article>
${page.html}
</article>
<nav class="neighbours" aria-label="Previous and next page">${neighbours.join('')}</nav>
</main>
${contents(page)}
</div>
<dialog id="search" aria-label="Search">
<form method="dialog" role="search"><input type="search" id="query" placeholder="Search the documentation" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><button>Close</button></form>
<p id="found" role="status"></p>
<ul id="results"></ul>
</dialog>
<script src="${to('assets/site.js')}"></script>
</body>
</html>
`
}

function navigationSection({ title, pages }: ArrangedSection, page: Page, to: (address: string) => string): string {
  const items = pages.map(
    (each) =>
      `<li><a href="${to(each.address)}"${each === page ? ' aria-current="page"' : ''}>${escapeHtml(each.title)}</a></li>`,
  )
  // Long sections are closed until the reader is in them: eighty error codes would hide the rest.
  const isOpen = pages.length <= 16 || pages.includes(page)
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`
}

function contents({ headings }: Page): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ''
  const items = shown.map(({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}

/** Leads to the same page in the other version, or to its start if it has no such page. */
function versionMenu(page: Page, version: SiteVersion, versions: readonly SiteVersion[]): string {
  if (versions.length < 2) return `<span class="version">${escapeHtml(version.name)}</span>`
  const here = posix.dirname(posix.join(version.folder, page.address))
  const options = versions.map((each) => {
    const address = each.addresses.has(page.address) ? page.address : 'index.html'
    const href = posix.relative(here, posix.join(each.folder, address))
    return `<option value="${href}"${each === version ? ' selected' : ''}>${escapeHtml(each.name)}</option>`
  })
  return `<label class="version"><span>Version</span><select id="version">${options.join('')}</select></label>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
