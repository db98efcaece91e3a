import type { PlatformInfo } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errors/describe-error.ts'
import { Notice } from '../ui/notice.tsx'

/** Why a form could not connect the account: why the platform refused it, and what to do. */
export function ConnectProblem({ error, info }: { error: unknown; info: PlatformInfo }) {
  const { t } = useTranslation('connections')
  const { t: tError } = useTranslation('errors')
  const { code, title, sentence } = describeError(error, tError)
  const isRefused = code === 'connect_refused'
  return (
    <Notice kind="problem" title={isRefused ? t('failure.refusedTitle', { platform: info.name }) : title}>
      <p>{sentence}</p>
      {isRefused && <p className="mt-1">{t('failure.checkFields')}</p>}
    </Notice>
  )
}
