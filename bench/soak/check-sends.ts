import type { BenchStack } from '../setup/bench-stack.ts'
import { platforms } from '../setup/simulator.ts'
import { judgeSends, type SoakSends, type StoredChannel } from './judge-sends.ts'
import type { Ledger } from './create-ledger.ts'
import type { SoakWorkspace } from './set-up-workspaces.ts'
import type { Receiver } from './start-receiver.ts'

export type CheckedSends = SoakSends & {
  posts: { made: number; kept: number; stored: number; unanswered: number }
  channelStates: Record<string, number>
  /** Posts that ended, without the webhook that says so. */
  eventsMissing: number
  webhooks: ReturnType<Receiver['received']>
}

type Options = { ledger: Ledger; receiver: Receiver; workspaces: readonly SoakWorkspace[]; untilMs: number }

type Row = { workspaceId: string; postId: string; slug: string; platform: string; state: string }

/** Compares the record of the load with the platforms, the database and the webhooks that arrived. */
export async function checkSends(
  { db, simulator }: BenchStack,
  { ledger, receiver, workspaces, untilMs }: Options,
): Promise<CheckedSends> {
  const lists = []
  for (const platform of platforms) lists.push(await simulator.submits(platform, 'soak '))
  const { rows } = await db.query<Row>(
    `select c.workspace_id as "workspaceId", c.post_id as "postId", c.connection_slug as slug, c.platform, c.state
     from channel c join post p on p.workspace_id = c.workspace_id and p.id = c.post_id where p.text like 'soak %'`,
  )
  const handles = new Map(workspaces.flatMap(({ id, targets }) => targets.map(({ slug, handle }) => [`${id} ${slug}`, handle])))
  const channels = rows.map(({ workspaceId, postId, slug, platform, state }): StoredChannel => {
    return { postId, platform, state, handle: handles.get(`${workspaceId} ${slug}`) ?? '' }
  })
  const channelStates: Record<string, number> = {}
  for (const { state } of rows) channelStates[state] = (channelStates[state] ?? 0) + 1
  const stored = await db.query<{ id: string; isOver: boolean }>(
    `select id, status in ('completed', 'partial_failure', 'failed') and updated_at < to_timestamp($1) as "isOver"
     from post where text like 'soak %'`,
    [Math.min(untilMs, Date.now()) / 1000],
  )
  const missing = stored.rows.filter(({ id, isOver }) => isOver && !receiver.hasFinalEvent(id))
  return {
    ...judgeSends(ledger.entries, lists.flat(), channels, untilMs),
    posts: {
      made: ledger.entries.length,
      kept: ledger.kept(),
      stored: stored.rows.length,
      unanswered: ledger.entries.filter(({ state }) => state === 'unknown').length,
    },
    channelStates,
    eventsMissing: missing.length,
    webhooks: receiver.received(),
  }
}
