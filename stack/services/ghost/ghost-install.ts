import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-ports.ts'
import { installOnce } from '../install-once.ts'
import { installPds } from '../pds/pds-install.ts'
import { runCommand } from '../run-command.ts'
import { launchGhost } from './launch-ghost.ts'
import { setUpSite } from './set-up-site.ts'

const version = '6.65.0'

/** An empty site whose database has all tables, of which each test has a copy. */
export type GhostInstall = { app: string; content: string; keyFile: string }

/** Installs Ghost once per machine, beside the Bluesky PDS, and returns where it is. */
export async function installGhost(): Promise<GhostInstall> {
  const dir = await installOnce(`ghost-${version}`, build)
  return { app: join(dir, 'package'), content: join(dir, 'content'), keyFile: join(dir, 'admin-key') }
}

async function build(dir: string): Promise<void> {
  await runCommand('npm', ['pack', '--silent', `ghost@${version}`], { cwd: dir })
  const archive = (await readdir(dir)).find((file) => file.endsWith('.tgz')) ?? ''
  await runCommand('tar', ['-xzf', archive], { cwd: dir })
  await rm(join(dir, archive))
  const app = join(dir, 'package')
  // It names another version of pnpm, which pnpm would fetch. Its lock file is what makes the installation possible: npm finds no versions.
  await runCommand('npm', ['pkg', 'delete', 'packageManager'], { cwd: app })
  const store = join(dir, 'store')
  await runCommand('pnpm', ['install', '--prod', '--frozen-lockfile', '--ignore-scripts', '--store-dir', store], { cwd: app })
  await rm(store, { recursive: true })
  await takeSqlite(app)
  await prepareSite(dir, app)
}

/** The PDS needs the same package, compiled: doing it again would take two minutes. */
async function takeSqlite(app: string): Promise<void> {
  const folder = 'node_modules/better-sqlite3'
  const [theirs, ours] = [join((await installPds()).app, folder), join(app, folder)]
  const [wanted, found] = await Promise.all([versionOf(ours), versionOf(theirs)])
  if (wanted !== found) throw new Error(`Ghost needs better-sqlite3 ${wanted}, and the one compiled for the PDS is ${found}`)
  const file = 'build/Release/better_sqlite3.node'
  await cp(join(theirs, file), join(ours, file))
}

async function versionOf(folder: string): Promise<string> {
  const { version: found } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return found
}

/** The first start makes the tables, and the owner and the key are made then. */
async function prepareSite(dir: string, app: string): Promise<void> {
  const content = join(dir, 'content')
  await cp(join(app, 'content'), content, { recursive: true })
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const ghost = await launchGhost({ app, content, dir: join(dir, 'first-start'), port, publicUrl })
  try {
    await writeFile(join(dir, 'admin-key'), await setUpSite(publicUrl))
  } finally {
    await ghost.stop()
  }
}
