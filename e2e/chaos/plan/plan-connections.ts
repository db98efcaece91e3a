import { tokenFaultKinds, type TokenFaultKind } from './fault-kinds.ts'
import { traitsOf } from './platform-traits.ts'
import type { Random } from './random.ts'
import { eagerSlots, type Slot } from './slot.ts'

/** What happens to the permission of one account. After `token revoked` and `disconnect`, a person connects the account again. */
export type ConnectionFault = Slot & { kind: TokenFaultKind | 'disconnect'; atMs: number; reconnectAfterMs: number | null }

/** Up to two accounts of a seed lose their permission in one way or another. */
export function planConnectionFaults(random: Random): ConnectionFault[] {
  const first = plan(random)
  const second = random.happens(0.4) ? plan(random) : null
  const isOther = second !== null && (second.platform !== first.platform || second.index !== first.index)
  return isOther ? [first, second] : [first]
}

function plan(random: Random): ConnectionFault {
  const kind = random.pick<ConnectionFault['kind']>([...tokenFaultKinds, 'disconnect'])
  const isLost = kind === 'disconnect' || kind === 'token revoked'
  const wanted = eagerSlots.filter(({ platform }) => traitsOf(platform)[isLost ? 'reconnects' : 'renews'] === true)
  const [slot] = random.pickSome(wanted, 1)
  if (!slot) throw new Error('there is no account to choose from')
  return { ...slot, kind, atMs: random.between(0, 4000), reconnectAfterMs: isLost ? random.between(2000, 6000) : null }
}
