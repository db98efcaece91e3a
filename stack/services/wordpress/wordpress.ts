import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-ports.ts'
import { startProgram, type Running } from '../process.ts'
import { respondsOk } from '../wait-until.ts'
import { findOrBuildWordpress, php } from './wordpress-install.ts'

export type WordpressOptions = { dir: string; port?: number; publicUrl?: string }

/** A site with one author, who may publish posts of their own and nothing else. */
export type Wordpress = Running & { url: string; username: string; applicationPassword: string }

/**
 * Starts WordPress with an empty site. `publicUrl` is the address in what it answers, if it is another one than that at which it listens. It answers
 * one request after the other.
 */
export async function startWordpress(options: WordpressOptions): Promise<Wordpress> {
  const { html, passwordFile } = await findOrBuildWordpress()
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const site = join(options.dir, 'html')
  await rm(site, { recursive: true, force: true })
  await cp(html, site, { recursive: true })
  const running = await startProgram({
    name: 'WordPress',
    command: php,
    args: ['-S', `127.0.0.1:${port}`, '-t', site],
    cwd: options.dir,
    env: { CARILLON_WP_URL: options.publicUrl ?? url },
    logFile: join(options.dir, 'wordpress.log'),
    isReady: () => respondsOk(`${url}/wp-json/`),
  })
  const applicationPassword = await readFile(passwordFile, 'utf8')
  return Object.assign(running, { url, username: 'alice', applicationPassword })
}
