import type { ApiKey } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { Suspense, lazy, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { platformsList, workspacesApiKeys, workspacesConnections } from '../api/queries.gen.ts'
import { accountNames } from '../connections/account-label.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { localeOf } from '../i18n/language.ts'
import { formatDistance, formatTime } from '../time/format-time.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { isForDraftsOnly } from './posting-limits.ts'

const CreateKeyDialog = lazy(async () => ({ default: (await import('./create-key-dialog.tsx')).CreateKeyDialog }))

/** The keys with which programs use the API. Only for admins: the server refuses the list to others. */
export function ApiKeys() {
  const { t } = useTranslation('keys')
  const { id: workspaceId } = useWorkspace()
  const { data: keys, error, refetch } = useQuery(workspacesApiKeys(workspaceId))
  const [isCreating, setIsCreating] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfterRemoval(keys?.length ?? 0, heading)
  const create = (
    <Button icon={<Plus aria-hidden />} onClick={() => setIsCreating(true)}>
      {t('create.open')}
    </Button>
  )
  return (
    <section aria-labelledby="api-keys" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="api-keys" ref={heading} tabIndex={-1} className="font-serif text-xl outline-none">
            {t('title')}
          </h2>
          <p className="mt-1 max-w-[68ch] text-sm text-quiet">
            {t('intro')} <a href="/docs">{t('docs')}</a>
          </p>
        </div>
        {keys && keys.length > 0 && create}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !keys && <SkeletonLines label={t('loading')} />}
      {keys?.length === 0 && (
        <div className="rounded-card border border-dashed border-line">
          <EmptyState title={t('empty.title')} icon={<KeyRound aria-hidden />} actions={create}>
            {t('empty.sentence')}
          </EmptyState>
        </div>
      )}
      {keys && keys.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {keys.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      {isCreating && (
        <Suspense>
          <CreateKeyDialog onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** One key: what it is for, what it may do, who made it, and when it was last used. */
function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { t, i18n } = useTranslation('keys')
  const [nowMs] = useState(() => Date.now())
  const { label, prefix, createdBy, lastUsedAt, workspaceOnly } = apiKey
  const facts = [
    ...(createdBy ? [t('createdBy', { name: createdBy.name })] : []),
    lastUsedAt === null
      ? t('neverUsed')
      : t('lastUsed', { when: formatDistance(lastUsedAt, { nowMs, language: localeOf(i18n.language) }) }),
  ]
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:gap-4">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="font-semibold break-words">{label}</h3>
          <code className="font-mono text-sm text-quiet">{prefix}…</code>
          {isForDraftsOnly(apiKey.scopes) && <Badge>{t('draftsOnly')}</Badge>}
          {apiKey.agent && <Badge>{t('agent')}</Badge>}
          {workspaceOnly && <Badge>{t('workspaceOnly')}</Badge>}
          <Expiry apiKey={apiKey} />
        </div>
        <p className="text-sm break-words text-quiet">{apiKey.scopes === null ? t('allScopes') : apiKey.scopes.join(', ')}</p>
        <Limits apiKey={apiKey} />
        <p className="text-sm text-quiet">{facts.join(' · ')}</p>
      </div>
      <RevokeButton apiKey={apiKey} />
    </li>
  )
}

/** What holds for its posts, in words. */
function Limits({ apiKey: { limits } }: { apiKey: ApiKey }) {
  const { t, i18n } = useTranslation('keys')
  const { id: workspaceId } = useWorkspace()
  const style = useTimeStyle()
  const { data: accounts = [] } = useQuery({ ...workspacesConnections(workspaceId), enabled: Boolean(limits?.connections) })
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY, enabled: limits !== null })
  if (!limits) return null
  const names = accountNames(accounts)
  const nameOf = (slug: string) => {
    const account = accounts.find((each) => each.slug === slug)
    if (!account) return slug
    // Most people have the same name on several platforms.
    const platform = platforms.find((each) => each.platform === account.platform)?.name ?? account.platform
    return `${names.get(account.id) ?? slug} (${platform})`
  }
  const write = (time: string) => formatTime(`2000-01-01T${time}:00Z`, 'time', { ...style, zone: 'UTC' })
  const list = new Intl.ListFormat(localeOf(i18n.language))
  const { connections, postsPerDay, hours, onDuplicate } = limits
  const words = [
    ...(connections ? [t('limited.accounts', { accounts: list.format(connections.map(nameOf)) })] : []),
    ...(postsPerDay === undefined ? [] : [t('limited.posts', { count: postsPerDay })]),
    ...(hours ? [t('limited.hours', { from: write(hours.from), to: write(hours.to) })] : []),
    ...(onDuplicate ? [t(`limited.repeated.${onDuplicate}`)] : []),
  ]
  return <p className="text-sm break-words">{words.join(' · ')}</p>
}

function Expiry({ apiKey: { expiresAt } }: { apiKey: ApiKey }) {
  const { t, i18n } = useTranslation('keys')
  const { timezone: zone } = useWorkspace()
  const [nowMs] = useState(() => Date.now())
  if (expiresAt === null) return null
  const day = formatTime(expiresAt, 'day', { zone, language: localeOf(i18n.language) })
  const hasExpired = Date.parse(expiresAt) < nowMs
  return <Badge tone={hasExpired ? 'rust' : 'neutral'}>{hasExpired ? t('expired', { day }) : t('expires', { day })}</Badge>
}

function RevokeButton({ apiKey: { id, label } }: { apiKey: ApiKey }) {
  const { t } = useTranslation('keys')
  const { id: workspaceId } = useWorkspace()
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending } = useChange({
    run: () => carillon.workspaces.deleteApiKey(workspaceId, id),
    affects: () => [['workspaces.apiKeys', workspaceId]],
    done: () => ({ title: t('revoke.done', { label }) }),
    onDone: () => setIsAsking(false),
  })
  return (
    <>
      <Button size="sm" className="self-start sm:self-center" onClick={() => setIsAsking(true)}>
        {t('revoke.open')}
        <span className="sr-only"> {label}</span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('revoke.title', { label })}
        description={t('revoke.what')}
        cancelLabel={t('cancel')}
        confirmLabel={t('revoke.confirm')}
        isBusy={isPending}
        onConfirm={() => mutate()}
      />
    </>
  )
}
