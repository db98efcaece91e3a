import pg from 'pg'
import { world } from '../world.ts'

/** Asks the stack's database itself: for what is kept where no answer shows it, and to let rows grow old without waiting. */
export async function ask<T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
  databaseUrl = world.databaseUrl,
): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** The tables that hold a text somewhere, in whatever type it is kept: as itself, inside JSON, or as bytes. */
export async function tablesWith(text: string): Promise<string[]> {
  const tables = await ask<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const bytes = Buffer.from(text).toString('hex')
  const found: string[] = []
  for (const { name } of tables) {
    // A row as text shows bytes in hex.
    const rows = await ask(
      `select 1 from ${name} as r where position($1 in r::text) > 0 or position($2 in r::text) > 0 limit 1`,
      [text, bytes],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
