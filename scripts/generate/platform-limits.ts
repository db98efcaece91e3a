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

export function textRows({ text, altText, title }: Manifest): Row[] {
  return [
    ['Text', `${number(text.max)} ${units[text.counting]}`],
    ...optional('Text beside photos', text.maxWithPhotos, (max) => `${number(max)} ${units[text.counting]}`),
    ...optional('Text beside files', text.maxWithFiles, (max) => `${number(max)} ${units[text.counting]}`),
    ...optional('Text, in bytes', text.bytesMax, (bytes) => `${number(bytes)} bytes in UTF-8 as well`),
    ['A link in the text', describeLink(text)],
    ...(text.shortMentions
      ? [['A mention of another server', 'counts without its server: `@user@host` as `@user`'] as const]
      : []),
    ...optional('Different links in a text', text.linksMax, number),
    ...optional('Hashtags in a text', text.hashtagsMax, number),
    ...optional('Mentions in a text', text.mentionsMax, number),
    ...optional('Cashtags in a text', text.cashtagsMax, number),
    ...(text.refused
      ? [['Characters that a text and a title may not have', text.refused.map((each) => `\`${each}\``).join(' ')] as const]
      : []),
    ...(text.countedSettings.length > 0
      ? [['Settings that count as text', text.countedSettings.map((name) => `\`${name}\``).join(', ')] as const]
      : []),
    ['Text without media', text.alone ? 'allowed' : 'not allowed: a post needs media'],
    ...optional('Title', title?.max ?? null, (max) => `${number(max)} UTF-16 units`),
    ['Alt text', describeAltText(altText)],
  ]
}

/** The card of a link, where Carillon makes it. */
export function cardRows({ linkCard }: Manifest): Row[] {
  if (!linkCard) return []
  const { titleMax, descriptionMax, picture } = linkCard
  return [
    ...optional('Link card title', titleMax, (max) => `cut to ${number(max)} UTF-16 units`),
    ...optional('Link card description', descriptionMax, (max) => `cut to ${number(max)} UTF-16 units`),
    ['Link card picture types', picture.mimeTypes.map((type) => `\`${type}\``).join(', ')],
    ...optional('Link card picture size', picture.bytesMax, formatSize),
    ...optional('Link card picture area', picture.pixelsMax, (pixels) => `${number(pixels)} pixels`),
  ]
}

export function mediaRows({ photos, video, shortVideo, document, story, gif }: Manifest): Row[] {
  return [
    ...rowsOf('Photo', 'Photos', photos),
    ...(gif ? rowsOf('GIF', 'GIFs', gif) : []),
    ...rowsOf('Video', 'Videos', video),
    ...(shortVideo ? rowsOf('Short video', 'Short videos', shortVideo) : []),
    ...rowsOf('Document', 'Documents', document),
    ...(story
      ? [...rowsOf('Story photo', 'Story photos', story.photos), ...rowsOf('Story video', 'Story videos', story.video)]
      : []),
  ]
}

function rowsOf(one: string, many: string, rules: MediaRules | null): Row[] {
  if (!rules) return [[many, 'not accepted']]
  const { max, bytesMin, bytesMax, mimeTypes, pixelsMax, pagesMax } = rules
  return [
    [`${many} in a post`, number(max)],
    [`${one} types`, mimeTypes.map((type) => `\`${type}\``).join(', ')],
    ...(bytesMin === null
      ? optional(`${one} size`, bytesMax, formatSize)
      : between(`${one} size`, bytesMin, bytesMax, formatSize)),
    ...optional(`${one} area`, pixelsMax, (pixels) => `${number(pixels)} pixels`),
    ...optional(`${one} area, all frames`, rules.framePixelsMax, (pixels) => `${number(pixels)} pixels`),
    ...between(`${one} width`, rules.widthMin, rules.widthMax, (width) => `${number(width)} px`),
    ...between(`${one} width and height`, rules.sideMin, rules.sideMax, (side) => `${number(side)} px`),
    ...optional(`${one} shorter side`, rules.shortSideMax, (side) => `at most ${number(side)} px`),
    ...between(`${one} shape (width ÷ height)`, rules.ratioMin, rules.ratioMax, number),
    ...between(`${one} length`, rules.secondsMin, rules.secondsMax, (seconds) => formatSpan(seconds * 1000)),
    ...optional(`${one} frames`, rules.framesMax, number),
    ...between(`${one} frames per second`, rules.fpsMin, rules.fpsMax, number),
    ...optional(`${one} bitrate`, rules.bitsPerSecondMax, (bits) => `${number(bits / 1_000_000)} Mbit/s`),
    ...optional(`${one} pages`, pagesMax, number),
  ]
}

function describeAltText({ kinds, max }: Manifest['altText']): string {
  if (kinds.length === 0) return 'not supported'
  const limit = max === null ? 'no limit' : `${number(max)} characters`
  return `${limit}, for ${kinds.map((kind) => `${kind}s`).join(' and ')}`
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
