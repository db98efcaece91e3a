import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { lazy, memo, Suspense, useEffect, useRef, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { PlatformMarks } from '../connections/platform-marks.tsx'
import { statusLooks } from '../posts/status-badge.tsx'
import type { Tone } from '../ui/badge.tsx'
import { platformsOf, useCalendarActions } from './calendar-actions.ts'
import { EntryMenu } from './entry-menu.tsx'
import { canMove, type ShownEntry } from './shown-entry.ts'

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
export const EntryChip = memo(function EntryChip({ entry, isRoomy }: EntryChipProps) {
  const { t } = useTranslation('posts')
  const actions = useCalendarActions()
  const { workspaceId, open, nameOf, clockText } = actions
  const link = useRef<HTMLAnchorElement>(null)
  const { uploadId, status, shown, time, excerpt, clocks, labels } = entry
  const { tone, icon } = statusLooks[shown]
  const isMovable = actions.mayWrite && canMove(entry)
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
        title={clocks ? clockText(clocks) : undefined}
        onClick={onClick}
        className={`${chipLook} ${isRoomy ? 'flex-wrap gap-y-0 py-0.5' : ''} ${tones[tone]} ${isMovable ? 'cursor-grab' : ''}`}
      >
        <span className="figures shrink-0 font-medium">{time}</span>
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
  'transition-colors hover:border-edge data-dragged:opacity-40 focus-visible:outline-offset-0',
].join(' ')

const menuLook = [
  'absolute inset-y-0 right-0 flex w-6 items-center justify-center rounded-chip bg-surface text-quiet opacity-0 shadow-float hover:text-ink [&_svg]:size-4',
  'group-hover/chip:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100',
].join(' ')
