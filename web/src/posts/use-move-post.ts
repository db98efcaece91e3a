import type { CalendarEntry } from '@carillon/sdk'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { useClockText } from '../schedule/use-clock-text.ts'
import { readWallTime } from '../time/wall-time.ts'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { undoMove, type Move } from './undo-move.ts'

/** Moves a scheduled post: shown at once, and taken back by "Undo" in the message or by `undoLast`. */
export function useMovePost() {
  const { t } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const { read, write } = useClockText()
  const undo = useRef<(() => void) | null>(null)

  const { mutate } = useChange({
    run: ({ post, wall, zone }: Move) =>
      carillon.content.reschedule(post.uploadId, { scheduledAt: wall, timezone: zone }, { workspaceId }),
    affects: ({ post }) => [
      ['content.calendar', workspaceId],
      ['content.list', workspaceId],
      ['content.get', workspaceId, post.uploadId],
      ['content.timeline', workspaceId, post.uploadId],
    ],
    paint: ({ post, wall, zone }) => ({
      key: ['content.calendar', workspaceId],
      update: (shown) => paintMove(shown as CalendarAnswer, post.uploadId, readWallTime(zone, wall)?.at ?? post.at),
    }),
    done: ({ post, zone, isUndo }, { scheduledAt }) => {
      const clocks = read(scheduledAt ?? post.at, zone)
      const when = clocks.here === null ? clocks.there : write(clocks)
      const title = t(isUndo ? 'move.undone' : 'move.done', { when })
      return isUndo || !undo.current ? { title } : { title, undo: { label: t('undo'), run: undo.current } }
    },
  })

  const move = useCallback(
    (input: Move) => {
      const { wall, zone, isUndo } = input
      const at = readWallTime(zone, wall)?.at
      if (!isUndo && at !== undefined && Date.parse(at) < Date.now())
        return void showToast({ kind: 'failed', title: t('move.past'), description: t('move.pastText') })
      undo.current = isUndo
        ? null
        : () => {
            undo.current = null
            mutate(undoMove(input))
          }
      mutate(input)
    },
    [mutate, t],
  )
  const undoLast = useCallback(() => undo.current?.(), [])
  return { move, undoLast }
}

type CalendarAnswer = { entries: readonly CalendarEntry[]; truncated: boolean }

function paintMove(shown: CalendarAnswer, id: string, at: string): CalendarAnswer {
  const entries = shown.entries.map((entry) => (entry.uploadId === id ? { ...entry, at } : entry))
  return { ...shown, entries: entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)) }
}
