import { cp, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fieldsOf, textOf } from '../client/json.ts'
import type { StackFault } from '../plan/plan-stack-faults.ts'
import { calmSlots } from '../plan/slot.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import type { Link } from '../stack/start-link.ts'

const clockOffsetMs = 3000
const slowByMs = 120

/** Carries out one fault and resolves when it is over and every part is up. Gives the reason if it could not be carried out. */
export async function carryOutStackFault(stack: ChaosStack, seed: number, fault: StackFault): Promise<string | null> {
  const { kind, target, forMs } = fault
  const { supervisor, receiver, clock, engineDataDir } = stack
  const targets = target.split(' ')
  switch (kind) {
    case 'kill api':
    case 'kill worker':
    case 'kill engine':
    case 'kill database':
      await supervisor.kill(target, forMs)
      return null
    case 'wipe engine':
      if (engineDataDir === null) return 'a cluster is not wiped'
      await supervisor.kill(target, forMs, () => rm(engineDataDir, { recursive: true, force: true }))
      return null
    case 'set back engine': {
      if (engineDataDir === null) return 'a cluster is not set back'
      const copy = `${engineDataDir}-copy`
      const replace = async (from: string, to: string) => {
        await rm(to, { recursive: true, force: true })
        await cp(from, to, { recursive: true })
      }
      await supervisor.kill(target, 0, () => replace(engineDataDir, copy))
      await sleep(forMs)
      await supervisor.kill(target, 0, () => replace(copy, engineDataDir))
      return null
    }
    case 'foreign row':
      return addForeignRow(stack, forMs)
    case 'crowded database':
      return refuseConnections(stack, forMs)
    case 'backup':
      return holdSnapshot(stack, forMs)
    case 'disk full':
      return fillDisk(stack, forMs)
    case 'backlog':
    case 'tarpit':
      return stack.crowd.send(seed, fault)
    case 'pause api':
    case 'pause worker':
    case 'pause engine':
    case 'pause database':
    case 'long pause':
      await Promise.all(targets.map((each) => supervisor.pause(each, forMs)))
      return null
    case 'rolling deploy':
      for (const each of targets) await supervisor.replace(each)
      return null
    case 'cut database':
    case 'cut engine':
      await linkOf(stack, target).cut(forMs)
      return null
    case 'half-open database':
    case 'half-open engine':
      linkOf(stack, target).halfOpen()
      return null
    case 'partition database':
    case 'partition engine':
      await linkOf(stack, target).partition(forMs)
      return null
    case 'slow database':
    case 'slow engine':
      await linkOf(stack, target).slow(forMs, slowByMs)
      return null
    case 'webhooks hang':
    case 'webhooks fail':
      await receiver.misbehave(kind === 'webhooks hang' ? 'hang' : 'fail', forMs)
      return null
    case 'clock ahead':
    case 'clock behind':
      if (!clock) return 'libfaketime is not installed'
      await clock.shift(kind === 'clock ahead' ? clockOffsetMs : -clockOffsetMs)
      await sleep(forMs)
      await clock.shift(0)
      return null
  }
}

/** A channel of a platform that this release does not know, as a newer release that was rolled back leaves it, is due with all others. */
async function addForeignRow({ apis, accountSets, query }: ChaosStack, forMs: number): Promise<string | null> {
  const [slot] = calmSlots
  const slug = slot && accountSets[0]?.of(slot).slug
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  const body = { text: 'of a later release', connections: [slug], scheduledAt }
  const created = await apis.eager({ method: 'POST', path: '/content/text', body })
  const id = textOf(fieldsOf(created.data)['uploadId'])
  if (id === null) return `the post was not created: ${JSON.stringify(created.body)}`
  await query(
    `update channel set platform = 'later', due_at = now() + interval '1 second', dispatch_at = now() + interval '1 second' where post_id = $1`,
    [id],
  )
  await sleep(forMs)
  await query('delete from post where id = $1', [id])
  return null
}

/** All connections of the servers end, and they get no new ones. */
async function refuseConnections({ query }: ChaosStack, forMs: number): Promise<string | null> {
  const roles = await query(
    'select distinct r.rolname from pg_stat_activity a join pg_roles r on r.rolname = a.usename where not r.rolsuper',
  )
  const names = roles.map(({ rolname }) => String(rolname))
  if (names.length === 0) return 'the servers use a superuser, whose connections are not limited'
  const limit = async (count: number) => {
    for (const name of names) await query(`alter role "${name}" connection limit ${count}`)
  }
  await limit(0)
  try {
    await query('select pg_terminate_backend(pid) from pg_stat_activity where usename = any($1)', [names])
    await sleep(forMs)
  } finally {
    await limit(-1)
  }
  return null
}

/** A backup holds a snapshot for as long as it runs, and PostgreSQL keeps everything that is deleted or changed meanwhile. */
async function holdSnapshot({ query }: ChaosStack, forMs: number): Promise<string | null> {
  await query('select pg_sleep($1) from (select count(*) from workspace) as begun', [forMs / 1000]).catch(() => {
    // Another fault ended the connection, and the backup with it.
  })
  return null
}

/** No table can grow: every insert fails, and many updates. */
async function fillDisk({ smallDisk }: ChaosStack, forMs: number): Promise<string | null> {
  if (!smallDisk) return 'nothing may be mounted here'
  await smallDisk.fill()
  await sleep(forMs)
  await smallDisk.empty()
  return null
}

function linkOf({ links }: ChaosStack, name: string): Link {
  const link = links[name]
  if (!link) throw new Error(`there is no connection "${name}"`)
  return link
}
