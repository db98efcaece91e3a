import { useTranslation } from 'react-i18next'
import type words from '../i18n/en/shell.json'

/** The names of keys as they are printed on keyboards of the language. Letters and signs are the same everywhere. */
export function useKeyNames(): (keys: readonly string[]) => string[] {
  const { t } = useTranslation('shell')
  return (keys) => keys.map((key) => t(`keyNames.${key as keyof typeof words.keyNames}`, { defaultValue: key }))
}
