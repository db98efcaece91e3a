import { compareText, type Match } from '../kit/compare-text.ts'
import { textOfHtml } from '../kit/html.ts'

/** A mention of two characters becomes about 150 characters of HTML. */
const markupFactorMax = 100
const markupMargin = 20_000

/** Compares a text with the HTML that the server made of it. Some servers show a link in full, others shorten it. */
export function compareStatus(sent: string, content: string): Match {
  // Never seen of an honest server, so nothing can be said about it.
  if (content.length > sent.length * markupFactorMax + markupMargin) return 'maybe'
  const { shown, withTargets } = textOfHtml(content)
  const wanted = comparable(sent)
  const asShown = compareText(wanted, comparable(shown))
  return asShown === 'same' ? asShown : compareText(wanted, comparable(withTargets))
}

/** A text without the parts that the server changes: line breaks become tags, and a remote mention loses its host. */
function comparable(text: string): string {
  return text.replaceAll(/(@[\w.-]+)@[\w-]+(?:\.[\w-]+)+/g, '$1').replaceAll(/\s+/g, ' ')
}
