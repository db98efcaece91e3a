import { readConfig, type Config } from '../config.ts'
import type { Context } from '../context.ts'
import { createContext } from '../create-context.ts'
import { readCell } from '../infra/cell/cell.store.ts'
import { readEngineWitness } from '../infra/cell/read-engine-witness.ts'
import { type Witness, readWitnessCopy } from '../infra/cell/witness.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { prepareLogins } from '../infra/logins/prepare-database.ts'

/** Everything sent until the last witness may be lost, and a worker may have gone on for a moment after it. */
const afterWitnessMs = 60_000

export const fenceStatusCommand = defineCommand({
  details:
    'Shows whether the database is fenced, that is whether sending is stopped because the database lacks something that the engine or the ' +
    'media store have seen, and what they have seen. docs/guides/backups.md says what to do.',
  options: {},
  run: () => readFenceStatus(readConfig()),
  present: ({ status, reason, suggestedLostUntil }) => [sentences[status], ...reasonLines(reason, suggestedLostUntil)].join('\n'),
})

const sentences = {
  fenced: 'The database is fenced: nothing is sent.',
  open: 'The database is open: posts are sent.',
  unchecked: 'No worker has compared the database with its witnesses lately, so nothing is sent. Start a worker.',
} as const

function reasonLines(reason: string | null, lostUntil: string | null | undefined): string[] {
  if (reason === null) return []
  const until = lostUntil ?? '<time at which the old database stopped>'
  return [
    `Reason: ${reason}.`,
    `After a restore, run: carillon restore finish --lost-from <time of the backup> --lost-until ${until}`,
    'If nothing is missing, run: carillon fence lift --nothing-lost',
  ]
}

/** What the database and its witnesses say, and the end of the lost time that follows from it. */
export async function readFenceStatus(config: Config) {
  // A restored database may be on a server that does not know the logins yet.
  await prepareLogins(config)
  const { ctx, close } = createContext(config)
  try {
    const { epoch, isOpen, fencedAt, fenceReason, lostFrom, lostUntil, restoredAt } = await readCell(ctx.db.system)
    const engine = await read(() => readEngineWitness(ctx.config.restateAdminUrl))
    const mediaStore = await read(() => readWitnessCopy(ctx.storage))
    const status: keyof typeof sentences = fencedAt ? 'fenced' : isOpen ? 'open' : 'unchecked'
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
