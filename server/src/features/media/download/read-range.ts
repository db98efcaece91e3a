import type { Range } from '../../../infra/storage/storage.ts'

/** Parses a Range header with one range. Null means the whole file, which is also the answer to a header with several ranges. */
export function readRange(header: string | undefined, sizeBytes: number): Range | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const [, from = '', to = ''] = found
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start > end || start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
