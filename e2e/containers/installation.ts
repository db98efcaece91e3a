import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '@carillon/stack/services'
import { copyRepository } from '../support/copy-repository.ts'

type Options = { ports: { http: number; https: number; simulator: number; own: number } }

type Answer<T> = { status: number; data: T; text: string }
type Body = { json?: unknown; form?: FormData; workspace?: string; method?: string }

/** The files that a clone of this state of the repository has, with an installation in its folder `deploy`. */
export async function makeInstallation({ ports }: Options) {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-containers-'))
  const project = `carillon-test-${process.pid}`
  const image = `carillon-test:${process.pid}`
  await copyRepository(dir)
  const deploy = join(dir, 'deploy')
  const hasNpmrc = (await stat(join(homedir(), '.npmrc')).catch(() => null)) !== null
  await writeFile(join(deploy, 'compose.build.yaml'), JSON.stringify(buildOptions(hasNpmrc)))
  const settings = {
    COMPOSE_PROJECT_NAME: project,
    CARILLON_IMAGE: image,
    CARILLON_HTTP_PORT: `127.0.0.1:${ports.http}`,
    CARILLON_HTTPS_PORT: `127.0.0.1:${ports.https}`,
    CARILLON_SIMULATOR_PORT: String(ports.simulator),
    CARILLON_LISTEN: `127.0.0.1:${ports.own}`,
  }
  /** Settings go where an operator writes them. */
  const configure = (more: Record<string, string>) => {
    const lines = Object.entries({ ...settings, ...more }).map(([name, value]) => `${name}=${value}\n`)
    return writeFile(join(deploy, '.env'), lines.join(''))
  }
  const withSimulator = 'compose.yaml:compose.try.yaml:compose.build.yaml'
  await configure({ COMPOSE_FILE: withSimulator })
  const run = (command: string) =>
    runCommand('sh', ['-c', command.replaceAll(/(?<= )carillon_/g, `${project}_`)], {
      cwd: deploy,
      env: { DOCKER_BUILDKIT: '1' },
    })
  return {
    deploy,
    project,
    image,
    withSimulator,
    configure,
    run,
    async remove(): Promise<void> {
      await configure({ COMPOSE_FILE: withSimulator })
      // The backups belong to the user of the container.
      await run(`docker compose run --rm --no-deps --entrypoint /usr/bin/node prepare -e "${emptyBackups}"`).catch(() => '')
      await run('docker compose down --volumes --remove-orphans').catch(() => '')
      await runCommand('docker', ['image', 'rm', '--force', image, `${image}-next`]).catch(() => '')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const emptyBackups =
  "const { readdirSync, rmSync } = require('fs'); for (const name of readdirSync('/prepare/backups')) rmSync('/prepare/backups/' + name, { recursive: true })"

/** A machine may reach its package registry only with its own settings and addresses. */
function buildOptions(hasNpmrc: boolean) {
  const build = { network: 'host', ...(hasNpmrc && { secrets: ['npmrc'] }) }
  return { services: { carillon: { build } }, ...(hasNpmrc && { secrets: { npmrc: { file: join(homedir(), '.npmrc') } } }) }
}

/** A browser of one person: sends to a port of this machine what is meant for http://localhost, and keeps the cookies. */
export function openBrowser(port: () => number) {
  let cookie = ''
  return async function ask<T = unknown>(path: string, { json, form, workspace, method }: Body = {}): Promise<Answer<T>> {
    const packed = form ? new Response(form) : null
    const body = packed ? Buffer.from(await packed.arrayBuffer()) : json === undefined ? null : Buffer.from(JSON.stringify(json))
    const headers = {
      host: 'localhost',
      origin: 'http://localhost',
      accept: 'application/json',
      ...(cookie && { cookie }),
      ...(workspace && { 'x-workspace-id': workspace }),
      ...(body && { 'content-type': packed?.headers.get('content-type') ?? 'application/json', 'content-length': body.length }),
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer<T>>()
    const options = { port: port(), path, method: method ?? (body ? 'POST' : 'GET'), headers, timeout: 30_000 }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject).on('end', () => {
        const set = response.headers['set-cookie']?.map((each) => each.split(';')[0])
        if (set) cookie = set.join('; ')
        resolve({ status: response.statusCode ?? 0, data: readData<T>(text), text })
      })
    })
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error(`${path} did not answer`)))
    sent.end(body ?? undefined)
    return promise
  }
}

export type Ask = ReturnType<typeof openBrowser>

function readData<T>(text: string): T {
  try {
    const answer = JSON.parse(text) as { data?: T }
    return answer.data ?? (answer as T)
  } catch {
    return undefined as T
  }
}
