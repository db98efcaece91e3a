import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProgram, type Running } from '../process.ts'
import { respondsOk } from '../wait-until.ts'

export const adminApi = '/ghost/api/admin'

export type GhostSite = {
  /** The folder of the program. */
  app: string
  /** Files, themes and the database. */
  content: string
  /** The folder of the settings and of the log. */
  dir: string
  port: number
  publicUrl: string
}

export async function launchGhost({ app, content, dir, port, publicUrl }: GhostSite): Promise<Running> {
  await mkdir(dir, { recursive: true })
  // Ghost reads its settings from the folder that it is started in, and looks there for the program under this name.
  const current = join(dir, 'current')
  await rm(current, { force: true })
  await symlink(app, current)
  const settings = {
    url: publicUrl,
    server: { host: '127.0.0.1', port },
    database: {
      client: 'better-sqlite3',
      connection: { filename: join(content, 'data/ghost.db') },
      useNullAsDefault: true,
    },
    mail: { transport: 'stub' },
    paths: { contentPath: content },
    // It would call servers of its makers and of others.
    privacy: { useUpdateCheck: false, useGravatar: false, useRpcPing: false },
    explore: { update_url: '' },
    // Signing in would need a code from a mail.
    security: { staffDeviceVerification: false },
    logging: { level: 'warn', transports: ['stdout'] },
  }
  await writeFile(join(dir, 'config.production.json'), JSON.stringify(settings))
  return startProgram({
    name: 'Ghost',
    command: process.execPath,
    args: [join(current, 'index.js')],
    cwd: dir,
    env: { NODE_ENV: 'production' },
    logFile: join(dir, 'ghost.log'),
    isReady: () => respondsOk(`http://127.0.0.1:${port}${adminApi}/site/`),
  })
}
