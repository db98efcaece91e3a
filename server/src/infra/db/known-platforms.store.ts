import { platforms } from '@carillon/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db.ts'

/** Looking stops after this many: what is not claimed stays first among the due channels, so it is found there. */
const lookedAtMax = 10_000

/** SQL: this release knows the platform in this column. A later release that ran here may have left channels of another one. */
export function isKnownPlatform(column: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${[...platforms]}::text[])`
}

/** Due channels that wait for a release that knows their platform, by platform. */
export async function findUnknownPlatforms(system: Db): Promise<{ platform: string; number: number }[]> {
  const { rows } = await sql<{ platform: string; number: number }>`
    select platform, count(*)::int as number
    from (select platform from part where wake_at < now() order by wake_at limit ${lookedAtMax}) as c
    where not ${isKnownPlatform('c.platform')}
    group by platform
    order by platform`.execute(system)
  return rows
}
