import type { Db } from '../db/db.ts'
import { StartError } from '../problem/problem.ts'
import { type Place, type SecretKeys, open, seal } from './seal.ts'
import { deleteCanaries, findConnectionSealedBy, findKeyIdsInUse, insertCanary, listCanaries } from './secret-canary.store.ts'

/** The secret keys do not fit the database. The message says what to do. */
class SecretKeyError extends StartError {}

const placeOf = (keyId: string): Place => ({ workspaceId: '', rowId: keyId, column: 'canary' })

type Verified = { /** The keys that stored secrets need. */ idsInUse: string[]; hasCanary: boolean }

/** Reads only: throws if the configured keys cannot decrypt what is stored. */
export async function verifySecretKeys(system: Db, secretKeys: SecretKeys): Promise<Verified> {
  const idsInUse = await findKeyIdsInUse(system)
  refuseMissingKeys(idsInUse.filter((id) => !secretKeys.keys.has(id)))
  const canaries = await listCanaries(system)
  openCanaries(secretKeys, canaries)
  const hasCanary = canaries.some((canary) => canary.key_id === secretKeys.sealing)
  if (!hasCanary) await checkStoredConnection(system, secretKeys)
  return { idsInUse, hasCanary }
}

/**
 * Throws if the configured keys cannot decrypt what is stored. With a wrong key, every post that falls due would fail for good, so the process
 * must not start at all.
 */
export async function checkSecretKeys(system: Db, secretKeys: SecretKeys): Promise<void> {
  const { idsInUse, hasCanary } = await verifySecretKeys(system, secretKeys)
  if (!hasCanary) {
    const sealed = seal(secretKeys, placeOf(secretKeys.sealing), 'canary')
    await insertCanary(system, { key_id: secretKeys.sealing, sealed })
  }
  // Read again: another process, with another key of the same id, may have been faster.
  const canaries = await listCanaries(system)
  openCanaries(secretKeys, canaries)
  const retired = canaries.map((canary) => canary.key_id).filter((id) => !secretKeys.keys.has(id) && !idsInUse.includes(id))
  await deleteCanaries(system, retired)
}

function openCanaries(secretKeys: SecretKeys, canaries: Awaited<ReturnType<typeof listCanaries>>): void {
  for (const { key_id: id, sealed } of canaries.filter((canary) => secretKeys.keys.has(canary.key_id)))
    refuseWrongKey(id, () => open(secretKeys, placeOf(id), sealed))
}

/** For a database from before there were canaries: a stored connection serves as one. */
async function checkStoredConnection(system: Db, secretKeys: SecretKeys): Promise<void> {
  const stored = await findConnectionSealedBy(system, secretKeys.sealing)
  if (!stored) return
  const place = { workspaceId: stored.workspace_id, rowId: stored.id, column: 'credentials' }
  refuseWrongKey(secretKeys.sealing, () => open(secretKeys, place, stored.credentials_sealed))
}

function refuseMissingKeys(missing: readonly string[]): void {
  if (missing.length === 0) return
  const [keys, them] = missing.length === 1 ? ['key', 'it'] : ['keys', 'them']
  throw new SecretKeyError(
    `The database contains secrets that were encrypted with the ${keys} ${missing.map((id) => `"${id}"`).join(', ')}, but ` +
      `CARILLON_SECRET_KEYS does not contain ${them}. Add ${them} after the current key, as id:key, and start again.`,
  )
}

function refuseWrongKey(id: string, openSealed: () => unknown): void {
  try {
    openSealed()
  } catch (error) {
    throw new SecretKeyError(
      `The key "${id}" in CARILLON_SECRET_KEYS is not the one that encrypted the secrets in this database. Restore the original key ` +
        `under this id, or check that DATABASE_URL names the right database. A new key needs a new id, in front of the old ones.`,
      { cause: error },
    )
  }
}
