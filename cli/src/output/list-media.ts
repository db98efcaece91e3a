import type { Media } from '@carillon/sdk'
import type { Terminal } from '../terminal.ts'
import { cleanText } from './clean-text.ts'
import { printTable } from './print-table.ts'

export function listMedia(files: readonly Media[], look: Pick<Terminal, 'hasColor' | 'columns'>): string {
  if (files.length === 0) return 'No files.'
  const rows = files.map(({ id, mimeType, sizeBytes, alt, name }) => [
    id,
    mimeType,
    `${Math.ceil(sizeBytes / 1000)} kB`,
    alt === '' ? 'no' : 'yes',
    cleanText(name),
  ])
  return printTable(['ID', 'TYPE', 'SIZE', 'ALT', 'NAME'], rows, look)
}
