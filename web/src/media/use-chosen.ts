import { useEffect, useRef, useState } from 'react'

/**
 * Which of the shown things are chosen. With Shift, everything between the last one that was clicked and this one gets the same state. What is not
 * shown any more is not chosen. Escape takes the choice back.
 */
export function useChosen(shown: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const isAny = shown.some((id) => chosen.has(id))
  useEffect(() => {
    if (!isAny) return
    const clear = ({ key, target }: KeyboardEvent) => {
      // A dialog, a menu and a field close or clear themselves with the same key.
      const isElsewhere =
        target instanceof Element && target.closest('[role=dialog], [role=alertdialog], [role=menu], input, textarea')
      if (key === 'Escape' && !isElsewhere) setChosen(new Set())
    }
    document.addEventListener('keydown', clear)
    return () => document.removeEventListener('keydown', clear)
  }, [isAny])
  return {
    chosen: shown.filter((id) => chosen.has(id)),
    toggle(id: string, isChosen: boolean, withRange = false) {
      const [from, to] = [last.current === null ? -1 : shown.indexOf(last.current), shown.indexOf(id)]
      const ids = withRange && from !== -1 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      last.current = id
      setChosen((before) => (isChosen ? new Set([...before, ...ids]) : before.difference(new Set(ids))))
    },
    setAll: (isChosen: boolean) => setChosen(new Set(isChosen ? shown : [])),
  }
}
