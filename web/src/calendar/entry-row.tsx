import { Repeat } from 'lucide-react'
import { memo, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { PlatformMarks } from '../connections/platform-marks.tsx'
import { LabelChips } from '../labels/label-chips.tsx'
import { FileTile } from '../media/file-tile.tsx'
import { StatusBadge } from '../posts/status-badge.tsx'
import { useIsInPanel } from '../posts/use-post-panel.ts'
import { iconButtonLook } from '../ui/icon-button-look.ts'
import { platformsOf, useCalendarActions } from './calendar-actions.ts'
import { EntryMenu } from './entry-menu.tsx'
import { canMove, type ShownEntry } from './shown-entry.ts'

/** A post in a list of a day. */
export const EntryRow = memo(function EntryRow({ entry }: { entry: ShownEntry }) {
  const { t } = useTranslation('posts')
  const actions = useCalendarActions()
  const { workspaceId, connections, nameOf, clockText, mayWrite, open, askWhere, askDelete } = actions
  const { uploadId, time, excerpt, shown, mediaId, hasPicture, type, clocks, labels, seriesId } = entry
  const isInPanel = useIsInPanel(uploadId)
  // The same name on several platforms is written once; the marks say which platforms these are.
  const accounts = new Set(entry.connections.flatMap((id) => connections.get(id)?.displayName ?? []))
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    open(entry)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (mayWrite && event.key.toLowerCase() === 'm' && canMove(entry)) askWhere(entry)
    else if (mayWrite && event.key === 'Delete') askDelete(entry)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <li
      className="@container flex items-center gap-1 pr-1 hover:bg-hover has-[a[aria-current]]:bg-bell-wash"
      data-entry={uploadId}
    >
      <a
        href={`/w/${workspaceId}/posts/${uploadId}`}
        onClick={onClick}
        onKeyDown={onKeyDown}
        aria-current={isInPanel || undefined}
        className="flex min-h-14 min-w-0 flex-1 items-center gap-3 py-2 pl-3 text-ink no-underline focus-visible:outline-offset-[-2px]"
      >
        <span className="figures w-14 shrink-0 font-medium">{time}</span>
        <span className="flex min-w-0 flex-1 flex-col gap-1 @xl:flex-row @xl:items-center @xl:gap-3">
          <span className="flex min-w-0 flex-col @xl:flex-1">
            <span className="line-clamp-2 @xl:block @xl:truncate">
              {seriesId !== undefined && <Repeat role="img" aria-label={t('recurring')} className={repeatLook} />}
              {excerpt || t('untitled')}
            </span>
            {clocks && <span className="figures text-sm text-quiet">{clockText(clocks)}</span>}
            {labels && <LabelChips ids={labels} max={3} />}
          </span>
          <span className="flex min-w-0 items-center gap-2 @xl:w-72 @xl:shrink-0 @3xl:w-96">
            <StatusBadge status={shown} />
            <PlatformMarks platforms={platformsOf(actions, entry)} nameOf={nameOf} max={4} />
            <span className="min-w-0 truncate text-sm text-quiet">{[...accounts].join(', ')}</span>
          </span>
        </span>
        {mediaId === null ? (
          <span className="hidden size-10 shrink-0 @xl:block" />
        ) : (
          <EntryPicture src={hasPicture ? `/api/workspaces/${workspaceId}/media/${mediaId}/thumbnail` : null} type={type} />
        )}
      </a>
      <EntryMenu entry={entry} className={iconButtonLook} isTabStop />
    </li>
  )
})

const repeatLook = 'mr-1 inline size-3.5 shrink-0 align-[-0.125em] text-quiet'

/** What has no picture keeps its place, so that the columns of the list stay where they are. */
function EntryPicture({ src, type }: { src: string | null; type: ShownEntry['type'] }) {
  const [isBroken, setIsBroken] = useState(false)
  const look = 'size-10 shrink-0 rounded-chip'
  if (src === null || isBroken)
    return <FileTile type={type === 'document' || type === 'video' ? type : 'image'} className={look} />
  return <img src={src} alt="" loading="lazy" className={`${look} bg-sunken object-cover`} onError={() => setIsBroken(true)} />
}
