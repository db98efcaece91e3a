import type { Call } from '../http/call.ts'
import type { Method } from '../http/create-router.ts'
import type { Reply } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import type { SimulatorState } from '../state/simulator-state.ts'

export type ControlRoute = { method: Method; path: string; answer: (call: Call) => Reply }

/** What the control routes read and change. */
export type ControlContext = { simulator: SimulatorState; platforms: ReadonlyMap<string, Platform> }
