import { postTypes, type PostType } from '@carillon/contract'
import { parse as parseCsv } from 'csv-parse/sync'
import { restoreCell } from '../../../infra/text/csv-line.ts'
import { isRecord, keyOf, parse, refuseTooMany, typeOf, unreadable, type FileRow } from './file-row.ts'

/** The columns of an export, in its order. A list has `|` between its entries. */
export const listColumns = ['connections', 'medias', 'mediaUrls', 'labels'] as const
const jsonColumns = ['mediaOptions', 'thread', 'platformOptions', 'metadata'] as const
const textColumns = [
  'text',
  'title',
  'firstComment',
  'linkUrl',
  'scheduledAt',
  'timezone',
  'contentFormat',
  'externalId',
] as const
export const columns = [
  'id',
  'type',
  'status',
  'connections',
  ...textColumns,
  'medias',
  'mediaUrls',
  'mediaOptions',
  'thread',
  'platformOptions',
  'labels',
  'aiGenerated',
  'metadata',
] as const

const lists: ReadonlySet<string> = new Set(listColumns)
const objects: ReadonlySet<string> = new Set(jsonColumns)

/** A CSV with the columns of an export; each may be missing. Spreadsheets of some countries write semicolons. */
export function readCsv(content: string): FileRow[] {
  const table = parseTable(content)
  const [head = [], ...lines] = table
  const names = head.map((cell) => columns.find((name) => name.toLowerCase() === cell.trim().toLowerCase()) ?? null)
  const unknown = head.filter((_, index) => names[index] === null)
  if (unknown.length > 0)
    throw unreadable(`No import knows these columns: ${unknown.join(', ')}. It knows ${columns.join(', ')}.`)
  if (!names.includes('text') && !names.includes('medias') && !names.includes('mediaUrls'))
    throw unreadable('The first line must name the columns, with at least one of text and medias.')
  refuseTooMany(lines.length)
  return lines.map((cells) => {
    if (cells.length > names.length)
      return {
        key: keyOf('file', null, cells),
        refusal: 'The row has more cells than the first line. Put text with commas in quotes.',
      }
    const fields: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) {
      const cell = restoreCell(cells[index] ?? '')
      if (name === null || cell === '') continue
      const value = valueOf(name, cell)
      if (value === undefined) return { key: keyOf('file', null, cells), refusal: `The column ${name} is no JSON.` }
      fields[name] = value
    }
    return rowOf(fields)
  })
}

/** One post a line, with the same names. */
export function readJsonLines(content: string): FileRow[] {
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  refuseTooMany(lines.length)
  return lines.map((line) => {
    const parsed = parse(line)
    return parsed.ok && isRecord(parsed.value)
      ? rowOf(parsed.value)
      : { key: keyOf('file', null, line), refusal: 'The line is no JSON object.' }
  })
}

function parseTable(content: string): string[][] {
  const first = content.slice(0, content.search(/\r|\n|$/))
  const count = (delimiter: string) => first.split(delimiter).length
  const delimiter = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
  try {
    return parseCsv(content, { bom: true, delimiter, skip_empty_lines: true, relax_column_count: true })
  } catch (error) {
    throw unreadable(`The file is no CSV: ${error instanceof Error ? error.message : 'it cannot be read'}.`, error)
  }
}

/** Undefined for a cell that must be JSON and is not. */
function valueOf(name: string, cell: string): unknown {
  if (name === 'aiGenerated') return /^(true|1|yes)$/i.test(cell.trim())
  if (lists.has(name))
    return cell
      .split('|')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  if (!objects.has(name)) return name === 'text' ? cell : cell.trim()
  const parsed = parse(cell)
  return parsed.ok ? parsed.value : undefined
}

function rowOf(value: Record<string, unknown>): FileRow {
  const { id, type, status, connections, ...fields } = value
  const key = keyOf('file', id, value)
  const unknown = Object.keys(value).filter((name) => !columns.some((column) => column === name))
  if (unknown.length > 0) return { key, refusal: `No import knows the fields ${unknown.join(', ').slice(0, 200)}.` }
  if (connections !== undefined && !isNames(connections)) return { key, refusal: 'connections must be a list of slugs.' }
  if (type !== undefined && !isType(type)) return { key, refusal: `type must be one of ${postTypes.join(', ')}.` }
  const state = stateOf(status, fields['scheduledAt'])
  if (state === null) return { key, refusal: 'status must be draft, scheduled or published.' }
  const named = [fields['medias'], fields['mediaUrls']].find((list) => isNames(list) && list.length > 0)
  const guessed = typeOf(isNames(named) ? named.map((url) => ({ url })) : [])
  return { key, content: { type: type ?? guessed, accounts: connections ?? [], state, fields } }
}

/** The states of an export that mean that a platform has the post, or may have it. */
const published: ReadonlySet<unknown> = new Set(['published', 'queued', 'publishing', 'completed', 'partial_failure', 'failed'])

function stateOf(status: unknown, scheduledAt: unknown): 'draft' | 'scheduled' | 'published' | null {
  if (status === undefined || status === null) return scheduledAt === undefined || scheduledAt === null ? 'draft' : 'scheduled'
  if (published.has(status)) return 'published'
  return status === 'draft' || status === 'scheduled' ? status : null
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function isType(value: unknown): value is PostType {
  return postTypes.some((type) => type === value)
}
