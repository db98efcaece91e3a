import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { useCompose } from '../compose-context.ts'
import { textsOf } from '../state/compose-reducer.ts'
import { fieldOf } from '../state/channel-draft.ts'

/** Writes a suggested text for some accounts, or for all (`null`). What stood there before can be brought back. */
export function useApplyText(): (slugs: readonly string[] | null, next: (before: string) => string) => void {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  return (slugs, next) => {
    const before = textsOf(state)
    const [first = null] = slugs ?? []
    dispatch({ type: 'writeFor', slugs, value: next(fieldOf(state, first, 'text')) })
    showToast({
      title: t('ai.used'),
      action: { label: t('ai.undo'), run: () => dispatch({ type: 'restoreTexts', texts: before }) },
    })
  }
}
