import { setTimeout as sleep } from 'node:timers/promises'
import type { LinkCard, Media } from '@carillon/connectors'
import { userAgent } from '@carillon/connectors/kit'
import { noLimits, type MediaRules } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { EgressError } from '../../infra/egress/egress-error.ts'
import { fetchPicture } from '../media/fetch-picture.ts'
import { readPage, type PageFacts } from './read-page.ts'

/** A post that is due waits for its card for as long as both together, and no longer. */
const pageMsMax = 3_000
const pictureMsMax = 5_000
/** Tags are at the start of a page. What is beyond this is not read. */
const pageBytesMax = 1_000_000
const pictureBytesMax = 10_000_000
/** Cards are shown smaller than this. */
const pictureSideMax = 1_200

/** The channels of a post are staged within seconds of each other. */
const keptMs = 60_000
const keptMax = 50

type Kept = { card: Promise<LinkCard>; untilMs: number }

function createCards() {
  return { value: new Map<string, Kept>() }
}

const bare: LinkCard = { title: null, description: null, picture: null, lost: 'page' }

/** What the page of a link says about itself. It never throws: a page that cannot be read costs the post its card. */
export function fetchCard(ctx: Context, { workspaceId, url }: { workspaceId: string; url: string }): Promise<LinkCard> {
  const cards = ctx.resources.get(createCards, ctx)
  for (const [name, { untilMs }] of cards) {
    if (untilMs > ctx.nowMs() && cards.size < keptMax) break
    cards.delete(name)
  }
  const name = `${workspaceId} ${url}`
  const known = cards.get(name)
  if (known) return known.card
  const card = makeCard(ctx, { workspaceId, url }).catch((error: unknown) => {
    ctx.log.error({ err: error, url }, 'the card of a link could not be made')
    return bare
  })
  cards.set(name, { card, untilMs: ctx.nowMs() + keptMs })
  return card
}

async function makeCard(ctx: Context, { workspaceId, url }: { workspaceId: string; url: string }): Promise<LinkCard> {
  const page = await fetchPage(ctx, url)
  if (!page || page.title === null) return bare
  const { title, description, pictureUrl } = page
  if (pictureUrl === null) return { title, description, picture: null, lost: null }
  const request = { workspaceId, url: pictureUrl, timeoutMs: pictureMsMax, bytesMax: pictureBytesMax, rules: pictureRules(ctx) }
  const picture = await inTime(fetchPicture(ctx, { ...request, headers: { 'user-agent': userAgent } }))
  return { title, description, picture, lost: picture ? null : 'picture' }
}

async function fetchPage(ctx: Context, url: string): Promise<PageFacts | null> {
  try {
    const reply = await ctx.egress.request({
      method: 'GET',
      url,
      headers: { accept: 'text/html,application/xhtml+xml', 'user-agent': userAgent },
      timeoutMs: pageMsMax,
      bytesMax: pageBytesMax,
      overflow: 'cut',
      https: false,
      redirects: 3,
    })
    const { status, headers, body } = reply
    if (status !== 200 || (headers['content-encoding'] ?? 'identity') !== 'identity') return null
    return await readPage(body, { contentType: headers['content-type'], url: reply.url })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    ctx.log.info({ err: error, url }, 'the page of a link could not be fetched')
    return null
  }
}

/** Fetching has its own limit. Drawing the picture waits for its turn, and the post does not wait with it. */
async function inTime(making: Promise<Media | null>): Promise<Media | null> {
  const stop = new AbortController()
  const late = sleep(pictureMsMax, null, { signal: stop.signal, ref: false }).catch(() => null)
  try {
    return await Promise.race([making, late])
  } finally {
    stop.abort()
  }
}

/** One picture serves all platforms, so that a post to several of them fetches and draws it once. */
function pictureRules(ctx: Context): MediaRules {
  const all = Object.values(ctx.connectors).flatMap(({ manifest }) => manifest.linkCard?.picture ?? [])
  const least = (limits: readonly (number | null)[]) => {
    const known = limits.filter((limit) => limit !== null)
    return known.length > 0 ? Math.min(...known) : null
  }
  const [first, ...others] = all
  return {
    ...noLimits,
    max: 1,
    bytesMax: least(all.map(({ bytesMax }) => bytesMax)),
    pixelsMax: least(all.map(({ pixelsMax }) => pixelsMax)),
    mimeTypes: (first?.mimeTypes ?? []).filter((type) => others.every(({ mimeTypes }) => mimeTypes.includes(type))),
    sideMax: pictureSideMax,
  }
}
