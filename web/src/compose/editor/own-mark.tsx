import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCompose } from '../compose-context.ts'
import type { TextFieldName } from '../state/compose-state.ts'

/** Beside a field of an account's tab: whether it is the common one, and the way back to it. */
export function OwnMark({ field }: { field: TextFieldName | 'files' | 'thread' }) {
  const { t } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const { tab, own } = state
  if (tab === null) return null
  if (own[tab]?.[field] === undefined) return <>{t('own.same')}</>
  return (
    <button
      type="button"
      onClick={() => dispatch({ type: 'revert', field })}
      className="inline-flex min-h-6 items-center gap-1 text-bell hover:underline"
    >
      <span className="size-2 rounded-full bg-bell" aria-hidden />
      {field === 'files' ? t('own.revertFiles') : t('own.revert')}
      <Undo2 className="size-3.5" aria-hidden />
    </button>
  )
}
