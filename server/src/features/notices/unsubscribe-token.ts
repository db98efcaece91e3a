import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { noticeGroups, type NoticeGroup } from '@carillon/contract'
import type { SecretKeys } from '../../infra/sealing/seal.ts'

/** What a link ends: the mails about one group, or all of them. */
export type Unsubscribed = { personId: string; group: NoticeGroup | 'all' }

const macBytes = 16

/** A link in a mail to this person. It is for reading no more mails, and nothing else can be done with it, so it has no end. */
export function unsubscribeToken({ sealing, keys }: SecretKeys, what: Unsubscribed): string {
  const key = keys.get(sealing)
  if (!key) throw new Error(`there is no key "${sealing}"`)
  return `${what.personId}.${what.group}.${macOf(key, what).toString('base64url')}`
}

/** What the token ends; null unless one of our keys signed it for this person. */
export function readUnsubscribeToken({ keys }: SecretKeys, token: string): Unsubscribed | null {
  const [personId = '', group = '', mac = '', ...more] = token.split('.')
  const known = group === 'all' ? ('all' as const) : noticeGroups.find((each) => each === group)
  if (!known || more.length > 0) return null
  const what: Unsubscribed = { personId, group: known }
  const given = Buffer.from(mac, 'base64url')
  const isSigned = [...keys.values()].some((key) => given.length === macBytes && timingSafeEqual(given, macOf(key, what)))
  return isSigned ? what : null
}

function macOf(secret: Buffer, { personId, group }: Unsubscribed): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'carillon unsubscribe', 32))
  return createHmac('sha256', key).update(`${personId} ${group}`).digest().subarray(0, macBytes)
}
