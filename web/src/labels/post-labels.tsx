import type { Post } from '@carillon/sdk'
import { useMay } from '../workspaces/use-workspace.ts'
import { LabelChips } from './label-chips.tsx'
import { LabelPicker } from './label-picker.tsx'
import { differenceOf, useLabelPosts, useShownLabels } from './use-labels.ts'

/** The labels on the page of a post, which can be changed at any time. */
export function PostLabels({ post: { uploadId, labels } }: { post: Post }) {
  const mayWrite = useMay('editor')
  const chosen = useShownLabels(labels).map(({ id }) => id)
  const { mutate, isPending, variables } = useLabelPosts()
  // What was chosen is shown at once.
  const shown = isPending ? [...chosen.filter((id) => !variables.remove.includes(id)), ...variables.add] : chosen
  if (!mayWrite && chosen.length === 0) return null
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-1.5 gap-y-1">
      <LabelChips ids={shown} />
      {mayWrite && <LabelPicker chosen={shown} onChange={(next) => mutate({ ids: [uploadId], ...differenceOf(shown, next) })} />}
    </div>
  )
}
