import type { Static } from 'typebox'
import type { Client, Draft, Figures, Outcome } from '../kit/connector.ts'
import { getMediaUrl } from '../kit/read-media.ts'
import { webUrl } from '../kit/web-address.ts'
import { unknownOutcome } from './errors.ts'
import { removalKey, signRead, signSend } from './sign-request.ts'
import { AnyBody, FiguresAnswer, Result } from './wire.ts'

const checkAfterMs = { usual: 2_000, min: 1_000, max: 3_600_000 }
const idLengthMax = 500
const figuresAtOnce = 20
const metrics = ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'] as const

/** What the calls need of a client. */
type Sender = Pick<Client, 'http' | 'credentials'>

export async function publish({ http, credentials }: Sender, draft: Draft<unknown>, key: string): Promise<Outcome> {
  const data = await dataOf(draft)
  const call = signSend(http, credentials.accessToken, { type: 'post.publish', key, data })
  return outcomeOf(await http.exchange({ ...call, returns: Result }), key)
}

/** Asks what became of a key: the response is the one that the post got, or would get by now. */
export async function readOutcome(sender: Sender, key: string): Promise<Outcome> {
  return outcomeOf(await readResult(sender, key), key)
}

export function readResult({ http, credentials }: Sender, key: string) {
  const headers = signRead(http, credentials.accessToken, key)
  return http.exchange({ method: 'GET', path: '', query: { key }, headers, returns: Result })
}

export async function removePost({ http, credentials }: Sender, postId: string): Promise<void> {
  const call = signSend(http, credentials.accessToken, { type: 'post.remove', key: removalKey(postId), data: { postId } })
  await http.call({ ...call, returns: AnyBody })
}

/** Empty if the receiver tells no figures. */
export async function readFigures({ http, credentials }: Sender, postIds: readonly string[]): Promise<Map<string, Figures>> {
  const found = new Map<string, Figures>()
  for (let from = 0; from < postIds.length; from += figuresAtOnce) {
    const query = { figures: postIds.slice(from, from + figuresAtOnce) }
    const headers = signRead(http, credentials.accessToken, 'figures')
    const { figures = {} } = await http.call({ method: 'GET', path: '', query, headers, returns: FiguresAnswer })
    for (const [postId, each] of Object.entries(figures)) if (query.figures.includes(postId)) found.set(postId, countsIn(each))
  }
  return found
}

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

function countsIn(figures: unknown): Figures {
  const counts = metrics.map((name) => [name, Object(figures)[name] as unknown] as const)
  return Object.fromEntries(counts.filter(([, value]) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0))
}
