import { PlatformError, type Draft } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { keptMs } from '../../../infra/queue/run-detachable.ts'
import type { ConnectionKey } from '../../connections/jobs.ts'
import { channelError } from '../../posts/channel-error.ts'
import { keepFor } from '../channel-server.store.ts'
import { prepareJob, type Preparation } from '../jobs.ts'
import { openChannel, type ChannelToSend, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { loadChannel } from '../send/arm.store.ts'
import { failureOf } from '../send/send-channel.ts'
import { type Finished, finishedOf } from '../settle/result.ts'
import { settle } from '../settle/settle.ts'
import { fetchCard } from '../../link-card/fetch-card.ts'
import { openFiles } from './open-files.ts'
import { removeWarnings, savePrepared } from './pending.store.ts'

const tokenMarginMs = 60_000
/** Longer than the workers wait between two polls. */
const dueSoonMs = 2_000
const lookAgainMs = 3_000

type Needs = { renewal: { connection: ConnectionKey; seenAtMs: number } | null; post: { workspaceId: string; id: string } | null }

/** What must be there before this channel can be staged: a token that is valid until it is due, and the files of its post. */
export async function findNeeds(ctx: Context, { refusedTokenAtMs, ...ref }: Preparation): Promise<Needs> {
  const { loaded } = await loadChannel(ctx.db.system, ref, { states: ['dispatched'] })
  if (!loaded) return { renewal: null, post: null }
  const { post } = loaded
  return {
    renewal: renewalNeed(ctx, loaded, refusedTokenAtMs),
    post: post.pending_medias ? { workspaceId: post.workspace_id, id: post.id } : null,
  }
}

/** `seenAtMs`: a token that was renewed after this moment is new enough. */
function renewalNeed(ctx: Context, { channel, connection }: LoadedChannel, refusedTokenAtMs?: number): Needs['renewal'] {
  const expiresMs = connection.token_expires_at?.getTime() ?? Infinity
  const dueMs = channel.dispatch_at?.getTime() ?? ctx.nowMs()
  const refusedAtMs = refusedTokenAtMs ?? (channel.renew_token ? (channel.submitted_at?.getTime() ?? 0) : null)
  if (refusedAtMs === null && expiresMs >= dueMs + tokenMarginMs) return null
  const key = { workspaceId: connection.workspace_id, id: connection.id }
  // A token that only expires is too old if it was made before this run; one that was refused, if it was made before the refusal.
  return { connection: key, seenAtMs: refusedAtMs ?? ctx.nowMs() - tokenMarginMs }
}

/** Another process is still getting what the channel needs: this looks again soon. */
export async function prepareSoon(ctx: Context, preparation: Preparation): Promise<Job[]> {
  await keepFor(ctx.db.system, [preparation], keptMs)
  return [prepareJob(preparation, lookAgainMs)]
}

/** Makes what can be made before the due time and returns the channel to the schedule, prepared. Repeatable: nothing made here is visible. */
export async function stageChannel(ctx: Context, { refusedTokenAtMs, ...ref }: Preparation): Promise<Job[]> {
  const { loaded, lost } = await loadChannel(ctx.db.system, ref, { states: ['dispatched'] })
  const channel = loaded?.channel ?? lost
  if (!channel) return []
  const finish = (result: Finished['result']) => settle(ctx, [finishedOf(ctx, loaded ?? { channel }, result)])
  if (!loaded) return finish({ kind: 'failed', error: channelError('connection_removed') })

  const { post } = loaded
  const failFiles = (message: string) => finish({ kind: 'failed', error: { ...channelError('media_unusable'), message } })
  if (post.pending_error) return failFiles(post.pending_error)
  const files = await openFiles(ctx, loaded)
  if (files.violations.length > 0) {
    // The files were not changed, so the channel must not say that they were.
    await removeWarnings(ctx.db.system, ref, files.announced)
    return failFiles(files.violations.join(' '))
  }
  const opened = openChannel(ctx, loaded, { media: files.media })
  const { connector, client } = opened
  const isStaging = channel.needs_stage && !channel.staged && connector.stage
  try {
    const staged = isStaging ? await connector.stage?.(client, await addCard(ctx, loaded, opened)) : undefined
    if ((await savePrepared(ctx.db.system, ref, staged)) && isDueSoon(ctx, channel)) ctx.engine.wakeWorkers()
    return []
  } catch (error) {
    const isRenewed = channel.renew_token || refusedTokenAtMs !== undefined
    const tried = { ...loaded, channel: { ...channel, tries: channel.tries + 1, renew_token: isRenewed } }
    const result = failureOf(ctx, tried, { opened, error: asRepeatable(error), started: false })
    // The job names the refused token: what is stored of the channel does not tell when it was refused.
    if (result.kind === 'later' && result.renew)
      return [prepareJob({ ...ref, refusedTokenAtMs: loaded.connection.token_renewed_at.getTime() })]
    return result.kind === 'unknown' ? [] : finish(result)
  }
}

/** The page of a link is read here and nowhere else: what `stage` makes of it is stored, and sending fetches nothing. */
async function addCard(ctx: Context, { post }: LoadedChannel, { connector, draft }: OpenedChannel): Promise<Draft> {
  const { linkUrl, media, replyTo } = draft
  if (linkUrl === null || media.length > 0 || replyTo !== null || connector.manifest.linkCard === null) return draft
  return { ...draft, card: await fetchCard(ctx, { workspaceId: post.workspace_id, url: linkUrl }) }
}

/** What is due later is claimed by the next poll, together with what was prepared meanwhile: few large batches instead of many small ones. */
function isDueSoon(ctx: Context, { dispatch_at: dispatchAt }: ChannelToSend): boolean {
  return (dispatchAt?.getTime() ?? 0) < ctx.nowMs() + dueSoonMs
}

/** Staging can always be repeated, so a lost answer is the same as no answer. */
function asRepeatable(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.kind !== 'unknown') return error
  const { platformCode } = error
  const message = 'The platform did not answer while the post was being prepared.'
  return new PlatformError({ kind: 'unavailable', platformCode, reason: 'preparation_unanswered', message, cause: error })
}
