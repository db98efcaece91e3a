import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './folders.ts'
import { runCommand } from './run-command.ts'

/** What the app is built from. */
const sources = ['web', 'core/src', 'sdk/src', 'contract/src', 'connectors/src']
const ignored = new Set(['node_modules', 'dist'])

/** Builds the web app into web/dist, unless what is there is newer than all of its sources. */
export async function buildWeb(): Promise<void> {
  const built = await stat(join(root, 'web/dist/index.html')).catch(() => null)
  const newestMs = Math.max(...(await Promise.all(sources.map((folder) => newestIn(join(root, folder))))))
  if (built && built.mtimeMs > newestMs) return
  const vite = join(root, 'web/node_modules/vite/bin/vite.js')
  // A test runner sets another value, with which the app would be built for development, with the paths of its sources inside.
  const env = { NODE_ENV: 'production' }
  await runCommand(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web'), env })
}

async function newestIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true })
  const times = await Promise.all(
    entries
      .filter(({ name }) => !ignored.has(name))
      .map(async (entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? newestIn(path) : (await stat(path)).mtimeMs
      }),
  )
  return Math.max(0, ...times)
}
