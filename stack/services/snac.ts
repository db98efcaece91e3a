import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installBackport } from './debian.ts'
import { freePort } from './free-ports.ts'
import { jsonRequest, textOf } from './json-request.ts'
import { startProgram, type Running } from './process.ts'
import { runCommand } from './run-command.ts'
import { responds } from './wait-until.ts'

export type SnacOptions = { dir: string; port?: number }

type SnacAccount = { handle: string; password: string; token: string }

/** A small ActivityPub server with a part of Mastodon's API. It serves for successful requests, not for errors or repeated ones. */
export type Snac = Running & {
  url: string
  port: number
  createAccount(handle: string): Promise<SnacAccount>
}

const program = '/usr/bin/snac'

/** Returns undefined if snac is installed, otherwise the reason, with which a test is skipped. */
export async function installSnac(): Promise<string | undefined> {
  if (existsSync(program)) return undefined
  try {
    await installBackport('snac2')
    return undefined
  } catch (error) {
    return `snac2 cannot be installed from Debian's backports: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Starts snac without any data. */
export async function startSnac(options: SnacOptions): Promise<Snac> {
  const missing = await installSnac()
  if (missing !== undefined) throw new Error(missing)
  const port = options.port ?? (await freePort())
  const base = join(options.dir, 'base')
  const url = `http://localhost:${port}`
  await rm(base, { recursive: true, force: true })
  await mkdir(options.dir, { recursive: true })
  // The program reads address, port, host name, path prefix and mail address, in this order.
  await runCommand(program, ['init', base], { input: `127.0.0.1\n${port}\nlocalhost:${port}\n\n\n` })
  const settingsFile = join(base, 'server.json')
  const settings = await readFile(settingsFile, 'utf8')
  await writeFile(settingsFile, settings.replace(/"protocol": *"https"/, '"protocol": "http"'))
  const running = await startProgram({
    name: 'snac',
    command: program,
    args: ['httpd', base],
    cwd: options.dir,
    logFile: join(options.dir, 'snac.log'),
    isReady: () => responds(url),
  })
  return Object.assign(running, { url, port, createAccount: (handle: string) => createAccount({ base, url, handle }) })
}

type NewAccount = { base: string; url: string; handle: string }

async function createAccount({ base, url, handle }: NewAccount): Promise<SnacAccount> {
  let output = ''
  output += await runCommand(program, ['adduser', base, handle], { onErrorOutput: (text) => (output += text) })
  const password = /password is *(\S+)/.exec(output)?.[1]
  if (password === undefined) throw new Error(`snac adduser printed no password: ${output}`)
  return { handle, password, token: await signInAgain(() => signIn(url, handle, password)) }
}

const signInAttempts = 5

/** snac closes idle connections without notice, so a request on a connection that was kept open may fail. */
async function signInAgain(attempt: () => Promise<string>): Promise<string> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n >= signInAttempts || !(error instanceof TypeError)) throw error
    }
  }
}

const callback = 'http://localhost:9/callback'

/** Runs the authorisation code flow and posts the sign-in form as a browser would. */
async function signIn(url: string, login: string, passwd: string): Promise<string> {
  const form = (path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const app = await jsonRequest(`${url}/api/v1/apps`, {
    body: { client_name: 'carillon', redirect_uris: callback, scopes: 'read write' },
  })
  const client = { client_id: textOf(app, 'client_id'), client_secret: textOf(app, 'client_secret') }
  const signedIn = await form('/oauth/x-snac-login', { login, passwd, redir: callback, cid: client.client_id, state: 's' })
  const code = new URL(signedIn.headers.get('location') ?? callback).searchParams.get('code')
  if (code === null) throw new Error(`snac returned no authorisation code: ${signedIn.status}`)
  const grant = { grant_type: 'authorization_code', code, redirect_uri: callback, ...client }
  const token: unknown = await (await form('/oauth/token', grant)).json()
  if (typeof token !== 'object' || token === null) throw new Error('snac returned no token')
  return textOf({ ...token }, 'access_token')
}
