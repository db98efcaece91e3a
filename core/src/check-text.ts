import type { PlatformRules } from '@carillon/contract'
import { countBytes, countText } from './count-text.ts'
import { findLinks } from './links/find-links.ts'
import { formatCount, formatNumber } from './format-number.ts'
import type { TextProblem, Violation } from './violation.ts'

type TextField = {
  field: 'text' | 'firstComment' | 'thread'
  /** Where the text stands, if that is not `field`. */
  path?: string
  text: string
  extraLink: string | null
  /** The post has photos, for which some platforms allow more text. */
  hasPhotos: boolean
  /** The post has files of any kind, for which some platforms allow less. */
  hasFiles: boolean
  /** Other texts that count towards the length, such as a content warning. */
  counted: readonly string[]
}

const fieldNames = { text: 'text', firstComment: 'first comment', thread: 'post of the thread' } as const
const codePrefixes = { text: 'text', firstComment: 'first_comment', thread: 'thread' } as const

// Each expression repeats one character class only, so it takes linear time. They find more than a platform may count, never less.
const hashtag = /[#＃][\p{L}\p{N}_]+/gu
const mention = /(?<![\w.])[@＠][\w.]+/g
const cashtag = /(?<!\S)\$[a-z]{1,6}(?![a-z0-9])/gi

/** Lists the limits of the platform that a text, a first comment or a further post of a thread exceeds. */
export function checkText({ field, path = field, text, extraLink, ...having }: TextField, manifest: PlatformRules): Violation[] {
  const { name, text: rules } = manifest
  const violations: Violation[] = []
  const check = (problem: TextProblem, { actual, max, noun }: { actual: number; max: number | null; noun: string }) => {
    if (max === null || actual <= max) return
    const message = `${name} takes at most ${formatCount(max, noun)}; this ${fieldNames[field]} has ${formatNumber(actual)}.`
    const params = { platform: name, limit: max, actual, unit: noun }
    violations.push({ code: `${codePrefixes[field]}_${problem}`, path, message, params })
  }

  const { actual, max } = measureField({ field, text, ...having }, manifest)
  check('too_long', { actual, max, noun: rules.counting === 'utf8-bytes' ? 'byte' : 'character' })
  if (rules.bytesMax !== null) check('too_many_bytes', { actual: countBytes(text), max: rules.bytesMax, noun: 'byte' })
  if (rules.linksMax !== null) {
    const links = new Set(findLinks(text).map((link) => link.text))
    if (extraLink) links.add(extraLink)
    check('too_many_links', { actual: links.size, max: rules.linksMax, noun: 'different link' })
  }
  check('too_many_hashtags', { actual: countMatches(text, hashtag), max: rules.hashtagsMax, noun: 'hashtag' })
  check('too_many_mentions', { actual: countMatches(text, mention), max: rules.mentionsMax, noun: 'mention' })
  check('too_many_cashtags', { actual: countMatches(text, cashtag), max: rules.cashtagsMax, noun: 'cashtag' })
  return field === 'text' ? [...violations, ...checkCharacters(field, text, manifest)] : violations
}

/** Some platforms refuse a whole post for one character, such as `<`. */
export function checkCharacters(field: 'text' | 'title', text: string, { name, text: rules }: PlatformRules): Violation[] {
  const found = (rules.refused ?? []).filter((character) => text.includes(character))
  if (found.length === 0) return []
  const characters = found.join(' ')
  const message = `${name} refuses a ${field} with these characters: ${characters}`
  return [{ code: `${field}_characters`, path: field, message, params: { platform: name, characters } }]
}

/** How long a text is as the platform counts it, and how long it may be. */
export function measureField(
  { field, text, hasPhotos, hasFiles, counted }: Omit<TextField, 'extraLink'>,
  { text: rules }: PlatformRules,
): { actual: number; max: number } {
  const actual = [text, ...counted].reduce((sum, part) => sum + countText(part, rules), 0)
  if (field !== 'text') return { actual, max: rules.max }
  return { actual, max: (hasPhotos ? rules.maxWithPhotos : null) ?? (hasFiles ? rules.maxWithFiles : null) ?? rules.max }
}

function countMatches(text: string, pattern: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) count++
  return count
}
