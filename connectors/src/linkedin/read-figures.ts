import type { Client, Figures } from '../kit/connector.ts'
import { encodeUrn, isPage, restHeaders } from './rest.ts'
import { Statistics } from './wire.ts'

const urnsPerCall = 50

/** Reads the figures of a page's posts. Self-serve apps cannot read figures of a person's posts. */
export async function readFigures(client: Client, postIds: readonly string[]): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  if (!isPage(client.account.id)) return figures
  for (let from = 0; from < postIds.length; from += urnsPerCall) {
    const urns = postIds.slice(from, from + urnsPerCall)
    // LinkedIn leaves out posts without any activity.
    for (const urn of urns) figures.set(urn, { likes: 0, comments: 0, shares: 0, impressions: 0, clicks: 0 })
    for (const { share, ugcPost, totalShareStatistics: seen } of await readStatistics(client, urns)) {
      figures.set(share ?? ugcPost ?? '', {
        likes: seen.likeCount ?? 0,
        comments: seen.commentCount ?? 0,
        shares: seen.shareCount ?? 0,
        impressions: seen.impressionCount ?? 0,
        clicks: seen.clickCount ?? 0,
      })
    }
  }
  return figures
}

/** The brackets of a Rest.li list must not be encoded, so the query string is part of the path here. */
async function readStatistics({ http, account }: Client, urns: readonly string[]) {
  const listOf = (name: string, kind: string) => {
    const named = urns.filter((urn) => urn.startsWith(`urn:li:${kind}:`)).map(encodeUrn)
    return named.length === 0 ? '' : `&${name}=List(${named.join(',')})`
  }
  const entity = `q=organizationalEntity&organizationalEntity=${encodeUrn(account.id)}`
  const path = `/rest/organizationalEntityShareStatistics?${entity}${listOf('shares', 'share')}${listOf('ugcPosts', 'ugcPost')}`
  const { elements } = await http.call({ method: 'GET', path, headers: restHeaders, returns: Statistics })
  return elements
}
