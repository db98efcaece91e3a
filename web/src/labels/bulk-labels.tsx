import type { Post } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { LabelPicker } from './label-picker.tsx'
import { differenceOf, useLabelPosts } from './use-labels.ts'

/** The labels of the chosen posts. They stay chosen, so that another label can follow. */
export function BulkLabels({ posts }: { posts: readonly Post[] }) {
  const { t } = useTranslation('labels')
  const { mutate, isPending } = useLabelPosts()
  const has = ({ labels = [] }: Post, id: string) => labels.includes(id)
  const used = [...new Set(posts.flatMap(({ labels = [] }) => labels))]
  const shared = used.filter((id) => posts.every((post) => has(post, id)))
  return (
    <LabelPicker
      text={t('bulk', { count: posts.length })}
      variant="secondary"
      disabled={isPending}
      chosen={shared}
      partial={new Set(used.filter((id) => !shared.includes(id)))}
      onChange={(next) => mutate({ ids: posts.map(({ uploadId }) => uploadId), ...differenceOf(shared, next) })}
    />
  )
}
