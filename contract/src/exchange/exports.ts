import { Type } from 'typebox'
import { postFilters } from '../content.ts'
import { endpoint } from '../endpoint.ts'
import { StrictObject } from '../primitives.ts'

const read = {
  method: 'GET',
  scope: 'content:read',
  role: 'viewer',
  workspace: 'header',
  query: StrictObject(postFilters),
  ok: 200,
  errors: [],
  audit: null,
} as const

/** Files of posts that an import reads. Each has the posts that a list with the same filters has, the newest first. */
export const exports = {
  csv: endpoint({
    ...read,
    id: 'exports.csv',
    path: '/exports/posts.csv',
    summary: 'The posts as CSV, which an import reads',
    produces: 'text/csv',
    returns: Type.String({
      description: 'CSV as in RFC 4180, with a header line. Text that looks like a formula has an apostrophe in front',
    }),
  }),
  lines: endpoint({
    ...read,
    id: 'exports.lines',
    path: '/exports/posts.jsonl',
    summary: 'The posts as JSON lines, which an import reads',
    produces: 'application/jsonl',
    returns: Type.String({ description: 'One JSON object a line' }),
  }),
}
