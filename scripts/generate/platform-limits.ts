import type { Counting, Manifest, MediaRules, TextRules } from '../../contract/src/manifest.ts'
import { formatBytes } from '../../core/src/format-number.ts'

type Row = readonly [what: string, limit: string]

const units: Readonly<Record<Counting, string>> = {
  graphemes: 'characters as a reader sees them (an emoji is one)',
  'twitter-weighted': 'weighted characters (Latin letters count 1; most other scripts and emoji count 2)',
  'threads-emoji-bytes': 'characters (an emoji counts as its UTF-8 bytes)',
  codepoints: 'Unicode characters',
  utf16: 'UTF-16 units (most emoji count 2)',
  'utf8-bytes': 'bytes in UTF-8',
}

export function textRows({ text, altTextMax }: Manifest): Row[] {
  return [
    ['Text', `${number(text.max)} ${units[text.counting]}`],
    ...optional('Text, in bytes', text.bytesMax, (bytes) => `${number(bytes)} bytes in UTF-8 as well`),
    ['A link in the text', describeLink(text)],
    ...(text.shortMentions
      ? [['A mention of another server', 'counts without its server: `@user@host` as `@user`'] as const]
      : []),
    ...optional('Different links in a text', text.linksMax, number),
    ['Text without media', text.alone ? 'allowed' : 'not allowed: a post needs media'],
    ...optional('Alt text', altTextMax, (max) => `${number(max)} characters`),
  ]
}

export function mediaRows({ photos, video, document, story }: Manifest): Row[] {
  return [
    ...rowsOf('Photo', 'Photos', photos),
    ...rowsOf('Video', 'Videos', video),
    ...rowsOf('Document', 'Documents', document),
    ...(story
      ? [...rowsOf('Story photo', 'Story photos', story.photos), ...rowsOf('Story video', 'Story videos', story.video)]
      : []),
  ]
}

function rowsOf(one: string, many: string, rules: MediaRules | null): Row[] {
  if (!rules) return [[many, 'not accepted']]
  const { max, bytesMax, mimeTypes, pixelsMax, pagesMax } = rules
  return [
    [`${many} in a post`, number(max)],
    [`${one} types`, mimeTypes.map((type) => `\`${type}\``).join(', ')],
    ...optional(`${one} size`, bytesMax, formatSize),
    ...optional(`${one} area`, pixelsMax, (pixels) => `${number(pixels)} pixels`),
    ...between(`${one} width`, rules.widthMin, rules.widthMax, (width) => `${number(width)} px`),
    ...between(`${one} shape (width ÷ height)`, rules.ratioMin, rules.ratioMax, number),
    ...between(`${one} length`, rules.secondsMin, rules.secondsMax, (seconds) => formatSpan(seconds * 1000)),
    ...optional(`${one} pages`, pagesMax, number),
  ]
}

function describeLink({ linkCost }: TextRules): string {
  return linkCost === null ? 'counts with all its characters' : `counts ${linkCost}, whatever its length`
}

function optional(what: string, value: number | null, format: (value: number) => string): Row[] {
  return value === null ? [] : [[what, format(value)]]
}

function between(what: string, min: number | null, max: number | null, format: (value: number) => string): Row[] {
  if (min === null && max === null) return []
  if (min === null) return [[what, `at most ${format(max ?? 0)}`]]
  if (max === null) return [[what, `at least ${format(min)}`]]
  return [[what, `${format(min)} to ${format(max)}`]]
}

/** In decimal units, with the exact number of bytes if that rounds it. */
function formatSize(bytes: number): string {
  const short = formatBytes(bytes)
  return bytes % 100_000 === 0 ? short : `${short} (${number(bytes)} bytes)`
}

/** `15 minutes`, `1 hour`, `0.5 seconds`. */
export function formatSpan(ms: number): string {
  const steps = [
    { ms: 86_400_000, word: 'day' },
    { ms: 3_600_000, word: 'hour' },
    { ms: 60_000, word: 'minute' },
  ]
  const step = steps.find((each) => ms >= each.ms && ms % each.ms === 0) ?? { ms: 1000, word: 'second' }
  const count = ms / step.ms
  return `${number(count)} ${step.word}${count === 1 ? '' : 's'}`
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}
