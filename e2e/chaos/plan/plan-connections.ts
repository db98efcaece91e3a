import { tokenFaultKinds, type TokenFaultKind } from './fault-kinds.ts'
import { traitsOf } from './platform-traits.ts'
import type { Random } from './random.ts'
import { eagerSlots, type Slot } from './slot.ts'

/** What happens to the permission of one account. After `token revoked` and `disconnect`, a person connects the account again. */
export type ConnectionFault = Slot & { kind: TokenFaultKind | 'disconnect'; atMs: number; reconnectAfterMs: number | null }

const kinds: readonly [ConnectionFault['kind'], ...ConnectionFault['kind'][]] = [...tokenFaultKinds, 'disconnect']

/** Up to two accounts of a seed lose their permission in one way or another. The first ways take turns, so that few seeds have all of them. */
export function planConnectionFaults(seed: number, random: Random): ConnectionFault[] {
  const first = plan(random, kinds[seed % kinds.length] ?? kinds[0])
  const second = random.happens(0.4) ? plan(random, random.pick(kinds)) : null
  const isOther = second !== null && (second.platform !== first.platform || second.index !== first.index)
  return isOther ? [first, second] : [first]
}

function plan(random: Random, kind: ConnectionFault['kind']): ConnectionFault {
  const isLost = kind === 'disconnect' || kind === 'token revoked'
  const wanted = eagerSlots.filter(({ platform }) => traitsOf(platform)[isLost ? 'reconnects' : 'renews'] === true)
  const [slot] = random.pickSome(wanted, 1)
  if (!slot) throw new Error('there is no account to choose from')
  return { ...slot, kind, atMs: random.between(0, 4000), reconnectAfterMs: isLost ? random.between(2000, 6000) : null }
}
