import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createCarillon } from '@carillon/sdk'
import type { PostView } from '@carillon/simulator'
import { upStack } from '@carillon/stack'
import { runCommand, waitUntil } from '@carillon/stack/services'

type FenceStatus = {
  status: 'open' | 'fenced' | 'unchecked'
  epoch: number
  reason: string | null
  suggestedLostUntil?: string
}
type FinishedRestore = { epoch: number; wasFinished: boolean; doubtedChannels: number }

/** A stack whose database can be copied and put back, as an operator does with a backup. */
export async function startRestoreStack() {
  const stack = await upStack({ name: 'e2e-restore', fsync: false })
  const { info, postgres, restate, servers, run } = stack
  const server = servers.all
  if (!server) throw new Error('the stack runs one server for everything')
  const data = join(info.dir, 'postgres', 'data')
  const backup = join(info.dir, 'backup')
  const copyFolder = (from: string, to: string) => runCommand('cp', ['-a', from, to], { cwd: info.dir })
  const origin = new URL(info.baseUrl).origin
  let starting = Promise.resolve()
  return {
    info,
    carillon: createCarillon({ baseUrl: info.baseUrl, apiKey: info.apiKey, workspaceId: info.workspaceId }),
    /** The database's folder while the database is stopped. The other services go on. Returns the time of the backup. */
    async takeBackup(): Promise<Date> {
      await postgres.stop()
      await copyFolder(data, backup)
      const at = new Date()
      await postgres.restart()
      return at
    },
    async killAll(): Promise<void> {
      await Promise.all([server.kill(), postgres.kill(), restate.kill()])
    },
    async putBackupBack(): Promise<void> {
      await rm(data, { recursive: true })
      await copyFolder(backup, data)
    },
    emptyEngine: () => rm(join(info.dir, 'restate', 'data'), { recursive: true }),
    /** Starts everything. A fenced server answers, but it is not ready, so its readiness is not waited for here. */
    async startAll(): Promise<void> {
      await Promise.all([postgres.restart(), restate.restart()])
      starting = server.restart()
      starting.catch(() => {})
      const isLive = async () => (await fetch(`${origin}/health/live`)).ok
      await waitUntil(isLive, { what: 'the API to answer', withinMs: 60_000 })
    },
    // A server that was fenced for longer than a start may take was stopped, so it is started again.
    waitUntilReady: () => starting.catch(() => server.restart()),
    readiness: async () => {
      const response = await fetch(`${origin}/health/ready`)
      return { status: response.status, text: await response.text() }
    },
    fenceStatus: async () => (await run(['fence', 'status', '--json'])) as FenceStatus,
    finishRestore: async (from: string, until: string) =>
      (await run(['restore', 'finish', '--json', '--lost-from', from, '--lost-until', until])) as FinishedRestore,
    async platformPosts(text: string): Promise<PostView[]> {
      const response = await fetch(`${info.simulatorUrl}/_control/posts?text=${encodeURIComponent(text)}`)
      return (await response.json()) as PostView[]
    },
    stop: () => stack.stop(),
  }
}
