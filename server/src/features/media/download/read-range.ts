import type { Range } from '../../../infra/storage/storage.ts'

/** One range of bytes, as players and resumed downloads ask for; null means the whole. Several at once are answered with the whole. */
export function readRange(header: string | undefined, sizeBytes: number): Range | 'unfit' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const [, from = '', to = ''] = found
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start > end || start >= sizeBytes ? 'unfit' : { start, end }
}
