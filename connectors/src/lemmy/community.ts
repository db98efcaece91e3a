import type { Static } from 'typebox'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { api, Community, type Site } from './wire.ts'

/** People copy `!bells@lemmy.example`, as Lemmy shows it, or the address of its page. */
const form = /^(?:(?:https?:\/\/)?([^\s!@/?#]{1,253})\/c\/|!)?([^\s!@/?#]{1,100})(?:@([^\s!@/?#]{1,253}))?\/?$/

/** `bells`, or `bells@far.example` for one of another server. Undefined for anything else. */
export function readCommunity(entered: string, origin: string): string | undefined {
  const [, page, name, home = page] = form.exec(entered.trim()) ?? []
  if (name === undefined) return undefined
  return home === undefined || home.toLowerCase() === new URL(origin).host ? name : `${name}@${home}`
}

/** One of another server that this one does not know yet is fetched from there, which takes a while. */
export async function findCommunity(http: Http, entered: string, headers: Record<string, string> = {}): Promise<number> {
  const name = readCommunity(entered, http.origin)
  if (name === undefined) throw unknownCommunity(entered)
  try {
    const call = {
      method: 'GET',
      path: `${api}/community`,
      query: { name },
      headers,
      timeoutMs: 30_000,
      returns: Community,
    } as const
    const { community_view: view } = await http.call(call)
    return view.community.id
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'gone' || error.platformCode === 'couldnt_find_community'))
      throw unknownCommunity(name)
    throw error
  }
}

function unknownCommunity(name: string): PlatformError {
  const message = `The server knows no community “${name}”. Enter it as bells, or as bells@lemmy.example for one of another server.`
  return new PlatformError({ kind: 'rejected', platformCode: 'unknown_community', message })
}

/** Names of communities that the person follows, to choose from. */
export function followedBy({ my_user: me }: Static<typeof Site>): string[] {
  const names = (me?.follows ?? []).map(({ community }) => `${community.name}@${URL.parse(community.actor_id)?.host ?? ''}`)
  return names.slice(0, 10)
}
