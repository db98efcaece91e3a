import { explainError } from '../../infra/command-line/explain-error.ts'
import { fail, skipped, type Check, type Finding, type Subject } from './check.ts'

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
