import type { Post } from '@carillon/sdk'
import { QueryObserver, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { contentGet } from '../api/queries.gen.ts'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { readOutcome } from './read-outcome.ts'

/** A video may take minutes. After this long, the page of the post is the place to look. */
const followedMs = 60_000

/** Says that a post is on its way, and replaces that by what became of it, wherever the person is then. */
export function useFollowSending(): (postId: Post['uploadId'], kind?: 'started' | 'again') => void {
  const { t } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useCallback(
    (postId, kind = 'started') => {
      const startedAtMs = Date.now()
      const update = showToast({ title: t(`sending.${kind}`), waitsMs: followedMs })
      // Observing the post makes the live updates load it again, also on pages that do not show it.
      const observer = new QueryObserver(queryClient, contentGet(workspaceId, postId))
      const stop = observer.subscribe(({ data, dataUpdatedAt }) => {
        // What is known from before was about the attempt before.
        const outcome = data && dataUpdatedAt >= startedAtMs ? readOutcome(data) : null
        if (outcome === null) return
        end()
        const { result, count, total } = outcome
        const show = () => void navigate({ to: '/w/$workspaceId/posts/$postId', params: { workspaceId, postId } })
        if (result === 'published') update({ title: t('sending.published') })
        else
          update({
            kind: 'failed',
            title: t(`sending.${result}`, { count, total }),
            action: { label: t('sending.show'), run: show },
          })
      })
      const timer = setTimeout(stop, followedMs)
      const end = () => {
        stop()
        clearTimeout(timer)
      }
    },
    [t, workspaceId, queryClient, navigate],
  )
}
