import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { places } from './places.tsx'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** What the command key is called on this keyboard. */
export const commandKey = isApple ? '⌘' : 'Ctrl'

const secondKeyMs = 1500

type Overlays = { openPalette: () => void; openKeys: () => void }

/** Ctrl/⌘ K for the palette, C to write, G and a letter to go somewhere, ? for all keys. Letters do nothing while a field has the focus. */
export function useShortcuts({ openPalette, openKeys }: Overlays): void {
  const navigate = useNavigate()
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('editor')
  const goPressedAtMs = useRef(0)

  useEffect(() => {
    const goTo = (to: string) => void navigate({ to, params: { workspaceId } })
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if ((event.ctrlKey || event.metaKey) && key === 'k') {
        event.preventDefault()
        return openPalette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isAfterGo = performance.now() - goPressedAtMs.current < secondKeyMs
      goPressedAtMs.current = key === 'g' ? performance.now() : 0
      const place = isAfterGo ? places.find((each) => each.key === key) : undefined
      if (place) goTo(`/w/$workspaceId/${place.name}`)
      else if (key === 'c' && mayWrite) goTo('/w/$workspaceId/compose')
      else if (key === '?') openKeys()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate, workspaceId, mayWrite, openPalette, openKeys])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  // Inside of a menu or a dialog, letters belong to it.
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="listbox"]') !== null
  )
}
