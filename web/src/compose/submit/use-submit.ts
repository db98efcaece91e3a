import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFollowSending } from '../../posts/use-follow-sending.ts'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { storeLastAccounts } from '../accounts/last-accounts.ts'
import type { DraftSaver } from '../saving/draft-saver.ts'
import type { ComposeState } from '../state/compose-state.ts'

type SubmitParts = { workspaceId: string; state: ComposeState; saver: DraftSaver; isScheduled: boolean }

/** Publishes, schedules or saves. After publishing, the page of the post is shown. */
export function useSubmit({ workspaceId, state, saver, isScheduled }: SubmitParts) {
  const { t } = useTranslation('compose')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const followSending = useFollowSending()
  const publish = useMutation({
    networkMode: 'always',
    mutationFn: () => {
      saver.change(state)
      return saver.publish()
    },
    onSuccess: async (post) => {
      storeLastAccounts(workspaceId, state.accounts)
      for (const operation of ['content.list', 'content.calendar', 'content.timeline', 'workspaces.list', 'workspaces.attention'])
        void queryClient.invalidateQueries({ queryKey: [operation, workspaceId] })
      queryClient.setQueryData(['content.get', workspaceId, post.uploadId], post)
      if (isScheduled) showToast({ title: t('done.changed') })
      else if (post.status === 'scheduled') showToast({ title: t('done.scheduled') })
      else followSending(post.uploadId)
      await navigate({ to: '/w/$workspaceId/posts/$postId', params: { workspaceId, postId: post.uploadId } })
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
  return { publish: publish.mutate, save: saveNow.mutate, isBusy: publish.isPending, error: publish.error, reset: publish.reset }
}
