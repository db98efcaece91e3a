import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { noticesList } from '../api/queries.gen.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'

const shownMax = 99

type BellProps = { onOpen: () => void; className: string; isNamed?: boolean }

/** Opens the notices, and shows how many are unread. Viewers have none. */
export function Bell({ onOpen, className, isNamed = false }: BellProps) {
  const { t } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('editor')
  const { data } = useQuery({ ...noticesList(workspaceId), enabled: mayWrite })
  if (!mayWrite) return null
  const unread = data?.unread ?? 0
  const place = isNamed ? 'ml-auto' : 'absolute top-1 left-1/2 ml-0.5'
  return (
    <button type="button" onClick={onOpen} className={className}>
      <BellIcon aria-hidden />
      <span className={isNamed ? '' : 'sr-only'}>{t('notices.open')}</span>
      {unread > 0 && (
        <span
          className={`figures min-w-5 rounded-full bg-rust px-1 text-center text-2xs leading-5 font-medium text-on-rust ${place}`}
        >
          <span aria-hidden>{unread > shownMax ? `${shownMax}+` : unread}</span>
          <span className="sr-only">{`, ${t('notices.unread', { count: unread })}`}</span>
        </span>
      )}
    </button>
  )
}
