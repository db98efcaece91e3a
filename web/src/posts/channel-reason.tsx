import type { FailureReason } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'

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
