import { useEffect, useEffectEvent, type Dispatch } from 'react'
import type { ComposeAction } from '../state/compose-reducer.ts'
import type { ComposeState } from '../state/compose-state.ts'

type ComposeKeys = { state: ComposeState; dispatch: Dispatch<ComposeAction>; onSubmit: () => void; onSave: () => void }

/** What Alt and a letter lead to: the first of these that is on the page. */
const destinations: Readonly<Record<string, readonly string[]>> = {
  KeyA: ['#compose-accounts button[aria-pressed]'],
  KeyT: ['[data-alt-text][value=""]', '[data-alt-text]'],
  KeyW: ['#compose-when [data-day-field]', '#compose-when [role="radio"][aria-checked="true"]'],
}

/**
 * Ctrl/⌘ Enter publishes or schedules, Ctrl/⌘ S saves. Alt and a digit opens the tab of an account (0 the common one), Alt R reverts it, Alt I
 * opens the suggestions, and Alt with A, T or W leads to the accounts, the next missing alt text and the time. The dialog of all keys lists them.
 */
export function useComposeKeys({ state, dispatch, onSubmit, onSave }: ComposeKeys): void {
  const openTab = (digit: number) => {
    const tab = digit === 0 ? null : state.accounts[digit - 1]
    if (tab === undefined) return
    dispatch({ type: 'showTab', tab })
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#compose-text')?.focus())
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey
    // A message is a dialog too, but one that leaves the page to the person.
    if (document.querySelector('[role="dialog"]:not([aria-modal="false"])')) return
    if (isCommand && event.key === 'Enter') onSubmit()
    else if (isCommand && event.key.toLowerCase() === 's') onSave()
    else if (event.altKey && !event.ctrlKey && /^Digit\d$/.test(event.code)) openTab(Number(event.code.slice(5)))
    else if (event.altKey && !event.ctrlKey && event.code === 'KeyR') dispatch({ type: 'revert', field: 'all' })
    else if (event.altKey && !event.ctrlKey && event.code === 'KeyI') document.querySelector<HTMLElement>('#compose-ai')?.click()
    else if (event.altKey && !event.ctrlKey && event.code in destinations) focusFirst(destinations[event.code] ?? [])
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function focusFirst(selectors: readonly string[]): void {
  const target = selectors.map((selector) => document.querySelector<HTMLElement>(selector)).find(Boolean)
  target?.scrollIntoView({ block: 'nearest' })
  target?.focus()
}
