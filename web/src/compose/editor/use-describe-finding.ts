import { formatBytes } from '@carillon/core'
import { useTranslation } from 'react-i18next'
import type words from '../../i18n/en/compose.json'
import { useCompose } from '../compose-context.ts'
import { hasOwnFiles } from '../state/compose-state.ts'
import { findingsAt, type Finding } from '../state/findings.ts'

type KnownCode = keyof (typeof words)['findings']

/** Writes what is wrong with a field as a sentence. The server's own sentence is used for codes that this page does not know. */
export function useDescribeFinding(): (finding: Pick<Finding, 'code' | 'message' | 'params'>) => string {
  const { t } = useTranslation('compose')
  return ({ code, message, params }) => {
    const key = keyOf(code, params)
    const { limit, actual } = params
    const sizes = {
      ...(typeof limit === 'number' && { limitSize: formatBytes(limit) }),
      ...(typeof actual === 'number' && { actualSize: formatBytes(actual) }),
    }
    return t(`findings.${key as KnownCode}`, { ...params, ...sizes, defaultValue: message })
  }
}

/** Some codes have two sentences: too small and too large, ours and the platform's. */
function keyOf(code: string, { bound, platform, change, unit }: Finding['params']): string {
  if (unit === 'byte') return code.replace(/_too_long$/, '_too_many_bytes')
  if (code === 'media_converted' && typeof change === 'string') return `${code}_${change}`
  if (['media_width', 'media_ratio', 'media_duration'].includes(code)) return `${code}_${bound === 'least' ? 'least' : 'most'}`
  if (code === 'media_missing' && platform !== undefined) return 'media_needed'
  return code
}

/** The findings at a field of the open tab. In the common tab, those about an account's own files are left to its own tab. */
export function useFindingsAt(path: string): Finding[] {
  const { findings, state } = useCompose()
  const found = findingsAt(findings, path, state.tab)
  return path.startsWith('medias[') && state.tab === null ? found.filter(({ slug }) => !hasOwnFiles(state, slug)) : found
}

/** What is wrong with a field of the open tab, in one text; null if nothing is, but for the codes that another place says. */
export function useFieldError(path: string, saidElsewhere: readonly string[] = []): string | null {
  const describe = useDescribeFinding()
  const blocking = useFindingsAt(path).filter(({ isBlocking, code }) => isBlocking && !saidElsewhere.includes(code))
  return blocking.length === 0 ? null : [...new Set(blocking.map(describe))].join(' ')
}
