import type { Context } from '../../context.ts'
import { newUuid } from '../db/ids.ts'
import { fence, readCell, readPosition, recordBeat } from './cell.store.ts'
import { compareWitness } from './compare-witness.ts'
import { readEngineWitness } from './read-engine-witness.ts'
import { isLater, type Witness } from './witness.ts'
import { readWitnessCopy, writeWitnessCopy } from './witness-copy.ts'
import { saveWitnessJob } from './witness.workflow.ts'

/** `undecided`: the witness could not be read, so nothing is known; ask again. */
export type WitnessCheck = 'open' | 'fenced' | 'undecided'

const copyEveryMs = 60_000
/** Without any witness, a database in which a worker was alive this recently is taken for the current one. */
const beatAgeMsMax = 600_000

/** What this process itself has seen. It is a witness too, for a database that is replaced while the workers run. */
type Memory = { last: Witness | null; copiedAtMs: number }

const createMemory = (): { value: Memory } => ({ value: { last: null, copiedAtMs: -Infinity } })

type Sources = { witnesses: Witness[]; isDecided: boolean }

/**
 * Compares the database with its witnesses. If it lacks something that it had, it is fenced: nothing is sent until an operator has said what
 * was lost. Otherwise it stays open for a while, and the witnesses learn the new position.
 */
export async function checkWitness(ctx: Context): Promise<WitnessCheck> {
  const system = ctx.db.system
  const memory = ctx.resources.get(createMemory, ctx)
  const cell = await readCell(system)
  if (cell.fencedAt) return 'fenced'

  // The witnesses are read before the database: it only moves forward, so a witness read earlier can never be ahead of it by itself.
  const { witnesses, isDecided } = await readWitnesses(ctx, memory)
  const seen = await readPosition(system)
  for (const witness of witnesses) {
    const verdict = compareWitness(seen, witness)
    if (verdict.isLost) return fenceOff(ctx, verdict.reason)
    if (verdict.kind === 'failover' && seen.timeline !== memory.last?.timeline)
      ctx.log.warn({ timeline: seen.timeline }, 'PostgreSQL failed over to a standby that has everything')
  }
  if (!isDecided) return 'undecided'
  if (witnesses.length === 0 && cell.beatAgeMs !== null && cell.beatAgeMs > beatAgeMsMax) {
    const minutes = Math.round(cell.beatAgeMs / 60_000)
    return fenceOff(
      ctx,
      `no witness: neither the engine nor the media store has one, and the last worker was seen ${minutes} minutes ago`,
    )
  }
  const next = await recordBeat(system, seen)
  // Fenced, accepted or replaced between the two statements: the next comparison finds out.
  if (!next) return 'undecided'
  await tellWitnesses(ctx, memory, { ...next, at: new Date(ctx.nowMs()).toISOString() })
  return 'open'
}

async function fenceOff(ctx: Context, reason: string): Promise<WitnessCheck> {
  if (await fence(ctx.db.system, reason)) {
    ctx.log.error(
      { reason },
      'the database is not the one that was here before: nothing is sent until an operator finishes the restore',
    )
  }
  return 'fenced'
}

/** Without what this process has seen, the engine must answer; and if the engine has no witness, the media store must. */
async function readWitnesses(ctx: Context, { last, copiedAtMs }: Memory): Promise<Sources> {
  const engine = await readOrWarn(ctx, 'engine', () => readEngineWitness(ctx.config.restateAdminUrl))
  const needsCopy = !last || ctx.nowMs() - copiedAtMs >= copyEveryMs
  const copy = needsCopy ? await readOrWarn(ctx, 'media store', () => readWitnessCopy(ctx.storage)) : null
  const isDecided = last !== null || (engine !== undefined && (engine !== null || copy !== undefined))
  return { witnesses: [engine, copy, last].filter((each) => each !== undefined && each !== null), isDecided }
}

/** Undefined when it cannot be read, which is something else than being absent. */
async function readOrWarn(
  ctx: Context,
  source: string,
  read: () => Promise<Witness | null>,
): Promise<Witness | null | undefined> {
  try {
    return await read()
  } catch (error) {
    ctx.log.warn({ err: error, source }, 'the witness of the database could not be read')
    return undefined
  }
}

async function tellWitnesses(ctx: Context, memory: Memory, witness: Witness): Promise<void> {
  if (!memory.last || isLater(witness, memory.last)) memory.last = witness
  const warn = (source: string) => (error: unknown) =>
    ctx.log.warn({ err: error, source }, 'the witness of the database could not be stored')
  await ctx.engine.send(saveWitnessJob(witness), newUuid()).catch(warn('engine'))
  if (ctx.nowMs() - memory.copiedAtMs >= copyEveryMs) await copyWitness(ctx).catch(warn('media store'))
}

/** Stores what this process saw last beside the media files: once a minute, and when the worker stops. */
export async function copyWitness(ctx: Context): Promise<void> {
  const memory = ctx.resources.get(createMemory, ctx)
  if (!memory.last) return
  await writeWitnessCopy(ctx.storage, memory.last)
  memory.copiedAtMs = ctx.nowMs()
}
