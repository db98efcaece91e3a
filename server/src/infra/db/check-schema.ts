import { programVersion } from '../assets/program-version.ts'
import { StartError } from '../problem/problem.ts'
import type { Db } from './db.ts'
import { findContracts, findMissingMigrations } from './schema.store.ts'

type Demands = {
  /** Whether a missing migration of this release is a reason to refuse. */
  needsMigrations: boolean
  version?: string
}

/** Throws if this release cannot work with the schema of the database. */
export async function checkSchema(system: Db, { needsMigrations, version = programVersion() }: Demands): Promise<void> {
  if (needsMigrations) await requireMigrations(system)
  await refuseContracts(system, version)
}

async function requireMigrations(system: Db): Promise<void> {
  const missing = await findMissingMigrations(system)
  if (missing.length === 0) return
  throw new StartError(
    `The database lacks ${missing.length} migrations, the first of which is ${missing[0]}. Run "carillon migrate" with DATABASE_URL, the ` +
      'address with the owner of the tables. This process does not migrate.',
  )
}

/**
 * A release works with the schema of the next one, so migrations that it does not know are no reason to refuse. Only those are that removed
 * something which it still uses.
 */
async function refuseContracts(system: Db, version: string): Promise<void> {
  const contract = (await findContracts(system)).find(({ oldestRelease }) => isOlderRelease(version, oldestRelease))
  if (!contract) return
  throw new StartError(
    `This is Carillon ${version}, and the database needs ${contract.oldestRelease} or newer: the migration ${contract.name} removed ` +
      `something that older releases use. Install ${contract.oldestRelease} or newer. To go further back, restore a backup from before ` +
      'that upgrade: docs/guides/upgrades.md.',
  )
}

const releaseNumber = /^v?(\d+)\.(\d+)\.(\d+)/

/** Whether a release comes before another one, by the three numbers of both. A version without numbers is never older. */
export function isOlderRelease(version: string, than: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(than)]
  const at = numbers.findIndex((number, n) => number !== others[n])
  return at !== -1 && (numbers[at] ?? 0) < (others[at] ?? 0)
}

function numbersOf(version: string): number[] {
  return releaseNumber.exec(version)?.slice(1).map(Number) ?? []
}
