import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { LabelChips } from '../../labels/label-chips.tsx'
import { LabelPicker } from '../../labels/label-picker.tsx'
import { useLabels } from '../../labels/use-labels.ts'
import { useCompose } from '../compose-context.ts'

/** The labels of the post that is being written. */
export function LabelField() {
  const { t } = useTranslation('labels')
  const { state, dispatch } = useCompose()
  const { labels, isPending } = useLabels()
  const chosen = state.labels ?? []
  const gone = isPending ? [] : chosen.filter((id) => labels.every((label) => label.id !== id))
  // Another member may remove a label while the post has it here. The server would refuse the whole draft with it.
  useEffect(() => {
    if (gone.length > 0) dispatch({ type: 'chooseLabels', labels: chosen.filter((id) => !gone.includes(id)) })
  })
  return (
    <section aria-label={t('title')} className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">{t('title')}</h2>
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        <LabelChips ids={chosen} />
        <div className={chosen.length === 0 ? '-ml-2.5' : ''}>
          <LabelPicker chosen={chosen} onChange={(next) => dispatch({ type: 'chooseLabels', labels: next })} />
        </div>
      </div>
    </section>
  )
}
