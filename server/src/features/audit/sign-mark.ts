import type { Context } from '../../context.ts'
import type { SignedMark } from './audit-chain.store.ts'
import { markMac, type Mark, type MarkKind } from './chain-hash.ts'

/** Signs the end or the start of a chain with the first secret key. */
export function signMark({ config: { secretKeys } }: Context, kind: MarkKind, { chain, position, hash }: Mark): SignedMark {
  const mac = markMac(secretKeys, secretKeys.sealing, kind, { chain, position, hash })
  if (!mac) throw new Error('the first secret key is missing')
  return { chain, position, hash, keyId: secretKeys.sealing, mac }
}

export function isAuthentic({ config: { secretKeys } }: Context, kind: MarkKind, mark: SignedMark): boolean {
  return markMac(secretKeys, mark.keyId, kind, mark)?.equals(mark.mac) ?? false
}
