import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from '@carillon/connectors'
import type { Channel, Manifest, Post, Transcript, TranscriptCall } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { programVersion } from '../../infra/assets/program-version.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { StartError } from '../../infra/problem/problem.ts'
import { recordEverywhere } from '../connections/calls/recording/follow-recordings.ts'
import type { RecordedCall } from '../connections/calls/recording/record-calls.ts'
import { numberPlaceholders } from '../connections/calls/recording/redact.ts'
import type { ConnectionRow } from '../connections/connection.store.ts'
import { openClient } from '../connections/open-client.ts'
import { unpublishChannel } from '../posts/remove-post.ts'
import { readBack } from '../publishing/recover/read-back.ts'
import type { Kind } from './list-kinds.ts'
import { findCommentId, findSentRef } from './live-test.store.ts'

/** What became of one step. `words` are the platform's own, or a sentence about what was seen. */
type StepResult = { state: 'held' | 'failed' | 'skipped'; words: string | null }

export type KindResult = {
  kind: string
  published: StepResult
  readBack: StepResult
  figures: StepResult
  deleted: StepResult
  seconds: number
  /** What is still on the account: addresses, or ids where the platform gives no address. */
  left: string[]
}

export type LiveTestResult = { results: KindResult[]; transcript: Transcript }

/** One request to our own API, as the owner of the workspace. */
export type CallApi = (request: {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: FormData | Readonly<Record<string, unknown>>
}) => Promise<{ data?: unknown; error?: { message?: string; details?: { message: string }[] } }>

type Run = {
  ctx: Context
  connection: ConnectionRow
  manifest: Manifest
  api: CallApi
  keeps: boolean
  /** Called before each step, so that recorded calls can be told apart. */
  begin(kind: string, step: string): Promise<void>
}

type Options = Omit<Run, 'begin'> & { kinds: readonly Kind[]; report(line: string): void }

const recordMs = 3_600_000
const workersWithinMs = 15_000
/** For recorded calls that are still on their way from a worker. */
const lateCallsMs = 400
const finishedWithinMs = 900_000
const pollMs = 500
/** A platform may show a new post a little later. */
const readBackWaitsMs = [0, 2_000, 5_000, 10_000]

const skipped: StepResult = { state: 'skipped', words: null }
const held = (words: string | null = null): StepResult => ({ state: 'held', words })
const failed = (words: string): StepResult => ({ state: 'failed', words })

/** Publishes every kind through the API and the workers, as any post is, and records the calls that this causes. */
export async function runLiveTest({ kinds, report, ...options }: Options): Promise<LiveTestResult> {
  const { ctx, connection, manifest } = options
  const calls: (RecordedCall & { kind: string; step: string })[] = []
  let now = { kind: '', step: '' }
  const recording = {
    id: newUuid(),
    workspaceId: connection.workspace_id,
    connectionId: connection.id,
    salt: randomBytes(32).toString('hex'),
    untilMs: ctx.nowMs() + recordMs,
  }
  const recorded = await recordEverywhere(ctx, recording, (call) => void calls.push({ ...call, ...now }))
  const begin = async (kind: string, step: string) => {
    await sleep(lateCallsMs)
    now = { kind, step }
  }
  try {
    await waitForWorkers(recorded.workers)
    const results: KindResult[] = []
    for (const kind of kinds) {
      const result = await testKind({ ...options, begin }, kind)
      results.push(result)
      report(`${kind.name}: ${result.published.state === 'held' ? 'published' : (result.published.words ?? 'not published')}`)
    }
    await begin('', '')
    return { results, transcript: makeTranscript(manifest, { kinds, calls, day: dayOf(ctx.nowMs()) }) }
  } finally {
    await recorded.end()
  }
}

async function waitForWorkers(workers: () => number): Promise<void> {
  const endMs = performance.now() + workersWithinMs
  while (workers() === 0 && performance.now() < endMs) await sleep(50)
  if (workers() === 0)
    throw new StartError('No worker of this release answers. Start the service ("carillon serve") and try again.')
}

function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10)
}

type Seen = { kinds: readonly Kind[]; calls: (RecordedCall & { kind: string; step: string })[]; day: string }

function makeTranscript({ platform, api }: Manifest, { kinds, calls, day }: Seen): Transcript {
  const order = new Map<string, number>()
  for (const { kind, step } of calls) if (!order.has(`${kind} ${step}`)) order.set(`${kind} ${step}`, order.size)
  const placeOf = ({ kind, step }: { kind: string; step: string }) => order.get(`${kind} ${step}`) ?? 0
  // A call is recorded at its end, and several processes may record.
  const sorted = calls.toSorted((a, b) => placeOf(a) - placeOf(b) || a.atMs - b.atMs)
  return numberPlaceholders<Transcript>({
    format: 1,
    platform,
    release: programVersion(),
    api: api.version,
    day,
    kinds: kinds.map(({ name }) => name),
    calls: sorted.map(({ kind, step, method, path, query, request, status, response, ms }): TranscriptCall => ({
      kind,
      step,
      method,
      path,
      query,
      request,
      status,
      response,
      ms,
    })),
  })
}

async function testKind(run: Run, kind: Kind): Promise<KindResult> {
  const startedMs = performance.now()
  await run.begin(kind.name, 'publish')
  const { published, post, channel } = await publish(run, kind)
  const result: KindResult = {
    kind: kind.name,
    published,
    readBack: skipped,
    figures: skipped,
    deleted: skipped,
    seconds: 0,
    left: [],
  }
  if (post && channel?.result.postId) {
    await run.begin(kind.name, 'read')
    result.readBack = await tryStep(() => read(run, channel))
    await run.begin(kind.name, 'figures')
    result.figures = await tryStep(() => pullFigures(run, channel.result.postId ?? ''))
    await run.begin(kind.name, 'delete')
    Object.assign(result, await remove(run, post, channel))
  } else if (channel && channel.result.status !== 'failed') result.left = ['It is not known whether a post was made.']
  return { ...result, seconds: Math.round((performance.now() - startedMs) / 100) / 10 }
}

type Published = { published: StepResult; post: Post | null; channel: Channel | null }

async function publish({ api, connection }: Run, kind: Kind): Promise<Published> {
  const { data, error } = await api({ method: 'POST', path: kind.path, body: bodyOf(connection, kind) })
  if (error) {
    const details = (error.details ?? []).map(({ message }) => message).join(' ')
    return { published: failed([error.message, details].filter(Boolean).join(' ')), post: null, channel: null }
  }
  const { uploadId } = data as { uploadId: string }
  const post = await waitUntilFinished(api, uploadId)
  const [channel = null] = post.channels
  return { published: judge(channel), post, channel }
}

/** Files travel in a form, everything else as JSON. */
function bodyOf({ slug }: ConnectionRow, { fields, files }: Kind): FormData | Record<string, unknown> {
  const made = files()
  if (made.length === 0) return { connections: [slug], ...fields }
  const form = new FormData()
  form.append('connections[]', slug)
  for (const [name, value] of Object.entries(fields)) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const { name, mimeType, bytes } of made) form.append('medias[]', new Blob([bytes], { type: mimeType }), name)
  return form
}

async function waitUntilFinished(api: CallApi, id: string): Promise<Post> {
  const endMs = performance.now() + finishedWithinMs
  for (;;) {
    const { data } = await api({ method: 'GET', path: `/content/${id}` })
    const post = data as Post
    const isFinished = ['completed', 'failed', 'partial_failure'].includes(post.status)
    if ((isFinished && post.channels.every(({ result }) => result.comment !== 'waiting')) || performance.now() > endMs)
      return post
    await sleep(pollMs)
  }
}

function judge(channel: Channel | null): StepResult {
  if (!channel) return failed('The post has no channel.')
  const { status, error, comment, warnings, waiting } = channel.result
  if (status === 'pending') return failed(`It still waits${waiting ? `: ${waiting.reason}` : ''}.`)
  if (error) return failed([error.platformMessage ?? error.message, error.platformCode].filter(Boolean).join(' '))
  if (status !== 'success') return failed(`Its status is "${status}".`)
  if (comment === 'failed') return failed(warnings.join(' ') || 'The comment failed.')
  return held(warnings.join(' ') || null)
}

async function tryStep(step: () => Promise<StepResult>): Promise<StepResult> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return failed([error.platformMessage ?? error.message, error.platformCode].filter(Boolean).join(' '))
  }
}

async function read({ ctx, connection }: Run, channel: Channel): Promise<StepResult> {
  const ref = await findSentRef(ctx.db.system, connection.workspace_id, channel.id)
  if (!ref) return failed('The channel is gone.')
  let words = ''
  for (const waitMs of readBackWaitsMs) {
    await sleep(waitMs)
    const found = await readBack(ctx, ref)
    if (found === null) return skipped
    if (found.state === 'published')
      return found.postId === channel.result.postId ? held() : failed('The platform shows another post in its place.')
    if (found.state === 'unidentified') return held('The platform says that it is published, but not as which post.')
    // Not every account may read its own posts.
    if (found.state === 'unknown')
      return { state: 'skipped', words: 'The platform does not tell this account whether it has the post.' }
    words = found.state === 'absent' ? 'The platform does not show it.' : 'The platform is still processing it.'
  }
  return failed(words)
}

async function pullFigures({ ctx, connection }: Run, postId: string): Promise<StepResult> {
  const { connector, client } = openClient(ctx, connection)
  if (!connector.metrics) return skipped
  const figures = (await connector.metrics(client, [postId])).get(postId)
  if (!figures) return held('none yet')
  return held(
    Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ') || 'none yet',
  )
}

async function remove(run: Run, post: Post, channel: Channel): Promise<Pick<KindResult, 'deleted' | 'left'>> {
  const { ctx, connection, manifest, api, keeps } = run
  const { parts, postUrl, postId } = channel.result
  const made = (parts ?? [{ postUrl, postId }]).map((part) => part.postUrl ?? part.postId ?? 'a post without an address')
  if (keeps) return { deleted: skipped, left: made }
  if (!manifest.can.remove) return { deleted: { state: 'skipped', words: 'cannot be deleted by a program' }, left: made }
  // On some platforms a comment is a post of its own, which would stay. On others it goes with the post, and this is refused.
  const commentId = await findCommentId(ctx.db.system, connection.workspace_id, channel.id)
  if (commentId !== null)
    await unpublishChannel(ctx, { id: channel.id, connection_slug: connection.slug, platform_post_id: commentId }, connection)
  const { data, error } = await api({ method: 'DELETE', path: `/content/${post.uploadId}?unpublish=true` })
  const [removal] = (data as { channels: { outcome: string; message: string | null }[] } | undefined)?.channels ?? []
  if (removal?.outcome === 'removed') return { deleted: held(), left: [] }
  return { deleted: failed(removal?.message ?? error?.message ?? 'It could not be deleted.'), left: made }
}
