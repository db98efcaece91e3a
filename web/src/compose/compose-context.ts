import { createContext, use, type Dispatch } from 'react'
import type { ComposeAction } from './state/compose-reducer.ts'
import type { ComposeState } from './state/compose-state.ts'
import type { Account, Finding } from './state/findings.ts'

type ComposeParts = {
  workspaceId: string
  state: ComposeState
  dispatch: Dispatch<ComposeAction>
  /** The chosen accounts. */
  accounts: readonly Account[]
  /** What is wrong and may be said now: what is only missing is said after an attempt to publish. */
  findings: readonly Finding[]
}

export const ComposeContext = createContext<ComposeParts | null>(null)

/** The parts of the composer share its state. */
export function useCompose(): ComposeParts {
  const parts = use(ComposeContext)
  if (!parts) throw new Error('this part belongs into the composer')
  return parts
}
