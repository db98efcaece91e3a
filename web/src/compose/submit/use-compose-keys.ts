import { useEffect, useEffectEvent, type Dispatch } from 'react'
import type { ComposeAction } from '../state/compose-reducer.ts'
import type { ComposeState } from '../state/compose-state.ts'

type ComposeKeys = { state: ComposeState; dispatch: Dispatch<ComposeAction>; onSubmit: () => void; onSave: () => void }

/** Ctrl/⌘ Enter publishes or schedules, Ctrl/⌘ S saves, Alt 1…9 opens the tab of an account (Alt 0 the common one), Alt R reverts it. */
export function useComposeKeys({ state, dispatch, onSubmit, onSave }: ComposeKeys): void {
  const openTab = (digit: number) => {
    const tab = digit === 0 ? null : state.accounts[digit - 1]
    if (tab === undefined) return
    dispatch({ type: 'showTab', tab })
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#compose-text')?.focus())
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey
    if (document.querySelector('[role="dialog"]')) return
    if (isCommand && event.key === 'Enter') onSubmit()
    else if (isCommand && event.key.toLowerCase() === 's') onSave()
    else if (event.altKey && !event.ctrlKey && /^Digit\d$/.test(event.code)) openTab(Number(event.code.slice(5)))
    else if (event.altKey && !event.ctrlKey && event.code === 'KeyR') dispatch({ type: 'revert', field: 'all' })
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
