import type { Post } from '@carillon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Files, PenLine, Repeat } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contentListPages } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { tabLook } from '../ui/tabs.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { BulkBar } from './bulk-bar.tsx'
import { queryOfFilter } from './filter/post-filter.ts'
import { PostFilters } from './filter/post-filters.tsx'
import { PostRow } from './post-row.tsx'
import type { PostsSearch } from './posts-search.ts'
import { roomBesidePanel, usePostPanel } from './use-post-panel.ts'

const PostPanel = lazy(async () => ({ default: (await import('./post-panel.tsx')).PostPanel }))

const pageSize = 50

/** All posts as a list, newest first. */
export function PostsPage() {
  const { t } = useTranslation('posts')
  const { t: tList } = useTranslation('list')
  const { id: workspaceId } = useWorkspace()
  const { post: _post, ...search } = useSearch({ from: '/w/$workspaceId/posts' })
  const { postId, open, close } = usePostPanel()
  const navigate = useNavigate()
  const show = (next: PostsSearch) => {
    const shown = { ...next, ...(postId !== undefined && { post: postId }) }
    void navigate({ to: '/w/$workspaceId/posts', params: { workspaceId }, search: shown, replace: true })
  }
  const { archived, approval } = search
  const query = {
    ...queryOfFilter(search),
    limit: pageSize,
    ...(archived && { archived: 'true' as const }),
    ...(approval && { approval }),
  }
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    contentListPages(workspaceId, query),
  )
  const posts = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const chosenPosts = posts.filter(({ uploadId }) => chosen.has(uploadId))
  const toggle = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((each) => each !== id)))
  const toggleAll = (isChosen: boolean) => setChosen(new Set(isChosen ? posts.map(({ uploadId }) => uploadId) : []))
  return (
    <div className={`flex flex-col gap-4 ${postId === undefined ? '' : roomBesidePanel.list}`}>
      <PageHeader
        title={t('title')}
        actions={
          <Link to="/w/$workspaceId/series" params={{ workspaceId }} className={buttonLook({})}>
            <Repeat aria-hidden />
            {tList('series')}
          </Link>
        }
      />
      <PostTabs search={search} />
      <PostFilters
        filter={search}
        onChange={(filter) => show({ ...filter, ...(archived && { archived }), ...(approval && { approval }) })}
        hidesStatus
      />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <ListSkeleton label={t('loading')} />}
      {data && posts.length === 0 && <NoPosts search={search} />}
      {posts.length > 0 && (
        <>
          <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 pl-3">
            <Checkbox
              label={chosenPosts.length > 0 ? tList('bulk.chosen', { count: chosenPosts.length }) : tList('bulk.all')}
              checked={chosenPosts.length === posts.length}
              isPartial={chosenPosts.length > 0 && chosenPosts.length < posts.length}
              onChange={toggleAll}
            />
            {chosenPosts.length > 0 && <BulkBar posts={chosenPosts} onDone={() => setChosen(new Set())} />}
          </div>
          <ul aria-label={t('title')} className="divide-y divide-line rounded-card border border-line bg-surface">
            {posts.map((post: Post) => (
              <PostRow
                key={post.uploadId}
                post={post}
                isChosen={chosen.has(post.uploadId)}
                onChoose={(isChosen) => toggle(post.uploadId, isChosen)}
                onOpen={() => open(post.uploadId)}
              />
            ))}
          </ul>
          {hasNextPage && (
            <Button className="self-center" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('loadMore')}
            </Button>
          )}
        </>
      )}
      <Suspense>
        {postId !== undefined && (
          <PostPanel postId={postId} ids={posts.map(({ uploadId }) => uploadId)} onOpen={open} onClose={close} />
        )}
      </Suspense>
    </div>
  )
}

function NoPosts({ search }: { search: PostsSearch }) {
  const { t } = useTranslation('list')
  const { id: workspaceId } = useWorkspace()
  const { status, archived, ...filter } = search
  const isEmptyWorkspace = Object.keys(filter).length === 0 && status === undefined && !archived
  if (!isEmptyWorkspace)
    return (
      <EmptyState
        icon={<Files aria-hidden />}
        title={t('empty.filtered')}
        actions={
          <Link to="/w/$workspaceId/posts" params={{ workspaceId }} search={{}} className={buttonLook({})}>
            {t('empty.showAll')}
          </Link>
        }
      >
        {t('empty.filteredText')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Files aria-hidden />}
      title={t('empty.title')}
      actions={
        <Link to="/w/$workspaceId/compose" params={{ workspaceId }} search={{}} className={buttonLook({ variant: 'primary' })}>
          <PenLine aria-hidden />
          {t('empty.write')}
        </Link>
      }
    >
      {t('empty.text')}
    </EmptyState>
  )
}

function ListSkeleton({ label }: { label: string }) {
  return (
    <output className="flex flex-col gap-2">
      <span className="sr-only">{label}</span>
      {Array.from({ length: 8 }, (_, at) => (
        <Skeleton key={at} className="h-16" />
      ))}
    </output>
  )
}

const tabs = [
  { name: 'all' },
  { name: 'drafts', status: 'draft' },
  { name: 'waiting', approval: 'pending' },
  { name: 'scheduled', status: 'scheduled,queued,publishing' },
  { name: 'published', status: 'completed' },
  { name: 'attention', status: 'failed,partial_failure' },
  { name: 'archived', archived: true },
] as const

/** The usual choices as links: each has an address. The other filters stay. */
function PostTabs({ search }: { search: PostsSearch }) {
  const { t } = useTranslation('list')
  const { id: workspaceId } = useWorkspace()
  const { status: _status, archived: _archived, approval: _approval, ...filter } = search
  return (
    <nav aria-label={t('tabs.label')} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => {
        const own = {
          ...('status' in tab && { status: tab.status }),
          ...('archived' in tab && { archived: tab.archived }),
          ...('approval' in tab && { approval: tab.approval }),
        }
        return (
          <Link
            key={tab.name}
            to="/w/$workspaceId/posts"
            params={{ workspaceId }}
            search={{ ...filter, ...own }}
            // The router marks the current one; without this, every tab whose search is a part of the address would be.
            activeOptions={{ exact: true, includeSearch: true }}
            className={tabLook}
          >
            {t(`tabs.${tab.name}`)}
          </Link>
        )
      })}
    </nav>
  )
}
