import { writeWarning } from '@carillon/contract'
import type { Static } from 'typebox'
import type { Client, Draft, Outcome } from '../kit/connector.ts'
import { bareCard, cardWarnings, type StagedCard } from '../kit/link-card.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because } from './errors.ts'
import { manifest } from './manifest.ts'
import { toLittleText, type Mention } from './little-text.ts'
import { encodeUrn, postUrlOf, restHeaders } from './rest.ts'
import { CreatedComment, AnyBody } from './wire.ts'

export type Settings = { visibility: string; mentions?: Mention[] }

const params = { platform: manifest.name }

/** The URNs of the files, and the card of a link. */
type Prepared = { urns: readonly string[]; card: StagedCard | null }

/**
 * The irreversible call. The answer has no body; a header contains the post's URN. If LinkedIn refuses the content as a duplicate, the error
 * names the existing post. That may be an earlier attempt at this one or another post, so it is never reported as this one.
 */
export async function createPost(client: Client, draft: Draft<Settings>, prepared: Prepared): Promise<Outcome> {
  const json = {
    author: client.account.id,
    commentary: toLittleText(draft.text, draft.settings.mentions),
    visibility: draft.settings.visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...contentOf(draft, prepared),
  }
  const urn = await send(client, json)
  const isLinkLost = draft.linkUrl !== null && draft.media.length > 0 && !draft.text.includes(draft.linkUrl)
  const ofLink = isLinkLost ? [writeWarning('link_without_room', params)] : cardWarnings(prepared.card, manifest)
  const warnings = isTooLongEscaped(draft.text) ? [...ofLink, writeWarning('escapes_counted', params)] : ofLink
  return { state: 'published', postId: urn, postUrl: postUrlOf(urn), warnings }
}

/** Another client saw LinkedIn cut such texts without a word. The markup of hashtags does not count. */
function isTooLongEscaped(text: string): boolean {
  return toLittleText(text).replaceAll('{hashtag|\\#|', '').length > manifest.text.max
}

async function send({ http }: Client, json: object): Promise<string> {
  const { headers } = await http.exchange({ method: 'POST', path: '/rest/posts', json, headers: restHeaders, returns: AnyBody })
  const urn = headers['x-restli-id']
  if (urn) return urn
  const message = 'LinkedIn accepted the post but did not return its id.'
  throw new PlatformError({ kind: 'unknown', platformCode: null, message })
}

function contentOf(draft: Draft<Settings>, { urns, card }: Prepared): { content?: object } {
  const { media, title } = draft
  const items = media.map((file, at) => ({ file, id: urns[at] ?? '' }))
  const [first, ...others] = items
  if (!first) return draft.linkUrl === null ? {} : { content: { article: articleOf(draft, card ?? bareCard(draft)) } }
  if (others.length > 0) return { content: { multiImage: { images: items.map(({ file, id }) => ({ id, ...altOf(file.alt) })) } } }
  const { file, id } = first
  if (file.kind === 'image') return { content: { media: { id, ...altOf(file.alt) } } }
  // A document must have a title, a video may.
  return { content: { media: { id, ...(file.kind === 'document' ? { title: title || file.name } : title ? { title } : {}) } } }
}

function articleOf({ linkUrl }: Draft<Settings>, { title, description, thumb }: StagedCard): object {
  return { source: linkUrl, title, ...(description !== '' && { description }), ...(thumb !== null && { thumbnail: thumb }) }
}

function altOf(alt: string): { altText?: string } {
  return alt === '' ? {} : { altText: alt }
}

/** Some servers of LinkedIn do not know a post in its first seconds. If it was removed, the fifth attempt says so. */
const commentWaitsMs = [5_000, 10_000, 30_000, 60_000, 300_000]

export async function createComment({ http, account }: Client, postId: string, text: string): Promise<Outcome> {
  const path = `/rest/socialActions/${encodeUrn(postId)}/comments`
  const json = { actor: account.id, object: postId, message: { text } }
  try {
    const made = await http.call({ method: 'POST', path, json, headers: restHeaders, returns: CreatedComment })
    return { state: 'published', postId: urnOfComment(postId, made), postUrl: postUrlOf(postId) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const { platformCode } = error
    if (error.kind === 'gone')
      throw new PlatformError({
        kind: 'rejected',
        isTemporary: true,
        platformCode,
        ...because('not_found'),
        waitsMs: commentWaitsMs,
        cause: error,
      })
    // Comments need a permission that LinkedIn gives to some apps only. The account and its posts are not concerned.
    if (platformCode === 'ACCESS_DENIED')
      throw new PlatformError({ kind: 'rejected', platformCode, ...because('app_permission_missing'), cause: error })
    throw error
  }
}

function urnOfComment(postId: string, made: Static<typeof CreatedComment>): string {
  if ('commentUrn' in made) return made.commentUrn
  return '$URN' in made ? made.$URN : `urn:li:comment:(${postId},${made.id})`
}
