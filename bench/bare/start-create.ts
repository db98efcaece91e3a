import { join } from 'node:path'
import { freePort, isFree, startProgram } from '@carillon/scripts/services'
import type { Stack } from '@carillon/scripts/stack'
import { cleanUpWith } from '../cleanup.ts'
import { askJson } from '../json.ts'
import type { Load } from '../load/http-load.ts'

type Options = { slugs: readonly string[]; connections: number }

/** The bare script as a process of its own, as the API is one. */
export async function startBareCreate({ info }: Stack, { slugs, connections }: Options) {
  const control = await freePort()
  const running = await startProgram({
    name: 'bare create',
    command: process.execPath,
    args: [
      join(import.meta.dirname, 'create.ts'),
      '--control',
      String(control),
      '--database',
      info.databaseUrl,
      '--workspace',
      info.workspaceId,
      '--slugs',
      slugs.join(','),
      '--connections',
      String(connections),
    ],
    logFile: join(info.dir, 'logs/bare-create.log'),
    isReady: async () => !(await isFree(control)),
  })
  const forget = cleanUpWith(() => running.stop())
  return {
    pid: running.pid,
    run: (seconds: number, due: 'now' | 'later') => askJson<Load>(`http://127.0.0.1:${control}/?seconds=${seconds}&due=${due}`),
    async stop() {
      forget()
      await running.stop()
    },
  }
}
