import { countGraphemes } from '../../text/graphemes.ts'
import { replaceLinks } from '../../text/links.ts'

const remoteMention = /(^|[^\w/])@(\w+)@[\w.-]+\w/g

/** Counts the graphemes of the content warning and the text. Every link counts the same, a remote mention counts without its host. */
export function countStatus(text: string, spoiler: string, linkLength: number): number {
  const withLinks = text.includes('://') ? replaceLinks(text, () => 'x'.repeat(linkLength)) : text
  const counted = withLinks.includes('@') ? withLinks.replaceAll(remoteMention, '$1@$2') : withLinks
  return countGraphemes(spoiler) + countGraphemes(counted)
}
