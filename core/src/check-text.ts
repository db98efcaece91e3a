import type { PlatformRules } from '@carillon/contract'
import { countBytes, countText } from './count-text.ts'
import { findLinks } from './find-links.ts'
import { formatCount, formatNumber } from './format-number.ts'
import type { Violation } from './violation.ts'

type TextField = { field: 'text' | 'firstComment'; text: string; extraLink: string | null }

type Excess = { limit: number; actual: number; unit: string }

const fieldNames = { text: 'text', firstComment: 'first comment' } as const
const codePrefixes = { text: 'text', firstComment: 'first_comment' } as const

/** Lists the limits of the platform that a text or a first comment exceeds. */
export function checkText({ field, text, extraLink }: TextField, { name, text: rules }: PlatformRules): Violation[] {
  const violations: Violation[] = []
  const addViolation = (problem: 'too_long' | 'too_many_bytes' | 'too_many_links', { limit, actual, unit }: Excess) => {
    const message = `${name} takes at most ${formatCount(limit, unit)}; this ${fieldNames[field]} has ${formatNumber(actual)}.`
    const params = { platform: name, limit, actual, unit }
    violations.push({ code: `${codePrefixes[field]}_${problem}`, path: field, message, params })
  }

  const length = countText(text, rules)
  const unit = rules.counting === 'utf8-bytes' ? 'byte' : 'character'
  if (length > rules.max) addViolation('too_long', { limit: rules.max, actual: length, unit })

  if (rules.bytesMax !== null) {
    const bytes = countBytes(text)
    if (bytes > rules.bytesMax) addViolation('too_many_bytes', { limit: rules.bytesMax, actual: bytes, unit: 'byte' })
  }
  if (rules.linksMax !== null) {
    const links = new Set(findLinks(text).map((link) => link.text))
    if (extraLink) links.add(extraLink)
    if (links.size > rules.linksMax)
      addViolation('too_many_links', { limit: rules.linksMax, actual: links.size, unit: 'different link' })
  }
  return violations
}
