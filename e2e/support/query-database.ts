import pg from 'pg'
import { testStack } from '../test-stack.ts'

/** Queries the stack's database directly: to read what no API answer shows, and to change times instead of waiting. */
export async function queryDatabase<T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
  databaseUrl = testStack.databaseUrl,
): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** The tables that contain a text anywhere: as text, inside JSON, or as bytes. */
export async function findTablesContaining(text: string): Promise<string[]> {
  const tables = await queryDatabase<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const bytes = Buffer.from(text).toString('hex')
  const found: string[] = []
  for (const { name } of tables) {
    // A row that is cast to text shows its bytes in hex.
    const rows = await queryDatabase(
      `select 1 from ${name} as r where position($1 in r::text) > 0 or position($2 in r::text) > 0 limit 1`,
      [text, bytes],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
