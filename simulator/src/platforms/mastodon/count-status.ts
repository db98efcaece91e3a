import { countGraphemes } from '../../text/graphemes.ts'
import { replaceLinks } from '../../text/links.ts'

const linkPlaceholder = 'x'.repeat(23)
const remoteMention = /(^|[^\w/])@(\w+)@[\w.-]+\w/g

/** Counts the graphemes of the content warning and the text. A link counts 23, a remote mention counts without its host. */
export function countStatus(text: string, spoiler: string): number {
  const withLinks = text.includes('://') ? replaceLinks(text, () => linkPlaceholder) : text
  const counted = withLinks.includes('@') ? withLinks.replaceAll(remoteMention, '$1@$2') : withLinks
  return countGraphemes(spoiler) + countGraphemes(counted)
}
