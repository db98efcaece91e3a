import type { CalendarEntry } from '@carillon/contract'

export type FeedEntry = Pick<CalendarEntry, 'uploadId' | 'at' | 'status' | 'updatedAt'> & { summary: string; url: string }

/** How long an entry is in a calendar. A post has no length, and programs show nothing without one. */
const entryMs = 15 * 60_000
const lineBytesMax = 75

/** A calendar as in RFC 5545. Times are UTC, which each program shows in the zone of its reader. */
export function writeCalendar(name: string, entries: readonly FeedEntry[]): string {
  const events = entries.flatMap(({ uploadId, at, status, updatedAt, summary, url }) => [
    'BEGIN:VEVENT',
    `UID:${uploadId}@carillon`,
    `DTSTAMP:${stamp(updatedAt)}`,
    `DTSTART:${stamp(at)}`,
    `DTEND:${stamp(new Date(Date.parse(at) + entryMs).toISOString())}`,
    `SUMMARY:${escapeText(summary)}`,
    `URL:${url}`,
    `STATUS:${status === 'scheduled' ? 'TENTATIVE' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Carillon//Calendar//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

/** `20261201T090000Z` */
function stamp(instant: string): string {
  return `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** A text cannot begin a line of its own, so it cannot add an entry. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|\r|\n|\u2028|\u2029/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')
}

/** Long lines go on in the next one after a space, and no character is cut in two. */
function fold(line: string): string {
  const folded: string[] = []
  let part = ''
  let bytes = 0
  for (const sign of line) {
    const length = Buffer.byteLength(sign)
    // The space at the start of a further line counts.
    if (bytes + length > (folded.length === 0 ? lineBytesMax : lineBytesMax - 1)) {
      folded.push(part)
      part = ''
      bytes = 0
    }
    part += sign
    bytes += length
  }
  return [...folded, part].join('\r\n ')
}
