import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../problem/start-error.ts'

/** What must stay the same from one start of a trial to the next. */
type TrialState = { secretKeys: string; databasePassword: string }

const stateFile = 'secrets.json'
const runningFile = 'running.json'

/** Only the owner may read the file: the key in it opens every secret in the database. */
export async function openTrialState(dir: string): Promise<TrialState> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, stateFile)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text !== null) return JSON.parse(text)
  const state = {
    secretKeys: `k1:${randomBytes(32).toString('base64')}`,
    databasePassword: randomBytes(24).toString('base64url'),
  }
  await writeFile(path, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return state
}

type Process = { name: string; pid: number }

/** Throws while programs of an earlier start still use the folder. */
export async function refuseRunningTrial(dir: string): Promise<void> {
  const text = await readFile(join(dir, runningFile), 'utf8').catch(() => '[]')
  const alive = (JSON.parse(text) as Process[]).filter(({ pid }) => isAlive(pid))
  if (alive.length === 0) return
  const list = alive.map(({ name, pid }) => `${name} (process ${pid})`).join(', ')
  throw new StartError(
    `A trial with the data in ${dir} still runs: ${list}. Stop it with Ctrl-C in its terminal, or with: kill ` +
      `${alive.map(({ pid }) => pid).join(' ')}. Or use another folder with --data.`,
  )
}

export async function saveRunning(dir: string, processes: readonly Process[]): Promise<void> {
  const path = join(dir, runningFile)
  if (processes.length === 0) return rm(path, { force: true })
  await writeFile(path, JSON.stringify(processes.map(({ name, pid }) => ({ name, pid }))))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
