import { readWarning } from '@carillon/core'
import type { FailureReason, Issue } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { useDescribeFinding } from '../compose/editor/use-describe-finding.ts'

/** Why a platform refused or delayed a channel, in the reader's language; null if nothing more is known than the code. */
export function useReason(reason: string | undefined, platform: string): string | null {
  const { t } = useTranslation('reasons')
  if (reason === undefined) return null
  // A newer server may know reasons that this page does not.
  return t(reason as FailureReason, { platform, defaultValue: '' }) || null
}

/** What a platform said in its own words, which are not translated. */
export function PlatformWords({ platform, platformMessage }: { platform: string; platformMessage?: string | undefined }) {
  const { t } = useTranslation('posts')
  if (platformMessage === undefined) return null
  return <p className="break-words text-quiet">{t('platformSaid', { platform, message: platformMessage })}</p>
}

type WarningListProps = { warnings: readonly string[]; issues: readonly Issue[]; className?: string }

/**
 * What is good to know about a post or a channel, in the reader's language. The server says it in English sentences: those of a draft's
 * checks are in `issues` too, with their codes, and the others are recognised. One that is not is shown as it is.
 */
export function WarningList({ warnings, issues, className = '' }: WarningListProps) {
  const { t } = useTranslation('warnings')
  const describe = useDescribeFinding()
  const write = (warning: string): string => {
    const known = readWarning(warning)
    if (known) return t(known.code, { ...known.params, defaultValue: warning })
    const issue = issues.find(({ message }) => message === warning)
    return issue ? describe(issue) : warning
  }
  if (warnings.length === 0) return null
  const codes = warnings.map((warning) => readWarning(warning)?.code)
  // What was announced has come true, and that is said too.
  const isSaidTwice = (n: number) => codes[n] === 'audience_unchosen' && codes.includes('only_author_sees')
  const shown = warnings.filter((_, n) => !isSaidTwice(n))
  return (
    <ul className={`list-disc pl-5 ${className}`}>
      {shown.map((warning) => (
        <li key={warning}>{write(warning)}</li>
      ))}
    </ul>
  )
}
