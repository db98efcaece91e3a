import { Type, type Static } from 'typebox'
import { type Client, defineConnector, type Draft, type Figures, type Outcome } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { getMediaUrl } from '../kit/read-media.ts'
import { auth } from './auth.ts'
import { accountOf, capabilities, readDeclaration, recognisesKeys, webUrl } from './declaration.ts'
import { classify, unknownKey, unknownOutcome } from './errors.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { removalKey, signRead, signSend } from './sign-request.ts'
import { AnyBody, FiguresAnswer, Result } from './wire.ts'

const settings = Type.Object({}, { additionalProperties: false, 'x-words': { de: germanWords } })

const checkAfterMs = { usual: 2_000, min: 1_000, max: 3_600_000 }
const idLengthMax = 500
const figuresAtOnce = 20
const metrics = ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'] as const

export const http = defineConnector({
  manifest,
  settings,
  capabilities,
  auth,
  origin: null,
  classify,
  // Requests are signed instead.
  attach: () => ({}),

  async account({ http: own, credentials }) {
    return accountOf(await readDeclaration(own, credentials.accessToken), own.origin)
  },

  // The receiver fetches files itself, from addresses that are made for the request.
  needsStage: () => false,

  async submit({ http: own, credentials }, draft, _staged, { key }) {
    const data = await dataOf(draft)
    const call = signSend(own, credentials.accessToken, { type: 'post.publish', key, data })
    return outcomeOf(await own.exchange({ ...call, returns: Result }), key)
  },

  // A receiver that accepted a post and no longer knows its key has lost it, or has not: nobody knows.
  async check(client, key) {
    try {
      return await readOutcome(client, key)
    } catch (error) {
      throw isUnknownKey(error) ? unknownOutcome('Own platform no longer knows the post that it accepted.') : error
    }
  },

  // Only a receiver that keeps keys can say that it has none.
  async find(client, { handle: { key }, knownPostIds }) {
    const { http: own, credentials } = client
    if (!recognisesKeys(await readDeclaration(own, credentials.accessToken))) return { state: 'unknown' }
    try {
      const outcome = await readOutcome(client, key)
      return outcome.state === 'published' && knownPostIds.has(outcome.postId) ? { state: 'unknown' } : outcome
    } catch (error) {
      const isDenied = isUnknownKey(error) || (error instanceof PlatformError && error.kind === 'rejected')
      if (isDenied) return { state: 'absent', proof: 'reference' }
      throw error
    }
  },

  async remove({ http: own, credentials }, postId) {
    const call = signSend(own, credentials.accessToken, { type: 'post.remove', key: removalKey(postId), data: { postId } })
    await own.call({ ...call, returns: AnyBody })
  },

  async metrics({ http: own, credentials }, postIds) {
    const found = new Map<string, Figures>()
    for (let from = 0; from < postIds.length; from += figuresAtOnce) {
      const query = { figures: postIds.slice(from, from + figuresAtOnce) }
      const headers = signRead(own, credentials.accessToken, 'figures')
      const { figures = {} } = await own.call({ method: 'GET', path: '', query, headers, returns: FiguresAnswer })
      for (const [postId, each] of Object.entries(figures)) if (query.figures.includes(postId)) found.set(postId, countsIn(each))
    }
    return found
  },
})

async function dataOf({ format, text, title, linkUrl, media, replyTo }: Draft<unknown>) {
  return {
    format,
    text,
    title,
    linkUrl,
    replyTo: replyTo?.postId ?? null,
    media: await Promise.all(
      media.map(async (file) => {
        const { kind, name, mimeType, sizeBytes, width, height, durationSeconds, alt } = file
        return { kind, name, mimeType, sizeBytes, width, height, durationSeconds, alt, url: await getMediaUrl(file) }
      }),
    ),
  }
}

/** Asks what became of a key: the response is the one that the post got, or would get by now. */
async function readOutcome({ http: own, credentials }: Client, key: string): Promise<Outcome> {
  const headers = signRead(own, credentials.accessToken, key)
  return outcomeOf(await own.exchange({ method: 'GET', path: '', query: { key }, headers, returns: Result }), key)
}

function outcomeOf({ status, body }: { status: number; body: Static<typeof Result> }, key: string): Outcome {
  if (status === 202) return { state: 'processing', reference: key, checkAfterMs: waitOf(body?.checkAfterSeconds) }
  const postId = String(body?.postId ?? '')
  if (postId === '' || postId.length > idLengthMax)
    throw unknownOutcome('Own platform accepted the post, but its answer has no postId.')
  return { state: 'published', postId, postUrl: webUrl(body?.postUrl) }
}

function waitOf(seconds: unknown): number {
  if (typeof seconds !== 'number') return checkAfterMs.usual
  return Math.min(Math.max(Math.round(seconds * 1000), checkAfterMs.min), checkAfterMs.max)
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof PlatformError && error.platformCode === unknownKey
}

function countsIn(figures: Readonly<Record<string, unknown>>): Figures {
  const counts = metrics.map((name) => [name, figures[name]] as const)
  return Object.fromEntries(
    counts.filter(([, value]) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0),
  ) as Figures
}
