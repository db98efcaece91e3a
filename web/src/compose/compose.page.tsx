import type { Post } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { TrySimulated } from '../connections/try-simulated.tsx'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { readLastAccounts } from './accounts/last-accounts.ts'
import { Composer } from './composer.tsx'
import { newKey } from './saving/local-copy.ts'
import { startComposer } from './saving/start-composer.ts'

/** Writes a new post or a draft, or changes a scheduled post. The draft is in the address as soon as the server has it. */
export function ComposePage() {
  const { t } = useTranslation('compose')
  const { id: workspaceId, timezone } = useWorkspace()
  const { draft, at } = useSearch({ from: '/w/$workspaceId/compose' })
  const navigate = useNavigate()
  const mayWrite = useMay('editor')
  const { key, adopt } = useSessionKey(draft)
  const connections = useQuery(workspacesConnections(workspaceId))
  const platforms = useQuery({ ...platformsList(), staleTime: 3_600_000 })
  const start = useQuery({
    queryKey: ['compose.start', workspaceId, key],
    queryFn: ({ signal }) =>
      startComposer({
        workspaceId,
        zone: timezone,
        draftId: draft,
        wall: at ?? null,
        accounts: readLastAccounts(workspaceId),
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const created = (postId: string) => {
    adopt(postId)
    void navigate({ to: '/w/$workspaceId/compose', params: { workspaceId }, search: { draft: postId }, replace: true })
  }
  // What was restored may have a draft on the server that is not in the address yet.
  const restoredId = draft === undefined ? (start.data?.copy.postId ?? null) : null
  const adoptRestored = useEffectEvent(created)
  useEffect(() => {
    if (restoredId !== null) adoptRestored(restoredId)
  }, [restoredId])
  const error = connections.error ?? platforms.error ?? start.error
  // A new post becomes a draft while it is written: to the person it is still the new post.
  const isNew = draft === undefined || key !== draft
  const title = start.data?.copy.isScheduled ? t('scheduledTitle') : isNew ? t('title') : t('draftTitle')
  if (!mayWrite)
    return (
      <Page title={t('title')}>
        <Notice title={t('readOnly.title')}>{t('readOnly.sentence')}</Notice>
      </Page>
    )
  if (error) {
    const retry = () => void Promise.all([connections.refetch(), platforms.refetch(), start.refetch()])
    return (
      <Page title={title}>
        <ErrorNotice error={error} onRetry={retry} />
      </Page>
    )
  }
  if (!connections.data || !platforms.data || !start.data)
    return (
      <Page title={title}>
        <SkeletonLines label={t('loading')} count={6} />
      </Page>
    )
  if (start.data.published)
    return (
      <Page title={title}>
        <PublishedNotice post={start.data.published} />
      </Page>
    )
  if (connections.data.length === 0)
    return (
      <Page title={title}>
        <NoAccounts />
      </Page>
    )
  return (
    <Composer
      key={key}
      title={title}
      start={start.data}
      connections={connections.data}
      platforms={platforms.data}
      onCreated={created}
    />
  )
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex max-w-6xl flex-col gap-6">
      <PageHeader title={title} />
      {children}
    </div>
  )
}

function NoAccounts() {
  const { t } = useTranslation('compose')
  const { id: workspaceId } = useWorkspace()
  return (
    <EmptyState
      title={t('noAccounts.title')}
      icon={<Plug aria-hidden />}
      actions={
        <>
          <TrySimulated />
          <Link to="/w/$workspaceId/integrations" params={{ workspaceId }} className={buttonLook({})}>
            {t('noAccounts.connect')}
          </Link>
        </>
      }
    >
      {t('noAccounts.sentence')}
    </EmptyState>
  )
}

/**
 * Identifies what is being written. A new post keeps its key when it becomes a draft with an address of its own, so that nothing on the
 * page is reset; "new post" from there is another one.
 */
function useSessionKey(draft: string | undefined): { key: string; adopt: (postId: string) => void } {
  const [adopted] = useState(() => new Map<string, string>())
  const [last, setLast] = useState({ draft, fresh: newKey() })
  if (last.draft !== draft) setLast({ draft, fresh: draft === undefined ? newKey() : last.fresh })
  const key = draft === undefined ? last.fresh : (adopted.get(draft) ?? draft)
  return { key, adopt: (postId) => adopted.set(postId, last.fresh) }
}

/** The address of a post that cannot be changed any more. */
function PublishedNotice({ post: { uploadId } }: { post: Post }) {
  const { t } = useTranslation('compose')
  const { id: workspaceId } = useWorkspace()
  return (
    <Notice
      title={t('notDraft.title')}
      actions={
        <Link
          to="/w/$workspaceId/posts/$postId"
          params={{ workspaceId, postId: uploadId }}
          className={buttonLook({ size: 'sm' })}
        >
          {t('notDraft.show')}
        </Link>
      }
    >
      {t('notDraft.sentence')}
    </Notice>
  )
}
