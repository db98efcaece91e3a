import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { MIMEType } from 'node:util'
import type { LinkCard, Media } from '@carillon/connectors'
import { userAgent } from '@carillon/connectors/kit'
import { type MediaRules, noLimits } from '@carillon/contract'
import { Parser } from 'htmlparser2'
import type { Context } from '../../context.ts'
import { EgressError } from '../../infra/egress/egress-error.ts'
import { fetchPicture } from '../media/fetch-picture.ts'

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

/** What a page says about itself in its tags for previews. */
type PageFacts = { title: string | null; description: string | null; pictureUrl: string | null }

/** The names of the tags, the best first. What has none of them is described by its `<title>` and `description`. */
const titleNames = ['og:title', 'twitter:title', '<title>']
const descriptionNames = ['og:description', 'twitter:description', 'description']
const pictureNames = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']
const wanted = new Set([...titleNames, ...descriptionNames, ...pictureNames])

const textMax = 4096
/** No page for people is nested as deeply. The parser compares every closing tag with all open ones, so depth costs time. */
const depthMax = 256
const chunkChars = 16_384
/** Where a page must name its encoding. */
const prologBytes = 1024

/** Reads the tags of a page. Null if the answer is no HTML. The page may be cut, broken or made to be slow to read. */
export async function readPage(
  body: Buffer,
  { contentType, url }: { contentType: string | undefined; url: string },
): Promise<PageFacts | null> {
  const type = parseType(contentType)
  if (type !== null && type.essence !== 'text/html' && type.essence !== 'application/xhtml+xml') return null
  const tags = await readTags(await decode(body, type?.params.get('charset') ?? null))
  const first = (names: readonly string[]) => names.map((name) => cleaned(tags.get(name))).find((text) => text !== null) ?? null
  const pictureUrl = first(pictureNames)
  return {
    title: first(titleNames),
    description: first(descriptionNames),
    pictureUrl: pictureUrl === null ? null : (URL.parse(pictureUrl, url)?.href ?? pictureUrl),
  }
}

function parseType(contentType: string | undefined): MIMEType | null {
  try {
    return contentType === undefined ? null : new MIMEType(contentType)
  } catch {
    return null
  }
}

/** The encoding that the answer names, or else the page itself; UTF-8 if there is none or it is not known. */
async function decode(body: Buffer, named: string | null): Promise<string> {
  const charset = named ?? (await readTags(body.subarray(0, prologBytes).toString('latin1'))).get('charset') ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}

/** The first value of each wanted tag. Other work of the process goes on between the parts of a large page. */
async function readTags(html: string): Promise<ReadonlyMap<string, string>> {
  const tags = new Map<string, string>()
  const note = (name: string, value: string | undefined) => {
    if (value !== undefined && !tags.has(name)) tags.set(name, value.slice(0, textMax))
  }
  const open: string[] = []
  let title = ''
  const parser = new Parser({
    onopentag(name, attributes) {
      open.push(name)
      if (name !== 'meta') return
      const { charset, property, name: metaName, content } = attributes
      note('charset', charset)
      for (const key of [property, metaName]) {
        const wantedName = key?.trim().toLowerCase() ?? ''
        if (wanted.has(wantedName)) note(wantedName, content)
      }
    },
    ontext(text) {
      // A drawing has titles too.
      if (open.at(-1) === 'title' && !open.includes('svg') && title.length < textMax) title += text
    },
    onclosetag(name) {
      if (name === 'title' && title !== '') note('<title>', title)
      open.pop()
    },
  })
  for (let at = 0; at < html.length && open.length <= depthMax; at += chunkChars) {
    if (at > 0) await nextTurn()
    parser.write(html.slice(at, at + chunkChars))
  }
  if (title !== '') note('<title>', title)
  return tags
}

/** One line without characters that cannot be stored or that change the direction of what follows; null if nothing is left. */
function cleaned(text: string | undefined): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return line === '' ? null : line
}
