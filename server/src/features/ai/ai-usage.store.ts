import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

type Month = { workspaceId: string; month: string }

export async function findUsedTokens(tx: Tx, { workspaceId, month }: Month): Promise<number> {
  const row = await tx
    .selectFrom('ai_usage_month')
    .select('tokens')
    .where('workspace_id', '=', workspaceId)
    .where('month', '=', month)
    .executeTakeFirst()
  return Number(row?.tokens ?? 0)
}

export async function addUsedTokens(tx: Tx, { workspaceId, month, tokens }: Month & { tokens: number }): Promise<void> {
  await sql`
    insert into ai_usage_month (workspace_id, month, tokens)
    values (${workspaceId}, ${month}, ${tokens})
    on conflict (workspace_id, month) do update set
      tokens = ai_usage_month.tokens + excluded.tokens`.execute(tx)
}
