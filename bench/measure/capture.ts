import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@carillon/stack/services'
import type { Stack } from '@carillon/stack'
import type pg from 'pg'

/** A statement as the API sent it, with its values. */
export type SentStatement = { text: string; values: (string | null)[] }

const settings = { log_statement: 'all', log_line_prefix: '%a|' }
const settleMs = 300

/**
 * Reads the statements that the API sends to PostgreSQL for a request from PostgreSQL's log. A list of statements that is kept elsewhere
 * would go out of date.
 */
export async function startCapture({ info }: Stack, db: pg.Pool) {
  const file = join(info.dir, 'postgres/postgres.log')
  for (const [name, value] of Object.entries(settings)) await db.query(`alter system set ${name} = '${value}'`)
  await reload(db)
  return {
    /** The transaction of one request. It may end a moment after the answer. */
    async during(sendRequest: () => Promise<unknown>): Promise<SentStatement[]> {
      const { size } = await stat(file)
      await sendRequest()
      let sent: SentStatement[] = []
      const isWhole = async () => {
        const log = await readFile(file)
        sent = parseStatements(log.subarray(size).toString())
        return sent.at(-1)?.text === 'commit'
      }
      await waitUntil(isWhole, { what: 'the end of a transaction in the log', withinMs: 5000 })
      return sent
    },
    async stop() {
      for (const name of Object.keys(settings)) await db.query(`alter system reset ${name}`)
      await reload(db)
    },
  }
}

/** Sessions apply new settings between two statements, a moment after the reload. */
async function reload(db: pg.Pool): Promise<void> {
  await db.query('select pg_reload_conf()')
  await sleep(settleMs)
}

const entry = /^carillon_app\|(LOG|DETAIL): {2}(?:statement|execute [^:]+|Parameters): (.*(?:\n\t.*)*)/gim
const value = /\$\d+ = (?:NULL|'((?:[^']|'')*)')/g

function parseStatements(log: string): SentStatement[] {
  const sent: SentStatement[] = []
  for (const [, kind, words = ''] of log.matchAll(entry)) {
    const text = words.replaceAll('\n\t', '\n')
    if (kind === 'LOG') sent.push({ text, values: [] })
    else sent.at(-1)?.values.push(...[...text.matchAll(value)].map(([, found]) => found?.replaceAll("''", "'") ?? null))
  }
  return sent
}
