import { useEffect, useRef } from 'react'
import type { View } from './calendar-search.ts'

type CalendarKeys = {
  onToday: () => void
  onView: (view: View) => void
  onWrite: () => void
  /** Takes the last move back. */
  onUndo: () => void
}

const views: Readonly<Record<string, View>> = { w: 'week', m: 'month', l: 'agenda' }
const secondKeyMs = 1500

/** T, W, M, L, N and Ctrl/⌘ Z anywhere on the page. After G, a letter belongs to the navigation. */
export function useCalendarKeys({ onToday, onView, onWrite, onUndo }: CalendarKeys): void {
  const goPressedAtMs = useRef(0)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (isTyping(event.target)) return
      if ((event.ctrlKey || event.metaKey) && key === 'z') {
        event.preventDefault()
        return onUndo()
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const isAfterGo = performance.now() - goPressedAtMs.current < secondKeyMs
      goPressedAtMs.current = key === 'g' ? performance.now() : 0
      if (isAfterGo) return
      const view = views[key]
      if (view) onView(view)
      else if (key === 't') onToday()
      else if (key === 'n') onWrite()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onToday, onView, onWrite, onUndo])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"]') !== null
  )
}
