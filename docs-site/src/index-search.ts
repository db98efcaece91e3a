import MiniSearch from 'minisearch'
import type { Page } from './page.ts'

/** The options that the page must repeat when it loads the index: assets/site.js has the same field names. */
const searchFields = { fields: ['title', 'heading', 'text'], storeFields: ['title', 'heading', 'excerpt'] }

const excerptLengthMax = 160

/** The search index as a script, not as JSON: a page that was opened from the disk may load scripts, but may not request files. */
export function indexSearch(pages: readonly Page[]): string {
  const search = new MiniSearch(searchFields)
  for (const page of pages) {
    for (const { id, heading, text } of page.sections) {
      const address = id ? `${page.address}#${id}` : page.address
      search.add({ id: address, title: page.title, heading, text, excerpt: text.slice(0, excerptLengthMax) })
    }
  }
  return `globalThis.carillonSearchIndex = ${JSON.stringify(JSON.stringify(search))}\n`
}
