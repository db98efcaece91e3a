import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '../free-ports.ts'
import { jsonRequest, textOf } from '../json-request.ts'
import { installPds } from './pds-install.ts'
import { startProgram, type Running } from '../process.ts'
import { respondsOk } from '../wait-until.ts'

export type PdsOptions = {
  dir: string
  ports?: { pds: number; plc: number }
  /** Off by default; a test of the real 429 switches it on. */
  isRateLimited?: boolean
}

/** `password` is an app password, not the password of the account. */
type PdsAccount = { did: string; handle: string; password: string; accessJwt: string; refreshJwt: string }

export type Pds = Running & {
  url: string
  plcUrl: string
  plc: Running
  /** Handles end in `.test`. */
  createAccount(handle: string): Promise<PdsAccount>
}

/** Starts the real Bluesky PDS and a PLC directory, both empty. `restart` keeps the data of the PDS and does not touch the directory. */
export async function startPds({ dir, ports, isRateLimited = false }: PdsOptions): Promise<Pds> {
  const { node, app } = await installPds()
  const [freePds = 0, freePlc = 0] = await freePorts(2)
  const { pds: port, plc: plcPort } = ports ?? { pds: freePds, plc: freePlc }
  // The name `localhost`, not 127.0.0.1: the PDS uses it as its public address, and OAuth's rules for loopback require it.
  const [url, plcUrl] = [`http://localhost:${port}`, `http://localhost:${plcPort}`]
  const folders = ['data', 'blobs', 'blobtmp'].map((name) => join(dir, name))
  for (const folder of folders) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  }
  const plc = await startProgram({
    name: 'PLC',
    command: node,
    args: ['plc.mjs'],
    cwd: app,
    env: { PLC_PORT: String(plcPort), LOG_ENABLED: '0' },
    logFile: join(dir, 'plc.log'),
    isReady: () => respondsOk(`${plcUrl}/_health`),
  })
  const [data = '', blobs = '', blobtmp = ''] = folders
  const pds = await startProgram({
    name: 'Bluesky PDS',
    command: node,
    args: ['pds.mjs'],
    cwd: app,
    env: {
      ...fixedSettings,
      PDS_PORT: String(port),
      PDS_DATA_DIRECTORY: data,
      PDS_BLOBSTORE_DISK_LOCATION: blobs,
      PDS_BLOBSTORE_DISK_TMP_LOCATION: blobtmp,
      PDS_DID_PLC_URL: plcUrl,
      PDS_RATE_LIMITS_ENABLED: String(isRateLimited),
      PDS_JWT_SECRET: randomBytes(16).toString('hex'),
      PDS_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      PDS_PLC_ROTATION_KEY_K256_PRIVATE_KEY_HEX: randomBytes(32).toString('hex'),
    },
    logFile: join(dir, 'pds.log'),
    isReady: () => respondsOk(`${url}/xrpc/_health`),
  }).catch(async (error: unknown) => {
    await plc.stop()
    throw error
  })
  const stopPds = pds.stop
  return Object.assign(pds, {
    url,
    plcUrl,
    plc,
    createAccount: (handle: string) => createAccount(url, handle),
    async stop() {
      await stopPds()
      await plc.stop()
    },
  })
}

const fixedSettings = {
  NODE_ENV: 'development',
  LOG_ENABLED: '0',
  PDS_HOSTNAME: 'localhost',
  PDS_DEV_MODE: 'true',
  PDS_SERVICE_HANDLE_DOMAINS: '.test',
  PDS_INVITE_REQUIRED: 'false',
  PDS_BLOB_UPLOAD_LIMIT: '104857600',
  // The PLC directory and the OAuth client are on loopback, and the PDS would refuse to call them.
  PDS_DISABLE_SSRF_PROTECTION: 'true',
}

async function createAccount(url: string, handle: string): Promise<PdsAccount> {
  const call = (method: string, body: unknown, token?: string) =>
    jsonRequest(`${url}/xrpc/com.atproto.server.${method}`, { body, ...(token !== undefined && { token }) })
  const secret = randomBytes(12).toString('hex')
  const email = `${handle.replaceAll('.', '-')}@example.com`
  const account = await call('createAccount', { handle, email, password: secret })
  const appPassword = await call('createAppPassword', { name: 'carillon' }, textOf(account, 'accessJwt'))
  const password = textOf(appPassword, 'password')
  const session = await call('createSession', { identifier: handle, password })
  return {
    did: textOf(session, 'did'),
    handle,
    password,
    accessJwt: textOf(session, 'accessJwt'),
    refreshJwt: textOf(session, 'refreshJwt'),
  }
}
