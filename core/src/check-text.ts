import type { Manifest } from '@carillon/contract'
import { countBytes, countText } from './count-text.ts'
import { findLinks } from './find-links.ts'
import { count, formatNumber } from './format-number.ts'
import type { Violation } from './violation.ts'

type Field = { field: 'text' | 'firstComment'; text: string; extraLink: string | null }

const words = { text: 'text', firstComment: 'first comment' } as const
const codes = { text: 'text', firstComment: 'first_comment' } as const

export function checkText({ field, text, extraLink }: Field, { name, text: rules }: Manifest): Violation[] {
  const found: Violation[] = []
  const broken = (what: 'too_long' | 'too_many_bytes' | 'too_many_links', limit: string, actual: number) => {
    const message = `${name} takes at most ${limit}; this ${words[field]} has ${formatNumber(actual)}.`
    found.push({ code: `${codes[field]}_${what}`, path: field, message })
  }

  const length = countText(text, rules)
  const unit = rules.counting === 'utf8-bytes' ? 'byte' : 'character'
  if (length > rules.max) broken('too_long', count(rules.max, unit), length)

  if (rules.bytesMax !== null) {
    const bytes = countBytes(text)
    if (bytes > rules.bytesMax) broken('too_many_bytes', count(rules.bytesMax, 'byte'), bytes)
  }
  if (rules.linksMax !== null) {
    const links = new Set(findLinks(text).map((link) => link.text))
    if (extraLink) links.add(extraLink)
    if (links.size > rules.linksMax) broken('too_many_links', count(rules.linksMax, 'different link'), links.size)
  }
  return found
}
