import { Type } from 'typebox'
import type { Http } from '../kit/http.ts'

const Permalink = Type.Object({ permalink: Type.Optional(Type.String()) })

/** Reads the public URL of a post, or null. Never throws: the post is already published, so this must not look like a failed post. */
export async function readPermalink(http: Http, path: string): Promise<string | null> {
  try {
    const { permalink } = await http.call({ method: 'GET', path, query: { fields: 'permalink' }, returns: Permalink })
    return permalink ?? null
  } catch {
    return null
  }
}
