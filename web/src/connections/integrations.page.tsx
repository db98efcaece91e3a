import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { ApiKeys } from '../keys/api-keys.tsx'
import { buttonLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Accounts } from './accounts.tsx'
import { IntegrationsPending } from './integrations-pending.tsx'
import { Platforms } from './platforms.tsx'

/** The accounts of the workspace, the platforms on which more can be connected, and the keys of programs. */
export function IntegrationsPage() {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { connected } = useSearch({ from: '/w/$workspaceId/integrations' })
  const connections = useQuery(workspacesConnections(workspaceId))
  const platforms = useQuery(platformsList())
  const canManage = useMay('admin')
  const error = connections.error ?? platforms.error
  const fresh = connections.data?.find(({ slug }) => slug === connected)
  const retry = () => void Promise.all([connections.refetch(), platforms.refetch()])
  return (
    <div className="flex max-w-5xl flex-col gap-10">
      <PageHeader title={t('title')} description={t('intro')} />
      {fresh && (
        <Notice
          kind="done"
          title={t('connected', { name: fresh.displayName })}
          actions={
            <Link to="/w/$workspaceId/compose" params={{ workspaceId }} className={buttonLook({ size: 'sm' })}>
              {t('write')}
            </Link>
          }
        >
          {fresh.targets && fresh.targets.length > 1 ? t('connectedChoose') : t('connectedNext')}
        </Notice>
      )}
      {error && <ErrorNotice error={error} onRetry={retry} />}
      {!error && (!connections.data || !platforms.data) && <IntegrationsPending />}
      {connections.data && platforms.data && (
        <>
          <Accounts connections={connections.data} platforms={platforms.data} canManage={canManage} />
          <Platforms connections={connections.data} platforms={platforms.data} canManage={canManage} />
        </>
      )}
      {canManage && <ApiKeys />}
    </div>
  )
}
