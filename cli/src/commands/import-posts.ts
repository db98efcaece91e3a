import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Import } from '@carillon/sdk'
import { UsageError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { defineCommand } from '../line/command.ts'
import { flag, optionalChoice, optionalText, texts } from '../line/option.ts'
import { cleanText } from '../output/clean-text.ts'
import { printTable, type Cell } from '../output/print-table.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'
import type { Terminal } from '../terminal.ts'

const formats = ['csv', 'jsonl', 'postiz', 'mixpost', 'buffer'] as const
type Format = (typeof formats)[number]

export const importPosts = defineCommand({
  details:
    'Says what would become of each row of a file, and with --make makes the posts. The same row never makes a second post, so the command can be ' +
    'repeated. See docs/guides/import.md for the columns.',
  examples: [
    'carillon import posts.csv',
    'carillon import postiz.json --format postiz --account "x/The Tower=x-thetower" --make',
    'carillon import posts.csv --make --schedule --old-queue-stopped',
  ],
  words: { placeholder: 'FILE', about: 'The file, or - for standard input.', min: 1, max: 1 },
  options: {
    format: optionalChoice({ values: formats, about: 'What the file is. Without it: csv or jsonl, by its name.' }),
    make: flag({ about: 'Make the posts. Without it, nothing is stored.' }),
    schedule: flag({ about: 'Schedule rows that have a time. Without it, every row becomes a draft.' }),
    'old-queue-stopped': flag({ about: 'Say that the other tool will not publish these posts any more. --schedule needs it.' }),
    account: texts({ placeholder: 'NAME=SLUG', about: 'Which account a name in the file stands for. May be repeated.' }),
    timezone: optionalText({ placeholder: 'ZONE', about: 'The zone of times without an offset, such as Europe/Berlin.' }),
    ...sessionOptions,
  },
  async run({ format, make, schedule, account, timezone, profile, workspace, ...more }, [path = '-'], { terminal }) {
    const content = path === '-' ? await terminal.readInput() : await readText(path)
    const accounts = Object.fromEntries(account.map(({ text }) => readPair(text)))
    const { carillon } = await openSession({ profile, workspace }, terminal.env)
    const options = {
      dryRun: !make,
      placement: schedule ? ('scheduled' as const) : ('draft' as const),
      ...(more['old-queue-stopped'] && { oldQueueStopped: true }),
      ...(account.length > 0 && { accounts }),
    }
    const file = { format: format ?? guessFormat(path), content, name: path === '-' ? 'standard input' : basename(path) }
    let part = await carillon.imports.create({ ...file, ...(timezone !== null && { timezone }), ...options })
    const rows = [...part.rows]
    while (part.next !== null) {
      terminal.note(`${rows.length} rows done…`)
      part = await carillon.imports.run(part.id, { ...options, from: part.next })
      rows.push(...part.rows)
    }
    const data = { ...part, rows }
    const code = data.counts.refused > 0 ? exitCodes.refused : exitCodes.ok
    return { data, text: describe(data, terminal), code }
  },
})

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function guessFormat(path: string): Format {
  if (/\.csv$/i.test(path)) return 'csv'
  if (/\.(jsonl|ndjson)$/i.test(path)) return 'jsonl'
  throw new UsageError(`What ${path} is cannot be told from its name. Add --format ${formats.join(', ')}.`)
}

function readPair(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  if (at < 1 || at === text.length - 1)
    throw new UsageError(`--account "${text}" is no pair. Write: --account "x/The Tower=x-thetower"`)
  return [text.slice(0, at), text.slice(at + 1)]
}

const colors = { created: 'green', ready: 'green', refused: 'red' } as const

function describe({ rows, counts, accounts }: Import, terminal: Terminal): string {
  const table = rows.map(({ row, status, placement, excerpt, message }): Cell[] => [
    String(row),
    status in colors ? { text: status, color: colors[status as keyof typeof colors] } : status,
    placement ?? '',
    cleanText(message ?? excerpt),
  ])
  const sums = Object.entries(counts).flatMap(([status, count]) => (count > 0 ? [`${count} ${status}`] : []))
  const unknown = accounts.flatMap(({ account, connection }) =>
    connection === null
      ? [`\nNo account was found for ${cleanText(account)}. Say which: --account "${cleanText(account)}=SLUG"`]
      : [],
  )
  return `${printTable(['row', 'result', 'as', 'text'], table, terminal)}\n${sums.join(', ')}.${unknown.join('')}`
}
