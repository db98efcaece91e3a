import { compareText } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { titleOrStart } from '../kit/cut-text.ts'
import { webUrl } from '../kit/web-address.ts'
import type { Settings } from './settings.ts'
import { OwnArticles } from './wire.ts'

/** Each article comes with its whole text. */
const pageSize = 10

const titleLimits = { lengthMin: 1, lengthMax: 128 }

/** Every article needs a title. */
export function titleOf(draft: Pick<Draft, 'title' | 'text'>): string {
  return titleOrStart(draft, titleLimits)
}

/** Two lines of dashes at the beginning would be read as fields, which win over ours. Stars make the same line. */
export function bodyOf({ text }: Pick<Draft, 'text'>): string {
  return text.replace(/^(\s*)---/, '$1***')
}

/** The account's own articles, with the texts that were written. The same title is refused for five minutes only, so there may be two. */
export async function findArticle({ http }: Client, sent: Sent<Settings>): Promise<Found> {
  const { draft } = sent
  const status = draft.settings.draft ? 'unpublished' : 'published'
  const search = await searchListing(sent, async (cursor) => {
    const page = Number(cursor ?? '1')
    const articles = await listOwn(http, status, page)
    const posts = articles.map((article) => ({
      id: String(article.id),
      url: webUrl(article.url),
      createdAtMs: article.published_at ? Date.parse(article.published_at) : null,
      compare: () =>
        compareText(titleOf(draft), article.title) === 'same' ? compareText(bodyOf(draft), article.body_markdown ?? '') : 'other',
    }))
    return { posts, next: articles.length < pageSize ? null : String(page + 1) }
  })
  return foundInListing(search)
}

export function listOwn(http: Http, status: 'published' | 'unpublished', page: number) {
  const query = { per_page: String(pageSize), page: String(page) }
  return http.call({ method: 'GET', path: `/api/articles/me/${status}`, query, returns: OwnArticles })
}
