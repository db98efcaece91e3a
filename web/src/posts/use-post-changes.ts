import type { Post } from '@carillon/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { useFollowSending } from './use-follow-sending.ts'

type Resolution = { channelId: string; outcome: 'published' | 'not_published' }

/** Everything that can be done with a post on its page. Each says what was done, and takes it back where that is possible. */
export function usePostChanges(post: Post) {
  const { t } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const followSending = useFollowSending()
  const { uploadId } = post
  const options = { workspaceId }
  const affects = () => [
    ['content.get', workspaceId, uploadId],
    ['content.timeline', workspaceId, uploadId],
    ['content.calendar', workspaceId],
    ['content.list', workspaceId],
    ['workspaces.attention', workspaceId],
  ]
  const retry = useChange({
    /** Without names of channels: all that failed. */
    run: (channels: string[] | undefined) => carillon.content.retry(uploadId, channels ? { channels } : {}, options),
    affects,
    onDone: () => followSending(uploadId, 'again'),
  })
  const resolve = useChange({
    run: ({ channelId, outcome }: Resolution) => carillon.content.resolve(uploadId, channelId, { outcome }, options),
    affects,
    done: ({ outcome }) => ({ title: t(outcome === 'published' ? 'resolve.donePublished' : 'resolve.doneNotPublished') }),
  })
  const publish = useChange({
    run: () =>
      post.status === 'draft' ? carillon.content.publish(uploadId, options) : carillon.content.publishNow(uploadId, options),
    affects,
    onDone: ({ status }) =>
      status === 'scheduled' ? void showToast({ title: t('publish.scheduled') }) : followSending(uploadId),
  })
  const unschedule = useChange({
    run: () => carillon.content.unschedule(uploadId, options),
    affects,
    done: () => ({ title: t('unschedule.done') }),
  })
  const archive = useChange({
    run: (archived: boolean) =>
      archived ? carillon.content.archive(uploadId, options) : carillon.content.unarchive(uploadId, options),
    affects,
    done: (archived: boolean) => ({
      title: t(archived ? 'archive.done' : 'archive.undone'),
      undo: { label: t('undo'), run: () => archive.mutate(!archived) },
    }),
  })
  const duplicate = useChange({
    run: () => duplicatePost(post, workspaceId),
    affects: () => [['content.list', workspaceId]],
    onDone: (draft) => void navigate({ to: '/w/$workspaceId/compose', params: { workspaceId }, search: { draft } }),
    done: () => ({ title: t('duplicate.done') }),
  })
  const submit = useChange({
    run: () => carillon.content.submit(uploadId, {}, options),
    affects,
    done: () => ({ title: t('approval.submitted') }),
  })
  const approve = useChange({
    run: (revision: string) => carillon.content.approve(uploadId, { revision }, options),
    affects,
    onDone: ({ status }) =>
      status === 'scheduled' ? void showToast({ title: t('approval.scheduled') }) : followSending(uploadId),
  })
  const requestChanges = useChange({
    run: (comment: string) => carillon.content.requestChanges(uploadId, { comment }, options),
    affects,
    done: () => ({ title: t('approval.returned') }),
  })
  const withdraw = useChange({
    run: () => carillon.content.withdraw(uploadId, options),
    affects,
    done: () => ({ title: t('approval.withdrawn') }),
  })
  return { retry, resolve, publish, unschedule, archive, duplicate, submit, approve, requestChanges, withdraw }
}

export type PostChanges = ReturnType<typeof usePostChanges>

/** Stores a copy of a post as a draft without a time, and returns its id. */
async function duplicatePost(post: Post, workspaceId: string): Promise<string> {
  const { type, text, title, firstComment, thread, linkUrl, medias, channels, platformOptions, labels } = post
  const common = {
    connections: channels.map(({ connection }) => connection),
    saveDraft: true,
    platformOptions,
    ...(text !== null && { text }),
    ...(title !== null && { title }),
    ...(firstComment !== null && { firstComment }),
    ...(thread && { thread }),
    ...(linkUrl !== null && { linkUrl }),
    ...(labels && { labels }),
  }
  const files = {
    medias: medias.map(({ id, url }) => id ?? url),
    mediaOptions: medias.map(({ alt }) => (alt === '' ? {} : { alt })),
  }
  const options = { workspaceId }
  const { content } = carillon
  const created =
    type === 'text'
      ? await content.createText(common, options)
      : type === 'photo'
        ? await content.createPhotos({ ...common, ...files }, options)
        : type === 'video'
          ? await content.createVideo({ ...common, ...files }, options)
          : await content.createDocument({ ...common, ...files }, options)
  if (!('draftId' in created)) throw new Error('the copy was not stored as a draft')
  return created.draftId
}
