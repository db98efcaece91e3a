import type pg from 'pg'
import { type SecretKeys, resealFor } from '../../infra/sealing/seal.ts'
import { sealedAnswers, sealedColumns, type SealedColumn } from '../../infra/sealing/sealed-columns.ts'
import { markMac, type MarkKind } from '../../features/audit/chain-hash.ts'

type Keys = { from: SecretKeys; to: SecretKeys }

const batchSize = 500
/** Columns of these tables belong to no workspace. Those that accounts need are copied by copyInstanceApps and copyPlatformApps. */
const otherTables = new Set(['instance_app', 'platform_app', 'account_webhook'])

/** Seals the secrets of a workspace that has just been inserted with the keys of this cell. Returns how many no key of the source opens. */
export async function resealMoved(client: pg.Client, workspaceId: string, keys: Keys): Promise<number> {
  let unreadable = 0
  for (const column of [...sealedColumns, sealedAnswers])
    if (!otherTables.has(column.table)) unreadable += await resealColumn(client, column, { workspaceId, keys })
  for (const kind of ['head', 'start'] as const) await resignMark(client, kind, { chain: workspaceId, keys })
  return unreadable
}

type Value = { key: string[]; placeWorkspaceId: string; rowId: string; sealed: Buffer }

async function resealColumn(
  client: pg.Client,
  { table, column, key, workspaceId: place, rowId, name }: SealedColumn,
  { workspaceId, keys }: { workspaceId: string; keys: Keys },
): Promise<number> {
  const { rows } = await client.query<Value>(
    `select array[${key.join(', ')}]::text[] as key, ${place} as "placeWorkspaceId", ${rowId} as "rowId", ${column} as sealed
     from ${table}
     where workspace_id = $1 and length(${column}) > 0`,
    [workspaceId],
  )
  const changed = rows.flatMap(({ key: rowKey, placeWorkspaceId, rowId: row, sealed }) => {
    const value = tryReseal(keys, { workspaceId: placeWorkspaceId, rowId: row, column: name }, sealed)
    return value ? [{ rowKey, value }] : []
  })
  for (let at = 0; at < changed.length; at += batchSize) {
    const batch = changed.slice(at, at + batchSize)
    const keyColumns = key.map((_each, index) => batch.map(({ rowKey }) => rowKey[index]))
    await client.query(
      `update ${table} t
       set ${column} = v.value
       from unnest($1::bytea[], ${key.map((_each, index) => `$${index + 2}::text[]`).join(', ')}) as v (value, ${key.map((each) => `${each}_key`).join(', ')})
       where ${key.map((each) => `t.${each}::text = v.${each}_key`).join(' and ')}`,
      [batch.map(({ value }) => value), ...keyColumns],
    )
  }
  return rows.length - changed.length
}

function tryReseal(...args: Parameters<typeof resealFor>): Buffer | null {
  try {
    return resealFor(...args)
  } catch {
    return null
  }
}

/** A mark that does not fit the keys of the source was changed by hand. It is not authenticated again, so `carillon audit verify` finds it. */
async function resignMark(
  client: pg.Client,
  kind: MarkKind,
  { chain, keys: { from, to } }: { chain: string; keys: Keys },
): Promise<void> {
  const table = `audit_${kind}`
  const { rows } = await client.query<{ position: number; hash: Buffer; keyId: string; mac: Buffer }>(
    `select position::int, hash, key_id as "keyId", mac from ${table} where chain = $1`,
    [chain],
  )
  const [mark] = rows
  if (!mark) return
  const { position, hash, keyId, mac } = mark
  if (!markMac(from, keyId, kind, { chain, position, hash })?.equals(mac)) return
  await client.query(`update ${table} set key_id = $2, mac = $3 where chain = $1`, [
    chain,
    to.sealing,
    markMac(to, to.sealing, kind, { chain, position, hash }),
  ])
}
