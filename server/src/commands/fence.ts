import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { createContext } from '../create-context.ts'
import { acceptDatabase } from '../features/restore/accept-database.ts'
import { readCell } from '../infra/cell/cell.store.ts'
import { readEngineWitness } from '../infra/cell/read-engine-witness.ts'
import { readWitnessCopy } from '../infra/cell/witness-copy.ts'
import type { Witness } from '../infra/cell/witness.ts'

/** Everything sent until the last witness may be lost, and a worker may have gone on for a moment after it. */
const afterWitnessMs = 60_000

/** What the database and its witnesses say, and the end of the lost time that follows from it. */
export async function fenceStatusCommand(config: Config) {
  const { ctx, close } = createContext(config)
  try {
    const { epoch, isOpen, fencedAt, fenceReason, lostFrom, lostUntil, restoredAt } = await readCell(ctx.db.system)
    const engine = await read(() => readEngineWitness(ctx.config.restateAdminUrl))
    const mediaStore = await read(() => readWitnessCopy(ctx.storage))
    const status = fencedAt ? 'fenced' : isOpen ? 'open' : 'unchecked'
    return {
      status,
      epoch,
      fencedAt,
      reason: fenceReason,
      witnesses: { engine, mediaStore },
      lastRestore: restoredAt && { lostFrom, lostUntil, restoredAt },
      ...(fencedAt && { suggestedLostUntil: suggestLostUntil(ctx, [engine, mediaStore]) }),
    }
  } finally {
    await close()
  }
}

type ReadWitness = Witness | null | { error: string }

async function read(witness: () => Promise<Witness | null>): Promise<ReadWitness> {
  try {
    return await witness()
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function suggestLostUntil(ctx: Context, witnesses: readonly ReadWitness[]): string | null {
  const seenMs = witnesses.flatMap((witness) => (witness && 'at' in witness ? [Date.parse(witness.at)] : []))
  if (seenMs.length === 0) return null
  return new Date(Math.min(Math.max(...seenMs) + afterWitnessMs, ctx.nowMs())).toISOString()
}

/** Lifts the fence without a restore. The operator must say in words that nothing is missing. */
export async function fenceLiftCommand(config: Config, { nothingLost }: { nothingLost: boolean }) {
  if (!nothingLost) {
    throw new Error(
      'a fence is lifted only with --nothing-lost, which says that the database is complete; after a restore use: carillon restore finish',
    )
  }
  const { ctx, close } = createContext(config)
  try {
    return { lifted: await acceptDatabase(ctx) }
  } finally {
    await close()
  }
}
