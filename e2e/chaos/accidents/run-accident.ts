import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand, waitUntil } from '@carillon/stack/services'
import { fieldsOf, textOf } from '../client/json.ts'
import { sleepUntil } from '../client/drive-post.ts'
import type { Violation } from '../judge/violation.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { promote } from '../stack/start-standby.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { sleepMs, type AccidentPlan } from './plan-accident.ts'

const fencedWithinMs = 60_000
/** How long a fenced service is watched before the operator acts. */
const fencedMs = 10_000
/** How long the processes really stand still when the machine sleeps. A process looks for a new clock once a second. */
const stillMs = 4000

/** Carries out what happens to the database, and does what the guide tells the operator to do. */
export async function runAccident(stack: ChaosStack, plan: AccidentPlan, beganMs: number): Promise<Violation[]> {
  switch (plan.accident) {
    case 'standby failover':
      return failOver(stack, plan, beganMs)
    case 'an hour asleep':
      return sleepForAnHour(stack, plan, beganMs)
    default:
      return restore(stack, plan, beganMs)
  }
}

/**
 * The machine is suspended, and an hour later every process goes on where it was: timers have not moved, the clock has. Only the engine's clock
 * stays, because its program is linked statically.
 */
async function sleepForAnHour(stack: ChaosStack, { seed, accidentAtMs }: AccidentPlan, beganMs: number): Promise<Violation[]> {
  const { supervisor, parts, disturbances, moveClock } = stack
  if (!moveClock) throw new Error('libfaketime is not installed')
  await sleepUntil(beganMs + accidentAtMs)
  const disturbance = { seed, kind: 'long pause' as const, target: 'machine', fromMs: Date.now(), untilMs: 0 }
  disturbances.push(disturbance)
  const asleep = Promise.all(
    ['api', 'postgres', ...parts.workers, ...parts.engines].map((each) => supervisor.pause(each, stillMs)),
  )
  await sleep(stillMs / 2)
  await moveClock(sleepMs)
  await asleep
  disturbance.untilMs = stack.nowMs()
  return []
}

/** Sets the database back to a copy while the workers run, which is worse than what an operator does, who stops them first. */
async function restore(stack: ChaosStack, plan: AccidentPlan, beganMs: number): Promise<Violation[]> {
  const { supervisor, operator, info, engineDataDir, disturbances } = stack
  const data = join(info.dir, 'postgres', 'data')
  const backup = join(info.dir, 'backup')
  const copyFolder = (from: string, to: string) => runCommand('cp', ['-a', from, to], { cwd: info.dir })
  await sleepUntil(beganMs + plan.backupAtMs)
  await supervisor.kill('postgres', 0, async () => {
    await rm(backup, { recursive: true, force: true })
    await copyFolder(data, backup)
  })
  const lostFrom = new Date().toISOString()
  await sleepUntil(beganMs + plan.accidentAtMs)
  const disturbance = { seed: plan.seed, kind: 'kill database' as const, target: 'postgres', fromMs: Date.now(), untilMs: 0 }
  disturbances.push(disturbance)
  const emptied =
    plan.accident === 'database restored, engine emptied' && engineDataDir !== null
      ? supervisor.kill('engine', 0, () => rm(engineDataDir, { recursive: true, force: true }))
      : null
  await supervisor.kill('postgres', 0, async () => {
    await rm(data, { recursive: true })
    await copyFolder(backup, data)
  })
  await emptied
  const readStatus = async () => fieldsOf(await operator(['fence', 'status', '--json']))
  try {
    const withinMs = fencedWithinMs * measureSlowness()
    await waitUntil(async () => (await readStatus())['status'] === 'fenced', { what: 'the fence', withinMs, everyMs: 500 })
  } catch {
    return [
      {
        kind: 'fence',
        text: plan.accident,
        detail: `the restored database was not fenced: ${JSON.stringify(await readStatus())}`,
      },
    ]
  }
  await sleep(fencedMs)
  const lostUntil = textOf((await readStatus())['suggestedLostUntil'])
  if (lostUntil === null) return [{ kind: 'fence', text: plan.accident, detail: 'no end of the lost time is suggested' }]
  await operator(['restore', 'finish', '--json', '--lost-from', lostFrom, '--lost-until', lostUntil])
  disturbance.untilMs = Date.now()
  return []
}

async function failOver(stack: ChaosStack, plan: AccidentPlan, beganMs: number): Promise<Violation[]> {
  const { supervisor, operator, links, standby, disturbances } = stack
  if (!standby) throw new Error('this stack has no standby')
  await sleepUntil(beganMs + plan.accidentAtMs)
  const disturbance = { seed: plan.seed, kind: 'kill database' as const, target: 'postgres', fromMs: Date.now(), untilMs: 0 }
  disturbances.push(disturbance)
  await supervisor.retire('postgres')
  await promote(standby)
  for (const [name, link] of Object.entries(links)) if (name.endsWith('>database')) link.retarget(standby.port)
  disturbance.untilMs = Date.now()
  await sleep(fencedMs)
  const { status } = fieldsOf(await operator(['fence', 'status', '--json']))
  return status === 'open'
    ? []
    : [{ kind: 'fence', text: plan.accident, detail: `after the failover the fence is ${String(status)}` }]
}
