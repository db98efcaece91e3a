import type words from '../i18n/en/shell.json'
import { commandKey } from './use-shortcuts.ts'

type KeyRow = { keys: readonly string[]; does: keyof (typeof words)['keys']['does'] }
type KeyGroup = { name: 'composer' | 'calendar' | 'panel' | 'timeDialog'; rows: readonly KeyRow[] }

/** The keys of single pages. The pages themselves act on them: compose/submit/use-compose-keys.ts, calendar/ and posts/post-panel.tsx. */
export const keyGroups: readonly KeyGroup[] = [
  {
    name: 'composer',
    rows: [
      { keys: [commandKey, 'Enter'], does: 'submit' },
      { keys: [commandKey, 'S'], does: 'save' },
      { keys: ['Alt', 'A'], does: 'accounts' },
      { keys: ['Alt', '0 – 9'], does: 'tab' },
      { keys: ['Alt', 'R'], does: 'revert' },
      { keys: ['Alt', 'T'], does: 'altText' },
      { keys: ['Alt', 'W'], does: 'when' },
      { keys: ['Alt', 'I'], does: 'suggestions' },
    ],
  },
  {
    name: 'calendar',
    rows: [
      { keys: ['←', '↑', '↓', '→'], does: 'move' },
      { keys: ['PgUp', 'PgDn'], does: 'month' },
      { keys: ['T'], does: 'today' },
      { keys: ['M', 'W', 'L'], does: 'views' },
      { keys: ['N'], does: 'writeOnDay' },
      { keys: ['Enter'], does: 'open' },
      { keys: ['M'], does: 'moveTo' },
      { keys: ['Del'], does: 'remove' },
      { keys: [commandKey, 'Z'], does: 'undo' },
    ],
  },
  {
    name: 'panel',
    rows: [
      { keys: ['J'], does: 'nextPost' },
      { keys: ['K'], does: 'previousPost' },
      { keys: ['Esc'], does: 'closePanel' },
    ],
  },
  {
    name: 'timeDialog',
    rows: [
      { keys: ['↑', '↓'], does: 'changeTime' },
      { keys: ['Tab'], does: 'nextField' },
      { keys: ['Enter'], does: 'confirm' },
      { keys: ['Esc'], does: 'close' },
    ],
  },
]
