import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { connectAttempt } from '../api/integrations.ts'
import { platformsList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ConfirmAccount } from './confirm-account.tsx'
import { ConnectFailure } from './connect-failure.tsx'

/** Where the browser comes back to from a platform: the account is confirmed here, or the page says why it was not connected. */
export function AttemptPage() {
  const { t } = useTranslation('connections')
  const { attempt: id = '' } = useSearch({ from: '/w/$workspaceId/integrations/attempt' })
  const { data: attempt, error, refetch } = useQuery(connectAttempt(id))
  const { data: platforms } = useQuery(platformsList())
  const info = platforms?.find(({ platform }) => platform === attempt?.platform)
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <PageHeader title={t(`attempt.${error ? 'failed' : (attempt?.state ?? 'loading')}`)} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !attempt && <SkeletonLines label={t('loading')} />}
      {attempt?.state === 'confirm' && <ConfirmAccount id={id} attempt={attempt} info={info} />}
      {attempt?.state === 'failed' && <ConnectFailure attempt={attempt} info={info} />}
      {attempt?.state === 'connected' && <AlreadyConnected />}
    </div>
  )
}

/** The page was opened again after the account had been confirmed. */
function AlreadyConnected() {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  return (
    <EmptyState
      title={t('attempt.already')}
      actions={
        <Link to="/w/$workspaceId/integrations" params={{ workspaceId }} className={buttonLook({ variant: 'primary' })}>
          {t('toIntegrations')}
        </Link>
      }
    />
  )
}
