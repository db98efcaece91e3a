import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-ports.ts'
import type { Running } from '../process.ts'
import { installGhost } from './ghost-install.ts'
import { launchGhost } from './launch-ghost.ts'

export type GhostOptions = { dir: string; port?: number; publicUrl?: string }

/** A site with one integration. */
export type Ghost = Running & { url: string; adminKey: string }

/** Starts Ghost with an empty site. `publicUrl` is the address in what it answers, if it is another one than that at which it listens. */
export async function startGhost(options: GhostOptions): Promise<Ghost> {
  const installed = await installGhost()
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const content = join(options.dir, 'content')
  await rm(content, { recursive: true, force: true })
  await cp(installed.content, content, { recursive: true })
  const { app } = installed
  const running = await launchGhost({ app, content, dir: options.dir, port, publicUrl: options.publicUrl ?? url })
  return Object.assign(running, { url, adminKey: await readFile(installed.keyFile, 'utf8') })
}
