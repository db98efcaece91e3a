import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { newUuid } from '../db/ids.ts'
import { UnknownServiceError } from '../engine/ingress.ts'
import { type Send, fence, lacksSend, readCell, readPosition, recordBeat } from './cell.store.ts'
import { readEngineSends, readEngineWitness, sendsKeptMs } from './read-engine-witness.ts'
import { type Witness, compareWitness, isLater, readWitnessCopy, writeWitnessCopy } from './witness.ts'
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
/** For the clocks of the worker that wrote the witness and of the engine. */
const clockMarginMs = 30_000
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
  const isFailover = witnesses.length > 0 && witnesses.every(({ timeline }) => timeline < seen.timeline)
  if (read.server !== memory.server) {
    const lastSeenMs = Math.max(0, ...witnesses.map(({ at }) => Date.parse(at)))
    if (isFailover && ctx.nowMs() - lastSeenMs > sendsKeptMs)
      return fenceOff(ctx, 'PostgreSQL failed over while no worker ran, so long ago that the engine has forgotten the last sends')
    const { sends, isComplete } = await readSends(ctx, memory, { epoch: seen.epoch, sinceMs: lastSeenMs - clockMarginMs })
    if (await lacksSend(system, sends)) return fenceOff(ctx, 'the database does not know of a post that a worker has just sent')
    if (!isComplete) return 'undecided'
  }
  if (!isDecided) return 'undecided'
  // The sends are looked for again after the pause: until then a worker may have told the engine of more.
  if (mustPause(ctx, memory, { timeline: seen.timeline, isFailover })) return 'undecided'
  memory.server = read.server
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
function mustPause(ctx: Context, memory: Memory, { timeline, isFailover }: { timeline: number; isFailover: boolean }): boolean {
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
 * What was sent since the database was last seen with everything. The engine knows it of all workers, also of those that are gone. This process
 * knows its own, also when the engine has lost them. Not complete: the engine does not answer.
 */
async function readSends(
  ctx: Context,
  memory: Memory,
  { epoch, sinceMs }: { epoch: number; sinceMs: number },
): Promise<{ sends: Send[]; isComplete: boolean }> {
  const ofAll = await readOrWarn(ctx, 'engine', () => readEngineSends(ctx.config.restateAdminUrl, Math.max(0, sinceMs)))
  const sends = [...memory.sends, ...(ofAll ?? [])].filter((send) => send.epoch === epoch)
  return { sends, isComplete: ofAll !== undefined }
}

/** For a run that goes on in another process than it began: its guards must be in the database. */
export async function checkSends(ctx: Context, sends: readonly Send[]): Promise<void> {
  const { epoch } = await readCell(ctx.db.system)
  const current = sends.filter((send) => send.epoch === epoch)
  if (await lacksSend(ctx.db.system, current))
    await fenceOff(ctx, 'the database does not know of a guard that a worker has set before it sent')
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
async function readOrWarn<T>(ctx: Context, source: string, read: () => Promise<T>): Promise<T | undefined> {
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
  await ctx.engine.send(saveWitnessJob(witness), newUuid()).catch((error: unknown) => {
    if (!(error instanceof UnknownServiceError)) return warn('engine')(error)
    // So it is at each first start: the worker registers after this comparison, and the next beat stores the witness.
    ctx.log.info('the engine knows no worker yet, so it does not keep the witness of the database yet')
  })
  if (ctx.nowMs() - memory.copiedAtMs >= copyEveryMs) await copyWitness(ctx).catch(warn('media store'))
}

/** Stores what this process saw last beside the media files: once a minute, and when the worker stops. */
export async function copyWitness(ctx: Context): Promise<void> {
  const memory = ctx.resources.get(createMemory, ctx)
  if (!memory.last) return
  await writeWitnessCopy(ctx.storage, memory.last)
  memory.copiedAtMs = ctx.nowMs()
}

const attemptsMax = 60
const remindEveryMs = 60_000

/**
 * Compares the database with its witness, before the worker does anything else. Then `beat` must run every 8 s: a comparison allows sending
 * for 40 s. A fenced worker keeps running: it does what sends nothing, and it goes on by itself when an operator has lifted the fence.
 */
export async function startWitness(ctx: Context): Promise<{ beat(): Promise<WitnessCheck>; stop(): Promise<void> }> {
  await checkFirst(ctx)
  let remindedAtMs = -Infinity
  return {
    async beat() {
      const check = await checkWitness(ctx)
      if (check === 'fenced' && ctx.nowMs() - remindedAtMs >= remindEveryMs) {
        remindedAtMs = ctx.nowMs()
        ctx.log.error('the database is fenced: nothing is sent; see docs/guides/backups.md')
      }
      return check
    },
    async stop() {
      await copyWitness(ctx).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'the witness of the database could not be stored when the worker stopped'),
      )
    },
  }
}

/** The engine may still be starting. Without an answer from it, nothing is known about the database. */
async function checkFirst(ctx: Context): Promise<WitnessCheck> {
  for (let n = 1; ; n++) {
    const check = await checkWitness(ctx)
    if (check !== 'undecided') return check
    if (n >= attemptsMax) throw new Error('the witness of the database could not be read; is the engine running?')
    await sleep(1000)
  }
}
