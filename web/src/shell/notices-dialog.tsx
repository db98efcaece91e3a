import type { Notice } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, Check, CircleAlert, CircleCheck, CircleHelp, Clock, PenLine, Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { noticesList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { formatTime } from '../time/format-time.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** What needs the person in this workspace, one notice for each cause, the newest first. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('notices')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery(noticesList(workspaceId))
  const affects = () => [['notices.list', workspaceId]]
  const { mutate: markRead, isPending } = useChange({
    run: (ids: string[] | null) => carillon.notices.markRead(ids ? { ids } : {}, { workspaceId }),
    affects,
  })
  return (
    <Dialog open size="md" onOpenChange={(isOpen) => !isOpen && onClose()} title={t('title')} closeLabel={shell('close')}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines label={t('loading')} />}
      {data?.notices.length === 0 && (
        <EmptyState icon={<Bell aria-hidden />} title={t('empty')}>
          {t('emptyHint')}
        </EmptyState>
      )}
      {data && data.notices.length > 0 && (
        <ul aria-label={t('title')} className="rounded-card border border-line">
          {data.notices.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} onRead={() => markRead([notice.id])} onClose={onClose} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/w/$workspaceId/settings/$section"
          params={{ workspaceId, section: 'notices' }}
          search={{}}
          onClick={onClose}
          className={buttonLook({ variant: 'quiet' })}
        >
          {t('settings')}
        </Link>
        {data && data.unread > 0 && (
          <Button isBusy={isPending} icon={<Check aria-hidden />} onClick={() => markRead(null)}>
            {t('markAll')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const icons: Readonly<Record<Notice['kind'], ReactNode>> = {
  posts_failed: <CircleAlert aria-hidden className="text-rust" />,
  posts_unconfirmed: <CircleHelp aria-hidden className="text-plum" />,
  posts_late: <Clock aria-hidden className="text-straw" />,
  needs_reconnect: <Plug aria-hidden className="text-rust" />,
  expiring: <Plug aria-hidden className="text-straw" />,
  approval_asked: <PenLine aria-hidden className="text-dusk" />,
  approved: <CircleCheck aria-hidden className="text-verdigris" />,
  changes_requested: <PenLine aria-hidden className="text-straw" />,
}

type RowProps = { notice: Notice; onRead: () => void; onClose: () => void }

function NoticeRow({ notice, onRead, onClose }: RowProps) {
  const { t } = useTranslation('notices')
  const style = useTimeStyle()
  const { kind, count, connection, person, waiting, isRead, resolvedAt, lastAt } = notice
  const title = t(`kinds.${kind}`, {
    count,
    account: connection?.slug ?? t('someAccount'),
    person: person?.name ?? t('somebody'),
  })
  const isNew = !isRead && resolvedAt === null
  const open = () => {
    if (isNew) onRead()
    onClose()
  }
  return (
    <li className="flex items-start gap-3 border-b border-line p-3 last:border-b-0 [&_svg]:shrink-0">
      <span className={`mt-0.5 [&_svg]:size-[18px] ${isNew ? '' : 'opacity-60'}`}>{icons[kind]}</span>
      <div className="min-w-0 flex-1">
        <NoticeLink notice={notice} onOpen={open} className={isNew ? 'font-medium text-ink' : 'text-ink'}>
          {title}
        </NoticeLink>
        <p className="text-sm break-words text-quiet">
          <Todo notice={notice} />
          {waiting > 0 && ` ${t('waiting', { count: waiting })}`}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-quiet">
          <time dateTime={lastAt} className="figures">
            {formatTime(lastAt, 'dayAndTime', style)}
          </time>
          {isNew && <Badge tone="dusk">{t('unread')}</Badge>}
          {resolvedAt !== null && <Badge tone="verdigris">{t('mended')}</Badge>}
        </p>
      </div>
      {isNew && <IconButton label={t('markRead', { title })} icon={<Check aria-hidden />} onClick={onRead} />}
    </li>
  )
}

function Todo({ notice: { kind, code, expiresAt } }: { notice: Notice }) {
  const { t } = useTranslation('notices')
  const style = useTimeStyle()
  if (kind === 'posts_failed') return t(isOfAccount(code) ? 'todo.reconnect' : 'todo.posts_failed')
  if (kind === 'expiring')
    return expiresAt === null ? t('todo.expiringSoon') : t('todo.expiring', { day: formatTime(expiresAt, 'day', style) })
  return t(`todo.${kind}`)
}

/** Posts fail until the account is connected again. */
function isOfAccount(code: string | null): boolean {
  return code === 'reconnect_needed' || code === 'connection_removed'
}

type LinkProps = { notice: Notice; onOpen: () => void; className: string; children: string }

/** To the page where it is mended. */
function NoticeLink({ notice: { kind, code, postId }, ...props }: LinkProps) {
  const { id: workspaceId } = useWorkspace()
  const { onOpen, className, children } = props
  const look = `block break-words no-underline hover:underline ${className}`
  const shared = { onClick: onOpen, className: look, params: { workspaceId } }
  if (kind === 'needs_reconnect' || kind === 'expiring' || (kind === 'posts_failed' && isOfAccount(code)))
    return (
      <Link to="/w/$workspaceId/integrations" {...shared}>
        {children}
      </Link>
    )
  if (postId !== null)
    return (
      <Link to="/w/$workspaceId/posts/$postId" {...shared} params={{ workspaceId, postId }}>
        {children}
      </Link>
    )
  return (
    <Link to="/w/$workspaceId/posts" {...shared} search={searches[kind] ?? {}}>
      {children}
    </Link>
  )
}

const searches: Partial<Record<Notice['kind'], { status?: string; approval?: 'pending' }>> = {
  posts_failed: { status: 'failed,partial_failure' },
  posts_unconfirmed: { status: 'failed,partial_failure' },
  posts_late: { status: 'scheduled,queued,publishing' },
  approval_asked: { approval: 'pending' },
  changes_requested: { status: 'draft' },
}
