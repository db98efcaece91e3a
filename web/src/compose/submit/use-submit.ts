import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFollowSending } from '../../posts/use-follow-sending.ts'
import { formatTime } from '../../time/format-time.ts'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { panelBefore } from '../../workspaces/came-from.ts'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { storeLastAccounts } from '../accounts/last-accounts.ts'
import type { DraftSaver } from '../saving/draft-saver.ts'
import type { ComposeState } from '../state/compose-state.ts'

/** What is loaded again after publishing. */
const affected = [
  'content.list',
  'content.calendar',
  'content.timeline',
  'queues.slots',
  'workspaces.list',
  'workspaces.attention',
]

type SubmitParts = { workspaceId: string; state: ComposeState; saver: DraftSaver; isScheduled: boolean }

/** Publishes, schedules, submits for approval or saves. Afterwards, the post is shown: in the panel it came from, or on its page. */
export function useSubmit({ workspaceId, state, saver, isScheduled }: SubmitParts) {
  const { t } = useTranslation('compose')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const style = useTimeStyle()
  const followSending = useFollowSending()
  const publish = useMutation({
    networkMode: 'always',
    /** With a queue, it gives the post its time. */
    mutationFn: (queueId: string | null) => {
      saver.change(state)
      return saver.publish(queueId)
    },
    onSuccess: async (post, queueId) => {
      storeLastAccounts(workspaceId, state.accounts)
      for (const operation of affected) void queryClient.invalidateQueries({ queryKey: [operation, workspaceId] })
      queryClient.setQueryData(['content.get', workspaceId, post.uploadId], post)
      if (post.status === 'draft') showToast({ title: t('done.submitted') })
      else if (isScheduled) showToast({ title: t('done.changed') })
      else if (queueId !== null && post.scheduledAt !== null)
        showToast({ title: t('done.queued', { time: formatTime(post.scheduledAt, 'dayAndTime', style) }) })
      else if (post.status === 'scheduled') showToast({ title: t('done.scheduled') })
      else followSending(post.uploadId)
      const { uploadId: postId } = post
      const panel = panelBefore(workspaceId, postId)
      if (panel !== null) await navigate({ href: panel })
      else await navigate({ to: '/w/$workspaceId/posts/$postId', params: { workspaceId, postId } })
    },
  })
  const saveNow = useMutation({
    networkMode: 'always',
    mutationFn: () => {
      saver.change(state)
      return saver.flush()
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['content.list', workspaceId] })
      showToast({ title: t('done.saved') })
    },
  })
  const busyWith = !publish.isPending ? null : publish.variables === null ? ('publish' as const) : ('queue' as const)
  return { publish: publish.mutate, save: saveNow.mutate, busyWith, error: publish.error, reset: publish.reset }
}
