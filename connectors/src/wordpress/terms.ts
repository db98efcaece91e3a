import { textOfHtml } from '../kit/html.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { api } from './auth.ts'
import { TermOrKnown, Terms } from './wire.ts'

const pageSize = '100'

/** The numbers of tags, whose names may be new. Names are unique without regard to case. */
export async function findOrCreateTags(http: Http, names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) ids.push((await findTerm(http, 'tags', name)) ?? (await createTag(http, name)))
  return [...new Set(ids)]
}

/** The numbers of categories. They order a site, so that none is made in passing. */
export async function findCategories(http: Http, names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) {
    const id = await findTerm(http, 'categories', name)
    if (id === undefined) throw unknownCategory(name)
    ids.push(id)
  }
  return [...new Set(ids)]
}

async function findTerm(http: Http, taxonomy: 'tags' | 'categories', name: string): Promise<number | undefined> {
  const query = { search: name.trim(), per_page: pageSize }
  const terms = await http.call({ method: 'GET', path: `${api}/${taxonomy}`, query, returns: Terms })
  return terms.find((term) => comparable(textOfHtml(term.name).shown) === comparable(name))?.id
}

/** A tag that somebody made meanwhile is named in the refusal. */
async function createTag(http: Http, name: string): Promise<number> {
  const json = { name: name.trim() }
  const call = { method: 'POST', path: `${api}/tags`, json, answersRefusals: true, returns: TermOrKnown } as const
  const made = await http.call(call)
  return 'id' in made ? made.id : made.data.term_id
}

function comparable(name: string): string {
  return name.trim().toLowerCase()
}

function unknownCategory(name: string): PlatformError {
  const message = `The site has no category “${name}”. Create it there, or choose another one.`
  return new PlatformError({ kind: 'rejected', platformCode: 'unknown_category', message })
}
