import type { Connection, PlatformInfo } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { developerAppsList, platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { ApiKeys } from '../keys/api-keys.tsx'
import { buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { ConnectionCard } from './connection-card.tsx'
import { platformNameOf } from './platform-name.ts'
import { PlatformRow } from './platform-row.tsx'
import { TrySimulated } from './try-simulated.tsx'

const OwnApps = lazy(async () => ({ default: (await import('./own-apps.tsx')).OwnApps }))
const ConnectLinks = lazy(async () => ({ default: (await import('./connect-links.tsx')).ConnectLinks }))

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
          {canManage && (
            <Suspense>
              <ConnectLinks connections={connections.data} platforms={platforms.data} />
              <OwnApps nameOf={(platform) => platformNameOf(platforms.data, platform)} />
            </Suspense>
          )}
        </>
      )}
      {canManage && <ApiKeys />}
    </div>
  )
}

/** The outline of the accounts while they are loaded. */
function IntegrationsPending() {
  const { t } = useTranslation('connections')
  return (
    <output className="flex flex-col gap-4">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton className="h-6 w-40" />
      <span className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {['first', 'second', 'third'].map((card) => (
          <Skeleton key={card} className="h-44 rounded-card" />
        ))}
      </span>
    </output>
  )
}

type PlatformsProps = { connections: readonly Connection[]; platforms: readonly PlatformInfo[]; canManage: boolean }

/** Every platform. Those for which this install is set up come first. */
function Platforms({ connections, platforms, canManage }: PlatformsProps) {
  const { t } = useTranslation('connections')
  const { id } = useWorkspace()
  const { data: apps = [] } = useQuery({ ...developerAppsList(id), enabled: canManage })
  const canConnect = ({ platform, connect }: PlatformInfo) =>
    connect.available || apps.some((app) => app.platform === platform && app.clientId !== null)
  const sorted = platforms.toSorted((a, b) => Number(canConnect(b)) - Number(canConnect(a)))
  return (
    <section aria-labelledby="platforms" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="platforms" className="font-serif text-xl">
            {t('platformsTitle')}
          </h2>
          <p className="mt-1 max-w-[68ch] text-sm text-quiet">{canManage ? t('platformsIntro') : t('platformsAsk')}</p>
        </div>
        {canManage && (
          <Link to="/w/$workspaceId/integrations/setup" params={{ workspaceId: id }} className="text-sm text-bell">
            {t('setup.link')}
          </Link>
        )}
      </div>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {sorted.map((info) => (
          <PlatformRow
            key={info.platform}
            info={info}
            count={connections.filter(({ platform }) => platform === info.platform).length}
            isAvailable={canConnect(info)}
            canManage={canManage}
          />
        ))}
      </ul>
    </section>
  )
}

type AccountsProps = { connections: readonly Connection[]; platforms: readonly PlatformInfo[]; canManage: boolean }

/** Those that need a person come first. */
const order: readonly Connection['status'][] = ['needs_reconnect', 'expiring', 'active', 'disconnected']

function Accounts({ connections, platforms, canManage }: AccountsProps) {
  const { t } = useTranslation('connections')
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfterRemoval(connections.length, heading)
  if (connections.length === 0)
    return (
      <section className="rounded-card border border-dashed border-line">
        <EmptyState title={t('empty.title')} icon={<Plug aria-hidden />} actions={canManage ? <TrySimulated /> : undefined}>
          {canManage ? t('empty.sentence') : t('empty.ask')}
        </EmptyState>
      </section>
    )
  const sorted = connections.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <section aria-labelledby="accounts" className="flex flex-col gap-4">
      <h2 id="accounts" ref={heading} tabIndex={-1} className="font-serif text-xl outline-none">
        {t('accountsTitle')}
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {sorted.map((connection) => (
          <ConnectionCard
            key={connection.id}
            connection={connection}
            info={platforms.find(({ platform }) => platform === connection.platform)}
            canManage={canManage}
          />
        ))}
      </ul>
    </section>
  )
}
