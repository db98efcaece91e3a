import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { MoveState } from '../../infra/cell/cell.store.ts'
import { cellParameter } from '../../infra/db/sql-parts.ts'
import { StartError } from '../../infra/problem/problem.ts'
import { loginUrls, ownerUrl } from '../../infra/logins/login-urls.ts'
import { copyFiles, haveSameStore, type CopiedFiles } from './copy-files.ts'
import { copyInstanceApps, copyParcels, copyPlatformApps } from './copy-parcels.store.ts'
import { copyLateEntries, deleteLeftovers, endSessions, hasParcels, unparkWorkspace } from './unpark-workspace.store.ts'
import { listFiles, listParkedFiles, type MediaFile } from './media-file.store.ts'
import {
  deleteMove,
  describeSchema,
  hasWorkspace,
  isSending,
  listPlatforms,
  lockForCommand,
  lockMove,
  parkWorkspace,
  releaseClaims,
  saveMove,
} from './park-workspace.store.ts'
import { openMoveClient, transact, type MoveClient } from './move-client.store.ts'
import { findAccounts, listPeople, movePeople } from './move-people.store.ts'
import { resealMoved } from './reseal-moved.store.ts'

/** A key that was found lately is not looked up again for half a second, so a process may accept a request that much longer. */
const closeMs = 700
const checkEveryMs = 200

export type Move = { source: Context; target: Context; workspaceId: string; drainMs: number }

export type Moved = {
  workspaceId: string
  from: number
  to: number
  rows: number
  files: CopiedFiles
  /** Sends that were running when the workspace was taken. The target asks the platforms about them. */
  inDoubt: number
  /** Secrets that no key of the source opens. */
  unreadable: number
  /** Where its members sign in now. */
  link: string
  /** How long the workspace was in neither cell; null if an earlier run of the command took it. */
  pauseMs: number | null
  /** How long its requests were refused: from shortly before it was taken until the source answered with the new cell. */
  closedMs: number | null
}

/**
 * Moves a workspace from one cell to another. At every moment its rows are in one place: in the tables of the source, in parcels, or in the
 * tables of the target. Each step is one transaction, so the command may be ended anywhere and started again.
 */
export async function moveWorkspace(move: Move): Promise<Moved> {
  return withSides(move, async (sides) => {
    const { source, target, workspaceId } = sides
    const files = { files: 0, bytes: 0, missing: 0 }
    const state = await readState(move, sides)
    if (state === 'moved' && !(await hasWorkspace(target, workspaceId))) throw new StartError(hasMovedBefore(move))
    let left: Left | null = null
    if (state !== 'parked' && state !== 'moved') {
      await checkMove(move, sides)
      await copyInstanceApps({ ...sides, keys: keysOf(move) })
      await copyPlatformApps({ ...sides, keys: keysOf(move) })
      add(files, await copyMissing(move, await listFiles(source, workspaceId)))
      left = await leave(move, sides)
    }
    const { rows, unreadable } = await arrive(move, sides, files).catch(explainInterruption)
    const pauseMs = left && msSince(left.parkedAtMs)
    // From here on the source answers with the new cell.
    await saveMove(source, { workspaceId, state: 'moved', cell: move.target.config.cell })
    const closedMs = left && msSince(left.closedAtMs)
    await finishSource(move, sides)
    const [from, to] = [move.source.config.cell, move.target.config.cell]
    const link = `${move.target.config.publicUrl}/sign-in?${cellParameter}=${to}`
    return { workspaceId, from, to, rows, files, inDoubt: left?.inDoubt ?? 0, unreadable, link, pauseMs, closedMs }
  })
}

function msSince(atMs: number): number {
  return Math.round(performance.now() - atMs)
}

/** The workspace is parked, so the operator must not leave it there. */
function explainInterruption(error: unknown): never {
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
  throw new StartError(
    `${reason}. The workspace is in neither cell now, and its posts wait. Run the same command again to go on, or with --undo to give it back.`,
    { cause: error },
  )
}

/** Gives a workspace that is on its way back to the source. Possible until the target has it. */
export async function undoMove(move: Move): Promise<void> {
  await withSides(move, async ({ source, target, workspaceId }) => {
    const state = await readState(move, { source, target, workspaceId })
    if (state === 'moved') throw new StartError(hasArrived(move))
    if (state !== 'parked') {
      if (state === 'leaving' || state === 'closing') await deleteMove(source, workspaceId)
      return
    }
    await transact(target, async () => {
      const there = await lockMove(target, workspaceId)
      if (there?.state === 'arrived') throw new StartError(hasArrived(move))
      await deleteMove(target, workspaceId)
      await saveMove(target, { workspaceId, state: 'moved', cell: move.source.config.cell })
    })
    await transact(source, async () => {
      await unparkWorkspace(source, { workspaceId, people: {}, hasAudit: true })
      await deleteMove(source, workspaceId)
    })
  })
}

function hasArrived({ target, workspaceId }: Move): string {
  return `The workspace ${workspaceId} is already in cell ${target.config.cell}. Move it back with the two cells exchanged.`
}

function hasMovedBefore({ source, workspaceId }: Move): string {
  return `The workspace ${workspaceId} has left cell ${source.config.cell} before, and is not in the target either: it moved on, or was deleted.`
}

/** How far an earlier run of the command came. A workspace that is on its way must not be sent to, or taken back from, another target. */
async function readState(move: Move, { source, workspaceId }: Sides): Promise<MoveState['state'] | undefined> {
  const found = await transact(source, () => lockMove(source, workspaceId))
  if ((found?.state === 'parked' || found?.state === 'moved') && found.cell !== move.target.config.cell)
    throw new StartError(
      `The workspace ${workspaceId} is on its way to cell ${found.cell}, or there. Give the settings of that cell.`,
    )
  return found?.state
}

type Sides = { source: MoveClient; target: MoveClient; workspaceId: string }

async function withSides<T>({ source, target, workspaceId }: Move, work: (sides: Sides) => Promise<T>): Promise<T> {
  const from = await openMoveClient(loginUrls(source.config).carillon_system)
  try {
    if (!(await lockForCommand(from, workspaceId)))
      throw new StartError(`Another command is moving the workspace ${workspaceId}. Wait until it has ended.`)
    const to = await openMoveClient(loginUrls(target.config).carillon_system)
    try {
      return await work({ source: from, target: to, workspaceId })
    } finally {
      await to.end()
    }
  } finally {
    await from.end()
  }
}

/** Refuses before anything is changed. */
async function checkMove(move: Move, { source, target, workspaceId }: Sides): Promise<void> {
  const [from, to] = [move.source.config, move.target.config]
  ownerUrl(from)
  if (from.cell === to.cell) throw new StartError(`Both installations are cell ${from.cell}. CARILLON_CELL must differ.`)
  if (from.publicUrl !== to.publicUrl)
    throw new StartError(
      `The cells have different public addresses (${from.publicUrl}, ${to.publicUrl}). Behind one router, CARILLON_PUBLIC_URL is the address of the router in all of them.`,
    )
  if (!(await hasWorkspace(source, workspaceId)))
    throw new StartError(`There is no workspace ${workspaceId} in cell ${from.cell}.`)
  if (await hasWorkspace(target, workspaceId))
    throw new StartError(
      `Cell ${to.cell} has this workspace already, so the one here is an old copy, for example from a restored backup. Nothing was changed.`,
    )
  if (await hasParcels(target, workspaceId))
    throw new StartError(
      `Cell ${to.cell} still has rows of this workspace from an earlier move that was not finished. Run that move again first: from cell ${to.cell} to cell ${from.cell}.`,
    )
  if ((await describeSchema(source)) !== (await describeSchema(target)))
    throw new StartError('The databases of the two cells have different schemas. Bring both cells to the same release first.')
  await findAccounts(target, await listPeople(source, workspaceId))
  const platforms = await listPlatforms(source, workspaceId)
  const differing = platforms.filter((platform) => from.apps[platform]?.clientId !== to.apps[platform]?.clientId)
  if (differing.length > 0)
    throw new StartError(
      `Tokens are renewed with the developer app that they were issued to, and the target has another one, or none, for: ${differing.join(', ')}. ` +
        'Give the target the same CARILLON_APP_… settings.',
    )
}

/** `inDoubt`: how many sends were interrupted. `closedAtMs`: since when requests are refused. */
type Left = { inDoubt: number; closedAtMs: number; parkedAtMs: number }

/** Waits until nothing of the workspace is being sent, and takes it out of the source. */
async function leave(move: Move, { source, workspaceId }: Sides): Promise<Left> {
  const cell = move.target.config.cell
  const endMs = performance.now() + move.drainMs
  try {
    for (let closedAtMs: number | null = null; ;) {
      await saveMove(source, { workspaceId, state: closedAtMs === null ? 'leaving' : 'closing', cell })
      await releaseClaims(source, workspaceId)
      const mayInterrupt = performance.now() > endMs
      if (closedAtMs !== null) {
        await sleep(closeMs)
        const parked = await parkWorkspace(source, workspaceId, mayInterrupt)
        if (parked.outcome === 'parked') return { inDoubt: parked.inDoubt, closedAtMs, parkedAtMs: performance.now() }
      }
      await sleep(checkEveryMs)
      const mayClose = mayInterrupt || !(await isSending(source, workspaceId))
      closedAtMs = mayClose ? (closedAtMs ?? performance.now()) : null
    }
  } catch (error) {
    // The workspace works again at once, and not only when the time of its row has passed.
    await transact(source, async () => {
      const state = (await lockMove(source, workspaceId))?.state
      if (state === 'leaving' || state === 'closing') await deleteMove(source, workspaceId)
    }).catch(() => {})
    throw error
  }
}

type Arrived = { rows: number; unreadable: number }

/** Brings the parcels to the target and unpacks them there in one transaction: with its commit, the target has the workspace. */
async function arrive(move: Move, sides: Sides, files: CopiedFiles): Promise<Arrived> {
  const { source, target, workspaceId } = sides
  const cell = move.source.config.cell
  const there = await transact(target, async () => {
    const found = await lockMove(target, workspaceId)
    if (found?.state === 'arrived' && (await hasWorkspace(target, workspaceId))) return 'arrived'
    if (found?.state !== 'arriving') {
      await deleteMove(target, workspaceId)
      await saveMove(target, { workspaceId, state: 'arriving', cell })
    }
    return 'arriving'
  })
  if (there === 'arrived') return { rows: 0, unreadable: 0 }
  await copyParcels({ source, target, workspaceId })
  add(files, await copyMissing(move, await listParkedFiles(source, workspaceId)))
  return transact(target, async () => {
    if ((await lockMove(target, workspaceId))?.state !== 'arriving')
      throw new StartError('The move was undone by another command. Nothing was changed.')
    const people = await movePeople(target, workspaceId, keysOf(move))
    const counts = await unparkWorkspace(target, { workspaceId, people, hasAudit: false })
    if (counts['workspace'] !== 1) throw new Error('the parcels contain no workspace')
    const unreadable = await resealMoved(target, workspaceId, keysOf(move))
    await deleteMove(target, workspaceId)
    await saveMove(target, { workspaceId, state: 'arrived', cell })
    return { rows: Object.values(counts).reduce((sum, count) => sum + count, 0), unreadable }
  })
}

/** Removes what the source still has. */
async function finishSource(move: Move, { source, target, workspaceId }: Sides): Promise<void> {
  if (!(await hasParcels(source, workspaceId))) return
  await copyLateEntries(source, target, workspaceId)
  await endSessions(source, workspaceId)
  const owner = await openMoveClient(ownerUrl(move.source.config))
  try {
    await deleteLeftovers(owner, workspaceId)
  } finally {
    await owner.end()
  }
}

async function copyMissing({ source, target }: Move, files: readonly MediaFile[]): Promise<CopiedFiles> {
  return haveSameStore(source.config, target.config) ? { files: 0, bytes: 0, missing: 0 } : copyFiles(source, target, files)
}

function add(total: CopiedFiles, more: CopiedFiles): void {
  total.files += more.files
  total.bytes += more.bytes
  total.missing = more.missing
}

function keysOf({ source, target }: Move) {
  return { from: source.config.secretKeys, to: target.config.secretKeys }
}
