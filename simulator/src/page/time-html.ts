import { markup, type Markup } from '../text/markup.ts'

/** A time in UTC. The script of the page replaces it by the time of the reader's zone. */
export function timeHtml(atMs: number): Markup {
  const iso = new Date(atMs).toISOString()
  return markup`<time datetime="${iso}" title="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}
