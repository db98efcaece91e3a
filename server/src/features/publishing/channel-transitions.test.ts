import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { channelStates, channelTransitions, type ChannelState, type ChannelTransition } from '@carillon/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { cancelChannels, moveChannels } from '../posts/post.store.ts'
import type { ChannelRef } from './channel-ref.ts'
import { claimDue } from './dispatch/claim.store.ts'
import { releaseClaims, releaseStuck } from './dispatch/dispatch.store.ts'
import { savePrepared } from './prepare/pending.store.ts'
import { armChannels, disarm, holdPost } from './send/arm.store.ts'
import { noValues, settleChannels, type Settlement } from './settle/settle.store.ts'

/** Guarantee: a channel changes its state only as the table of transitions says, whichever statement changes it. */

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-transitions-'))
  api = await PostApi.start(dir)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

type Row = { postId: string; ref: ChannelRef; connectionId: string }

const hourAgo = () => new Date(Date.now() - 3_600_000)

/** A post with one channel in this state, overdue in every respect, so that only the state can prevent a transition. */
async function insertChannel(state: ChannelState): Promise<Row> {
  const { workspaceId, ctx } = api
  const [postId, channelId, connectionId] = [newId(ctx.nowMs()), newId(ctx.nowMs()), newId(ctx.nowMs())]
  const at = hourAgo()
  await ctx.db.system
    .insertInto('post')
    .values({
      workspace_id: workspaceId,
      id: postId,
      request_id: newUuid(),
      status: 'publishing',
      type: 'text',
      text: 'Hello',
      platform_options: '{}',
      warnings: '[]',
      scheduled_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await ctx.db.system
    .insertInto('channel')
    .values({
      workspace_id: workspaceId,
      id: channelId,
      post_id: postId,
      position: 0,
      connection_id: connectionId,
      connection_slug: 'mastodon-first',
      target_name: 'First',
      platform: 'mastodon',
      state,
      due_at: at,
      dispatch_at: at,
      recover_at: at,
      needs_stage: false,
      warnings: '[]',
      generation: 1,
    })
    .execute()
  return { postId, ref: { workspaceId, channelId, generation: 1, epoch: 1 }, connectionId }
}

async function stateOf({ ref }: Row): Promise<ChannelState> {
  const { db } = api.ctx
  const query = db.system.selectFrom('channel').where('workspace_id', '=', ref.workspaceId).where('id', '=', ref.channelId)
  return (await query.select('state').executeTakeFirstOrThrow()).state
}

const inTransaction = (work: Parameters<typeof api.ctx.db.tenant<unknown>>[1]) => api.ctx.db.tenant(api.workspaceId, work)

type Mover = Parameters<typeof moveChannels>[2]['transition']

/** Refusing is throwing: under the lock of its post, a move that does not fit is a bug. */
const move =
  (transition: Mover) =>
  ({ postId, ref }: Row) =>
    inTransaction((tx) =>
      moveChannels(tx, { workspaceId: ref.workspaceId, id: postId }, { channelIds: [ref.channelId], transition }),
    ).catch((error: unknown) => expect(String(error)).toContain('changed 0 of 1'))

const settle =
  (state: Settlement['state']) =>
  ({ ref, postId }: Row) =>
    api.ctx.db.system.transaction().execute((tx) => settleChannels(tx, [{ ...noValues, ref, postId, state }]))

/** The transitions of a restore are tested with that feature, and what follows a published part in first-comment.test.ts and thread.test.ts. */
type Tested = Exclude<ChannelTransition, 'doubt' | 'restoreAbsent' | 'follow' | 'followInVain' | 'followInDoubt'>

/** Every statement that performs a transition. */
const statements: Readonly<Record<Tested, Readonly<Record<string, (row: Row) => Promise<unknown>>>>> = {
  schedule: { moveChannels: move('schedule') },
  unschedule: { moveChannels: move('unschedule') },
  retry: { moveChannels: move('retry') },
  resolvePublished: { moveChannels: move('resolvePublished') },
  resolveNotPublished: { moveChannels: move('resolveNotPublished') },
  cancel: {
    cancelChannels: ({ ref, connectionId }) => inTransaction((tx) => cancelChannels(tx, ref.workspaceId, connectionId, 'null')),
  },
  claim: { claimDue: () => claimDue(api.ctx.db.system, { horizonMs: 0, limit: 100 }) },
  release: {
    releaseClaims: ({ ref }) => releaseClaims(api.ctx.db.system, [ref]),
    releaseStuck: () => releaseStuck(api.ctx.db.system),
    savePrepared: ({ ref }) => savePrepared(api.ctx.db.system, ref, undefined),
  },
  arm: { armChannels: ({ ref }) => api.ctx.db.system.transaction().execute((tx) => armChannels(tx, [ref])) },
  disarm: {
    async disarm({ ref }) {
      const { rows } = { rows: await channelsToSend(ref) }
      await api.ctx.db.system.transaction().execute((tx) =>
        disarm(
          tx,
          rows.map((channel) => ({ channel: { ...channel, epoch: 1 }, untilMs: Date.now(), reason: 'rate_limit' })),
        ),
      )
    },
  },
  hold: {
    holdPost: ({ ref, postId }) =>
      api.ctx.db.system.transaction().execute((tx) => holdPost(tx, { workspace_id: ref.workspaceId, id: postId })),
  },
  settlePublished: { settleChannels: settle('published') },
  settleProcessing: { settleChannels: settle('confirming') },
  settleFailed: { settleChannels: settle('failed') },
  settleLater: { settleChannels: settle('scheduled') },
  settleUnconfirmed: { settleChannels: settle('unconfirmed') },
}

function channelsToSend(ref: ChannelRef) {
  const { system } = api.ctx.db
  return system
    .selectFrom('part')
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.channelId)
    .selectAll()
    .execute()
}

const cases = Object.entries(statements).flatMap(([transition, list]) =>
  Object.entries(list).map(([name, run]) => ({ transition: transition as ChannelTransition, name, run })),
)

test.each(cases)('$transition by $name starts only from the listed states', async ({ transition, run }) => {
  await api.openWorkspace()
  await api.ctx.db.system.updateTable('workspace').where('id', '=', api.workspaceId).set({ hold_if_late_minutes: 10 }).execute()
  const { from, to } = channelTransitions[transition]
  const listed: readonly ChannelState[] = from
  const after: [ChannelState, ChannelState][] = []
  for (const state of channelStates) {
    const row = await insertChannel(state)
    await run(row)
    after.push([state, await stateOf(row)])
  }
  expect(after).toEqual(channelStates.map((state) => [state, listed.includes(state) ? to : state]))
})

test('a move that fits only some of the channels changes none', async () => {
  const { postId, ref } = await insertChannel('failed')
  const key = { workspaceId: ref.workspaceId, id: postId }
  const both = { channelIds: [ref.channelId, newId(0)], transition: 'retry' } as const
  await expect(inTransaction((tx) => moveChannels(tx, key, both))).rejects.toThrow('retry changed 1 of 2 channels')
  expect(await stateOf({ postId, ref, connectionId: '' })).toBe('failed')
})
