import type { Context } from '../../context.ts'
import { newUuid } from '../db/ids.ts'
import { fence, lacksSend, readCell, readPosition, recordBeat, type Send } from './cell.store.ts'
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

/**
 * After a failover, sending waits this long, so that every worker can look for its own last sends before any of them opens the database.
 * Workers look as soon as they reach it again.
 */
const failoverPauseMs = 5_000
/** A failover loses the end of the log, so the last sends are enough. Those of one transaction are up to 500. */
const sendsMax = 1_000

/** What this process itself has seen. It is a witness too, for a database that is replaced while the workers run. */
type Memory = {
  last: Witness | null
  copiedAtMs: number
  /** The PostgreSQL server of the last comparison. */
  server: string | null
  failoverSeenAtMs: number | null
  sends: Send[]
}

const createMemory = (): { value: Memory } => ({
  value: { last: null, copiedAtMs: -Infinity, server: null, failoverSeenAtMs: null, sends: [] },
})

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
  const read = await readPosition(system)
  const seen = read.position
  for (const witness of witnesses) {
    const verdict = compareWitness(seen, witness)
    if (verdict.isLost) return fenceOff(ctx, verdict.reason)
  }
  const ownSends = memory.sends.filter(({ epoch }) => epoch === seen.epoch)
  if (read.server !== memory.server && (await lacksSend(system, ownSends)))
    return fenceOff(ctx, 'the database does not know of a post that this worker has just sent')
  memory.server = read.server
  if (!isDecided) return 'undecided'
  if (mustPause(ctx, memory, { timeline: seen.timeline, witnesses })) return 'undecided'
  if (witnesses.length === 0 && cell.beatAgeMs !== null && cell.beatAgeMs > beatAgeMsMax) {
    const minutes = Math.round(cell.beatAgeMs / 60_000)
    return fenceOff(
      ctx,
      `no witness: neither the engine nor the media store has one, and the last worker was seen ${minutes} minutes ago`,
    )
  }
  const next = await recordBeat(system, read)
  // Fenced, accepted or replaced between the two statements: the next comparison finds out.
  if (!next) return 'undecided'
  await tellWitnesses(ctx, memory, { ...next, at: new Date(ctx.nowMs()).toISOString() })
  return 'open'
}

/** True in the first moments after a failover that no worker has accepted yet. */
function mustPause(
  ctx: Context,
  memory: Memory,
  { timeline, witnesses }: { timeline: number; witnesses: readonly Witness[] },
): boolean {
  const isFailover = witnesses.length > 0 && witnesses.every((witness) => witness.timeline < timeline)
  if (!isFailover) {
    memory.failoverSeenAtMs = null
    return false
  }
  if (memory.failoverSeenAtMs === null) {
    memory.failoverSeenAtMs = ctx.nowMs()
    ctx.log.warn(
      { timeline },
      'PostgreSQL failed over to a standby; sending waits until every worker has looked for its last sends',
    )
  }
  return ctx.nowMs() - memory.failoverSeenAtMs < failoverPauseMs
}

/**
 * Remembers what this process sends from now on. A database that went back by less than the time between two comparisons has all beats, but
 * it does not know of these.
 */
export function rememberSends(ctx: Context, sends: readonly Send[]): void {
  const memory = ctx.resources.get(createMemory, ctx)
  memory.sends = [...memory.sends, ...sends].slice(-sendsMax)
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
