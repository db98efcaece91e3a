import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheDir, freePort, runCommand, startProgram } from '@carillon/stack/services'

const verdaccio = '6.10.4'

/** A registry of npm packages on this machine. `env` makes npm use it, with a cache of its own and the right to publish. */
export type Registry = { url: string; env: Record<string, string>; stop(): Promise<void> }

export async function startRegistry(dir: string): Promise<Registry> {
  const program = await installVerdaccio()
  await mkdir(dir, { recursive: true })
  const url = `http://127.0.0.1:${await freePort()}`
  const upstream = (await runCommand('npm', ['config', 'get', 'registry'])).trim()
  const config = join(dir, 'config.yaml')
  await writeFile(config, JSON.stringify(describeRegistry(dir, upstream)))
  const running = await startProgram({
    name: 'verdaccio',
    command: process.execPath,
    args: [program, '--config', config, '--listen', url.replace('http://', '')],
    cwd: dir,
    logFile: join(dir, 'verdaccio.log'),
    isReady: async () => (await fetch(`${url}/-/ping`)).ok,
  })
  const npmrc = join(dir, 'npmrc')
  await writeFile(npmrc, `registry=${url}/\n${url.replace('http:', '')}/:_authToken=${await createPublisher(url)}\n`, {
    mode: 0o600,
  })
  const env = {
    npm_config_userconfig: npmrc,
    npm_config_registry: `${url}/`,
    npm_config_cache: join(dir, 'npm-cache'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    // The programs of the packages need the Node of this run, which may not be the one of the machine.
    PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
  }
  return { url, env, stop: () => running.stop() }
}

/**
 * Packages of other projects come from the registry that this machine uses. Ours are never looked for there, so that only what was published
 * here is found.
 */
function describeRegistry(dir: string, upstream: string): object {
  const ours = { access: '$all', publish: '$authenticated' }
  return {
    storage: join(dir, 'storage'),
    auth: { htpasswd: { file: join(dir, 'htpasswd'), max_users: 1 } },
    uplinks: { upstream: { url: upstream, timeout: '120s' } },
    packages: { carillon: ours, '@carillon/*': ours, '**': { access: '$all', proxy: 'upstream' } },
    max_body_size: '200mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  }
}

async function createPublisher(url: string): Promise<string> {
  const response = await fetch(`${url}/-/user/org.couchdb.user:publisher`, {
    method: 'PUT',
    body: JSON.stringify({ name: 'publisher', password: crypto.randomUUID() }),
    headers: { 'content-type': 'application/json' },
  })
  const { token } = (await response.json()) as { token?: string }
  if (token === undefined) throw new Error(`the registry answered ${response.status} and no token`)
  return token
}

/** Once per machine. It is no dependency of the repository: only this rehearsal needs it. */
async function installVerdaccio(): Promise<string> {
  const folder = join(cacheDir(), `verdaccio-${verdaccio}`)
  const program = (parent: string) => join(parent, 'node_modules/verdaccio/bin/verdaccio')
  if (existsSync(program(folder))) return program(folder)
  const partial = `${folder}.${process.pid}`
  await mkdir(partial, { recursive: true })
  try {
    // It asks for a tag of node-fetch, which registries that copy another one may not have.
    const manifest = { private: true, overrides: { 'node-fetch': '2.7.0' } }
    await writeFile(join(partial, 'package.json'), JSON.stringify(manifest))
    await runCommand('npm', ['install', '--no-fund', '--no-audit', '--save-exact', `verdaccio@${verdaccio}`], { cwd: partial })
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  return program(folder)
}
