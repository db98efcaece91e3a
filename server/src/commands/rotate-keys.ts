import { readConfig, type Config } from '../config.ts'
import { resignHeads } from '../features/audit/resign-heads.ts'
import { reencryptSecondFactors } from '../features/people/reencrypt-second-factors.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { resealStored, type Resealed } from '../infra/sealing/reseal-stored.ts'
import { findKeyIdsInUse } from '../infra/sealing/secret-canary.store.ts'
import { openContext } from '../open-context.ts'

export const rotateKeysCommand = defineCommand({
  details:
    'Encrypts all stored secrets with the first key of CARILLON_SECRET_KEYS: access tokens, webhook secrets, app secrets, mail that waits, ' +
    'second factors and the ends of the audit logs. Put a new key in front of the old ones, restart all processes, and then run this, ' +
    'while they run. It works in batches and may be interrupted and repeated. When it says so, remove the old keys from the setting.',
  options: {},
  run: () => rotateKeys(readConfig()),
  present: ({ key, changed, keysToRemove, canRemove }) =>
    [
      `Everything that could be read is now encrypted with the key "${key}":`,
      ...Object.entries(changed).map(([what, { changed: count, unreadable }]) => {
        const left = unreadable === 0 ? '' : `, ${unreadable} that no configured key opens`
        return `  ${what.padEnd(40)}${count} changed${left}`
      }),
      advise(keysToRemove, canRemove),
    ].join('\n'),
  isFailed: ({ canRemove }) => !canRemove,
})

function advise(keysToRemove: readonly string[], canRemove: boolean): string {
  if (!canRemove)
    return 'Some values need a key that is missing or wrong. Add the old key to CARILLON_SECRET_KEYS, and run this again.'
  if (keysToRemove.length === 0) return 'No older key is configured; there is nothing to remove.'
  return (
    `Keep the old keys (${keysToRemove.join(', ')}) for another day: links to files and half-done sign-ins still use them. Then run this ` +
    'again, remove them from CARILLON_SECRET_KEYS, and run "carillon migrate". Old backups still need the old keys.'
  )
}

export async function rotateKeys(config: Config) {
  const { ctx, close } = await openContext(config)
  try {
    const { sealing, keys } = config.secretKeys
    const changed: Record<string, Resealed> = {
      ...(await resealStored(ctx.db.system, config.secretKeys)),
      two_factor: await reencryptSecondFactors(ctx),
      audit_head: await resignHeads(ctx),
    }
    const inUse = await findKeyIdsInUse(ctx.db.system)
    const canRemove = inUse.every((id) => id === sealing) && Object.values(changed).every(({ unreadable }) => unreadable === 0)
    return { key: sealing, changed, keysInUse: inUse, keysToRemove: [...keys.keys()].filter((id) => id !== sealing), canRemove }
  } finally {
    await close()
  }
}
