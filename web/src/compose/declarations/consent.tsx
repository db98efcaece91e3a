import { isHandedOver } from '@carillon/core'
import { useTranslation } from 'react-i18next'
import { useCompose } from '../compose-context.ts'
import { findSentence, readDeclarations } from './read-declarations.ts'

/** What a person agrees to by pressing the button that follows, as the platforms of the chosen accounts want it said. */
export function Consent() {
  const { i18n } = useTranslation('compose')
  const { state, accounts } = useCompose()
  const sentences = accounts.flatMap(({ slug, platform }) => {
    const { consent } = readDeclarations(platform.settings, i18n.language)
    const { settings = {} } = state.own[slug] ?? {}
    // A post that a person finishes in the app of the platform is agreed to there.
    return isHandedOver(settings, platform.handover) ? [] : (findSentence(consent, settings) ?? [])
  })
  return [...new Set(sentences)].map((sentence) => (
    <p key={sentence} data-consent className="w-full text-right text-xs text-quiet">
      {splitLinks(sentence).map(({ text, href }) =>
        href === undefined ? (
          text
        ) : (
          <a key={href} href={href} target="_blank" rel="noreferrer" className="text-ink underline">
            {text}
          </a>
        ),
      )}
    </p>
  ))
}

/** Splits `You agree to the [policy](https://…).` into its parts. */
export function splitLinks(sentence: string): { text: string; href?: string }[] {
  return (
    sentence
      // A link has no bracket inside, so that no text takes long to split.
      .split(/(\[[^[\]]+\]\(https:[^()[\]\s]+\))/)
      .filter((part) => part !== '')
      .map((part) => {
        const [, text, href] = /^\[([^[\]]+)\]\((https:[^()[\]\s]+)\)$/.exec(part) ?? []
        return text !== undefined && href !== undefined ? { text, href } : { text: part }
      })
  )
}
