import type { Post } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { Preview } from '../compose/preview/preview.tsx'
import type { Account } from '../compose/state/findings.ts'
import { fromPost } from '../compose/state/post-change.ts'
import { wallTimeIn } from '../time/zoned-day.ts'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { PostContent } from './post-content.tsx'

/** A stored post as each of its accounts shows it: its own text, files, first comment and further posts of a thread. */
export function PostPreview({ post }: { post: Post }) {
  const { t } = useTranslation('posts')
  const { id: workspaceId, timezone } = useWorkspace()
  const { data: connections } = useQuery(workspacesConnections(workspaceId))
  const { data: platforms } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const state = useMemo(() => fromPost(post, { zone: timezone, wallTime: wallTimeIn }), [post, timezone])
  if (!connections || !platforms) return <SkeletonLines label={t('loading')} count={4} />
  const accounts = state.accounts.flatMap((slug): Account[] => {
    const connection = connections.find((each) => each.slug === slug)
    const platform = platforms.find((each) => each.platform === connection?.platform)
    return connection && platform ? [{ slug, connection, platform, capabilities: null, linkRule: null }] : []
  })
  // A draft without an account, or one whose accounts were removed since, has no platform in whose manner it could be shown.
  if (accounts.length === 0) return <PostContent post={post} />
  const isOpen = post.status === 'draft' || post.status === 'scheduled'
  return <Preview state={state} accounts={accounts} hidesCost={!isOpen} isSection />
}
