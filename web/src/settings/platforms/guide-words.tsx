import type { Words } from '@carillon/connectors/guide'
import { useTranslation } from 'react-i18next'
import { pickWords } from '../../i18n/language.ts'

/** A text of a guide in the language of the page. `*…*` is what a console shows, and `` `…` `` is to be taken letter by letter. */
export function GuideWords({ words }: { words: Words }) {
  const { i18n } = useTranslation('platforms')
  const text = pickWords(words, i18n.language)
  return text.split(/(\*[^*]+\*|`[^`]+`)/).map((part, index) => {
    const inner = part.slice(1, -1)
    // The parts of one text never change their order.
    if (part.startsWith('*'))
      return (
        <strong key={index} className="font-medium text-ink">
          {inner}
        </strong>
      )
    if (part.startsWith('`'))
      return (
        <code key={index} className="font-mono text-sm wrap-anywhere text-ink">
          {inner}
        </code>
      )
    return part
  })
}
