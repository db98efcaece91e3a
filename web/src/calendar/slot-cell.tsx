import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Plus, Repeat } from 'lucide-react'
import { type MouseEvent, type ReactNode, Suspense, lazy, memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PlatformMarks } from '../connections/platform-marks.tsx'
import { statusLooks } from '../posts/status-badge.tsx'
import { useIsInPanel } from '../posts/use-post-panel.ts'
import type { Tone } from '../ui/badge.tsx'
import { platformsOf, useCalendarActions } from './calendar-actions.ts'
import { EntryMenu } from './entry-menu.tsx'
import { type ShownEntry, type Slot, canMove } from './shown-entry.ts'

type SlotCellProps = {
  slot: Slot
  label: string
  entries: readonly ShownEntry[]
  chipsMax: number
  /** Up to so many posts have two lines each. */
  roomyMax: number
  /** It is over: it can be looked at, and nothing can be planned for it. */
  isPast: boolean
  /** The one cell that the Tab key reaches. */
  isActive: boolean
  className: string
  children?: ReactNode
}

/** A day or an hour. A click on its free space opens the composer for it; a plus says so to those who point at it. */
export function SlotCell(props: SlotCellProps) {
  const { slot, label, entries, chipsMax, roomyMax, isPast, isActive, className, children } = props
  const { t } = useTranslation('calendar')
  const { write, showDay, mayWrite } = useCalendarActions()
  const isFree = mayWrite && !isPast
  const fits = entries.length <= chipsMax
  const shown = fits ? entries : entries.slice(0, chipsMax - 1)
  const onClick = (event: MouseEvent) => {
    const { target, currentTarget } = event
    // React also sends the clicks of a menu that belongs to a post of this cell; in the document, the menu is elsewhere.
    if (target instanceof Element && currentTarget.contains(target) && !target.closest('a, button')) write(slot)
  }
  return (
    // The arrow keys move between cells, and Enter does the same as a click (`useGridKeys`).
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      data-slot={slot}
      data-past={isPast || undefined}
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
      className={`${cellLook} ${isFree ? 'cursor-pointer hover:bg-hover' : ''} ${className}`}
    >
      <span className="sr-only">{`${label}, ${t('posts', { count: entries.length })}`}</span>
      {children}
      {isFree && <Plus aria-hidden className={plusLook} />}
      {shown.map((entry) => (
        <EntryChip key={entry.uploadId} entry={entry} isRoomy={entries.length <= roomyMax} />
      ))}
      {!fits && (
        <button type="button" data-item tabIndex={-1} className={moreLook} onClick={() => showDay(slot.slice(0, 10))}>
          {t('more', { count: entries.length - shown.length })}
        </button>
      )}
    </div>
  )
}

const cellLook = [
  'group/cell relative flex min-w-0 flex-col gap-0.5 border-r border-b border-line p-1 transition-colors',
  'focus-visible:z-10 focus-visible:outline-offset-[-2px] data-over:bg-bell-wash data-over:outline-2 data-over:outline-offset-[-2px] data-over:outline-bell',
].join(' ')

const plusLook =
  'pointer-events-none absolute top-1.5 right-1.5 size-4.5 rounded-full text-bell opacity-0 group-hover/cell:opacity-100 group-focus/cell:opacity-100'

const moreLook = 'min-h-6 rounded-chip px-1.5 text-left text-xs font-medium text-quiet hover:text-ink hover:underline'

const LabelDots = lazy(async () => ({ default: (await import('../labels/label-dots.tsx')).LabelDots }))

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'border-transparent bg-sunken [&>svg]:text-quiet',
  draft: 'border-dashed border-edge [&>svg]:text-quiet',
  bell: 'border-transparent bg-bell-wash [&>svg]:text-bell',
  verdigris: 'border-transparent bg-verdigris-wash [&>svg]:text-verdigris',
  dusk: 'border-transparent bg-dusk-wash [&>svg]:text-dusk',
  straw: 'border-transparent bg-straw-wash [&>svg]:text-straw',
  rust: 'border-transparent bg-rust-wash [&>svg]:text-rust',
  plum: 'border-dashed border-plum bg-plum-wash [&>svg]:text-plum',
}

type EntryChipProps = {
  entry: ShownEntry
  /** The cell has space for a second line, in which more of the text can be read. */
  isRoomy: boolean
}

/** A post in a cell: time first, then what it says. It is a link, because Firefox does not drag buttons. */
const EntryChip = memo(function EntryChip({ entry, isRoomy }: EntryChipProps) {
  const { t } = useTranslation('posts')
  const actions = useCalendarActions()
  const { workspaceId, open, nameOf, clockText } = actions
  const link = useRef<HTMLAnchorElement>(null)
  const { uploadId, status, shown, time, excerpt, clocks, labels, seriesId } = entry
  const { tone, icon } = statusLooks[shown]
  const isMovable = actions.mayWrite && canMove(entry)
  const isInPanel = useIsInPanel(uploadId)
  useEffect(() => {
    // Touch screens have the menu: a long press for dragging is unreliable there.
    if (!link.current || !isMovable || matchMedia('(pointer: coarse)').matches) return
    const element = link.current
    return draggable({
      element,
      getInitialData: () => ({ entry }),
      onDragStart: () => element.setAttribute('data-dragged', ''),
      onDrop: () => element.removeAttribute('data-dragged'),
    })
  }, [entry, isMovable])
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    open(entry)
  }
  return (
    <div className="group/chip relative" data-entry={uploadId}>
      <a
        ref={link}
        href={`/w/${workspaceId}/posts/${uploadId}`}
        data-item
        tabIndex={-1}
        aria-current={isInPanel || undefined}
        title={clocks ? clockText(clocks) : undefined}
        onClick={onClick}
        className={`${chipLook} ${isRoomy ? 'flex-wrap gap-y-0 py-0.5' : ''} ${tones[tone]} ${isMovable ? 'cursor-grab' : ''}`}
      >
        <span className="figures shrink-0 font-medium">{time}</span>
        {seriesId !== undefined && <Repeat role="img" aria-label={t('recurring')} className="text-quiet" />}
        <span className={isRoomy ? 'order-last w-full truncate' : 'min-w-0 flex-1 truncate'}>{excerpt || t('untitled')}</span>
        {labels && (
          <Suspense>
            <LabelDots ids={labels} />
          </Suspense>
        )}
        {/* Plain, because the colour of a chip is that of its status. */}
        <PlatformMarks
          platforms={platformsOf(actions, entry)}
          nameOf={nameOf}
          max={isRoomy ? 4 : 1}
          className="size-3.5"
          isPlain
        />
        <span className="sr-only">
          {t(`status.${shown}`)} {clocks && clockText(clocks)}
        </span>
        {/* What is only scheduled is the normal case; it leaves the space to the text. */}
        {status !== 'scheduled' && icon}
      </a>
      <EntryMenu entry={entry} className={menuLook} />
    </div>
  )
})

const chipLook = [
  'flex min-h-6 items-center gap-1.5 rounded-chip border px-1.5 text-xs text-ink no-underline select-none [&>svg]:size-3.5 [&>svg]:shrink-0',
  'transition-colors hover:border-edge data-dragged:opacity-40 focus-visible:outline-offset-0 aria-[current]:border-solid aria-[current]:border-bell',
].join(' ')

const menuLook = [
  'absolute inset-y-0 right-0 flex w-6 items-center justify-center rounded-chip bg-surface text-quiet opacity-0 shadow-float hover:text-ink [&_svg]:size-4',
  'group-hover/chip:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100',
].join(' ')
