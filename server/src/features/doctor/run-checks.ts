import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { explainError } from '../../infra/command-line/explain-error.ts'
import { findProgram } from '../../infra/sandbox/system-paths.ts'
import { type Check, type Finding, type Machine, type Subject, fail, skipped } from './check.ts'

export type NamedFinding = Finding & { name: string }

const checkMsMax = 30_000

/** Runs checks at the same time, each after those that it depends on. The findings are in the order of the checks. */
export async function runChecks(checks: readonly Check[], subject: Subject): Promise<NamedFinding[]> {
  const running = new Map<string, Promise<Finding>>()
  for (const check of checks) running.set(check.name, runAfter(check, running, subject))
  return Promise.all(checks.map(async ({ name }) => ({ name, ...(await running.get(name)) }) as NamedFinding))
}

async function runAfter(check: Check, earlier: ReadonlyMap<string, Promise<Finding>>, subject: Subject): Promise<Finding> {
  for (const name of check.after ?? []) {
    const { status } = (await earlier.get(name)) ?? skipped('')
    if (status === 'fail' || status === 'skipped') return skipped(`Not checked, because it needs "${name}".`)
  }
  return runOne(check, subject)
}

/** A check that throws has found a fault that it does not know. */
async function runOne({ run }: Check, subject: Subject): Promise<Finding> {
  const { promise: late, resolve } = Promise.withResolvers<Finding>()
  const timer = setTimeout(
    () =>
      resolve(fail(`There was no answer within ${checkMsMax / 1000} seconds.`, 'Look at the service and at the network to it.')),
    checkMsMax,
  )
  try {
    return await Promise.race([run(subject), late])
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return fail(explainError(error) ?? message, 'Correct this, and run "carillon doctor" again.')
  } finally {
    clearTimeout(timer)
  }
}

export const thisMachine: Machine = { nowMs: Date.now, freeBytes, findProgram }

/** Of the folder, or of the nearest folder above that exists. */
async function freeBytes(dir: string): Promise<number> {
  for (let folder = dir; ; folder = dirname(folder)) {
    try {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['ENOENT', 'ENOTDIR'].includes(code) || folder === dirname(folder)) throw error
    }
  }
}
