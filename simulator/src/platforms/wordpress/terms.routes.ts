import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import { refusal, termExists } from './errors.ts'
import { api, isModerator } from './site.ts'

type Term = { id: number; name: string }

const perPageMax = 100
const usualCategories = ['Uncategorized', 'News', 'Bells & Towers']

/** Tags and categories. `nameOf` is for the page of a post, which shows names and not numbers. */
export function termRoutes(context: PlatformContext) {
  const tags = context.createTable<Term>('tags')
  const categories = new Map(usualCategories.map((name, at) => [name.toLowerCase(), { id: at + 1, name }]))
  // Names are answered as HTML, because that is how WordPress stores them.
  const view = ({ id, name }: Term) => ({ id, count: 0, name: escapeHtml(name), slug: name.toLowerCase() })
  const isWanted = ({ name }: Term, search: string | null) => search === null || name.toLowerCase().includes(search.toLowerCase())

  const listOf = (path: string, terms: ReadonlyMap<string, Term>): Route => ({
    method: 'GET',
    path: `${api}/${path}`,
    operation: 'stage',
    handle({ query }) {
      const size = Number(query.get('per_page') ?? 10)
      if (!(size >= 1 && size <= perPageMax)) throw refusal('rest_invalid_param')
      const found = [...terms.values()].filter((term) => isWanted(term, query.get('search')))
      return json(200, found.slice(0, size).map(view))
    },
  })

  const routes: Route[] = [
    listOf('tags', tags),
    listOf('categories', categories),
    {
      method: 'POST',
      path: `${api}/tags`,
      operation: 'stage',
      handle({ fields = {} }) {
        const name = textOf(fields['name'])?.trim() ?? ''
        if (name === '') throw refusal('rest_invalid_param')
        const known = tags.get(name.toLowerCase())
        if (known) throw termExists(known.id)
        const term = { id: context.nextNumber(), name }
        tags.set(name.toLowerCase(), term)
        return json(201, view(term))
      },
    },
    {
      method: 'POST',
      path: `${api}/categories`,
      operation: 'stage',
      handle(_, { account }) {
        throw refusal(isModerator(account) ? 'rest_invalid_param' : 'rest_cannot_create')
      },
    },
  ]
  const nameOf = (taxonomy: 'tags' | 'categories', id: number): string | undefined =>
    [...(taxonomy === 'tags' ? tags : categories).values()].find((term) => term.id === id)?.name
  return { routes, nameOf }
}
