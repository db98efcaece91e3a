import type { Manifest } from '@carillon/contract'
import { countBytes, countText } from './count-text.ts'
import { findLinks } from './find-links.ts'
import { formatCount, formatNumber } from './format-number.ts'
import type { Violation } from './violation.ts'

type TextField = { field: 'text' | 'firstComment'; text: string; extraLink: string | null }

const fieldNames = { text: 'text', firstComment: 'first comment' } as const
const codePrefixes = { text: 'text', firstComment: 'first_comment' } as const

/** Lists the limits of the platform that a text or a first comment exceeds. */
export function checkText({ field, text, extraLink }: TextField, { name, text: rules }: Manifest): Violation[] {
  const violations: Violation[] = []
  const addViolation = (problem: 'too_long' | 'too_many_bytes' | 'too_many_links', limit: string, actual: number) => {
    const message = `${name} takes at most ${limit}; this ${fieldNames[field]} has ${formatNumber(actual)}.`
    violations.push({ code: `${codePrefixes[field]}_${problem}`, path: field, message })
  }

  const length = countText(text, rules)
  const unit = rules.counting === 'utf8-bytes' ? 'byte' : 'character'
  if (length > rules.max) addViolation('too_long', formatCount(rules.max, unit), length)

  if (rules.bytesMax !== null) {
    const bytes = countBytes(text)
    if (bytes > rules.bytesMax) addViolation('too_many_bytes', formatCount(rules.bytesMax, 'byte'), bytes)
  }
  if (rules.linksMax !== null) {
    const links = new Set(findLinks(text).map((link) => link.text))
    if (extraLink) links.add(extraLink)
    if (links.size > rules.linksMax) addViolation('too_many_links', formatCount(rules.linksMax, 'different link'), links.size)
  }
  return violations
}
