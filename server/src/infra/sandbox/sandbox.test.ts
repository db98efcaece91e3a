import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSandbox } from './open-sandbox.ts'
import { runSandboxed } from './run-sandboxed.ts'
import type { SandboxLevel } from './sandbox.ts'

const isRoot = process.getuid?.() === 0
const programs = [process.execPath]

let dir: string
let servers: Server[]
let ports: { tcp: number; unix: string }

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-sandbox-'))
  // As an installation has it: other users can go through the folder of the media, and read the files in it.
  await chmod(dir, 0o755)
  await writeFile(join(dir, 'of-another-tenant'), 'secret')
  const unix = join(dir, 'socket')
  const [overTcp, overUnix] = [createServer((socket) => socket.end()), createServer((socket) => socket.end())]
  servers = [overTcp, overUnix]
  await Promise.all([
    new Promise<void>((listening) => overTcp.listen(0, '127.0.0.1', listening)),
    new Promise<void>((listening) => overUnix.listen(unix, listening)),
  ])
  await chmod(unix, 0o777)
  const { port: tcp } = overTcp.address() as AddressInfo
  ports = { tcp, unix }
})
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(dir, { recursive: true, force: true })
})

/** What a program that was taken over would try, with `ok` or the code of the error for each attempt. */
const attackProgram = `
const fs = require('node:fs'), net = require('node:net')
const [input, output, dir, pid, port, unix] = process.argv.slice(1)
const found = {}
const attempt = (name, work) => { try { work(); found[name] = 'ok' } catch (error) { found[name] = error.code ?? String(error) } }
const connect = (name, options) => new Promise((done) => {
  try {
    const socket = net.connect(options)
    socket.on('connect', () => { found[name] = 'ok'; socket.destroy(); done() })
    socket.on('error', (error) => { found[name] = error.code; done() })
  } catch (error) { found[name] = error.code; done() }
})
attempt('read its input', () => fs.readFileSync(input))
attempt('write its output', () => fs.writeFileSync(output, 'x'))
attempt('read another file', () => fs.readFileSync(dir + '/of-another-tenant'))
attempt('list a folder', () => { if (!fs.readdirSync(dir).includes('of-another-tenant')) throw { code: 'HIDDEN' } })
attempt('read the environment of the server', () => fs.readFileSync('/proc/' + pid + '/environ'))
attempt('signal the server', () => process.kill(Number(pid), 0))
attempt('change its input', () => fs.appendFileSync(input, 'x'))
attempt('change the rights of its input', () => fs.chmodSync(input, 0o777))
attempt('truncate its input', () => fs.truncateSync(input, 0))
attempt('write elsewhere', () => fs.writeFileSync(dir + '/made-by-decoder', 'x'))
attempt('read /etc/passwd', () => fs.readFileSync('/etc/passwd'))
connect('connect by TCP', { host: '127.0.0.1', port: Number(port) })
  .then(() => connect('connect to a Unix socket', { path: unix }))
  .then(() => process.stdout.write(JSON.stringify({ found, environment: Object.keys(process.env).sort(), uid: process.getuid() })))`

type Attack = { found: Record<string, string>; environment: string[]; uid: number }
type Attacked = Attack & { weaker: readonly string[]; /** The content of its input afterwards. */ input: string }

async function attack(level: SandboxLevel, canSwitchUser: boolean): Promise<Attacked> {
  const sandbox = await openSandbox({ dir, programs, levels: [level], canSwitchUser })
  const folder = await mkdtemp(join(dir, 'run-'))
  await chmod(folder, 0o755)
  const [input, outputDir] = [join(folder, 'input'), join(folder, 'output')]
  await mkdir(outputDir)
  await writeFile(input, 'the file', { mode: 0o600 })
  const args = ['-e', attackProgram, input, join(outputDir, 'result'), dir, String(process.pid), String(ports.tcp), ports.unix]
  const limits = { timeoutMs: 10_000, fileBytes: 1000 }
  const done = await runSandboxed(sandbox, { program: process.execPath, args, input, outputDir, programs, limits })
  if (!done.ok) throw new Error(`${done.reason}: ${done.detail}`)
  return { ...(JSON.parse(done.output) as Attack), weaker: sandbox.weaker, input: await readFile(input, 'utf8') }
}

const succeeded = ({ found }: Attack) => Object.keys(found).filter((name) => found[name] === 'ok')
const itsOwn = ['read its input', 'write its output']

/**
 * Guarantee: a program that opens an untrusted file sees that file and nothing else. These tests attack from inside the sandbox. Where a level
 * protects less, the test states what, and so does the warning at start.
 */
describe.runIf(process.platform === 'linux')('from inside the sandbox', () => {
  test.runIf(isRoot).for(['bubblewrap', 'landlock'] as const)(
    '%s, with a user of its own: only its input and its output',
    async (level) => {
      const result = await attack(level, true)
      expect([succeeded(result), result.input]).toEqual([itsOwn, 'the file'])
      expect(result.uid).toBeGreaterThan(60_000)
      expect(allowedEnvironment).toEqual(expect.arrayContaining(result.environment))
    },
  )

  test.for(['bubblewrap', 'landlock'] as const)('%s, as the user of the server: only its input and its output', async (level) => {
    const result = await attack(level, false)
    expect([succeeded(result), result.input]).toEqual([itsOwn, 'the file'])
    expect(allowedEnvironment).toEqual(expect.arrayContaining(result.environment))
  })

  test.runIf(isRoot)('namespaces: other files can be read, and Unix sockets be reached', async () => {
    const result = await attack('namespaces', true)
    expect(succeeded(result)).toEqual([
      ...itsOwn,
      'read another file',
      'list a folder',
      'read /etc/passwd',
      'connect to a Unix socket',
    ])
    expect(result.weaker.join(' ')).toMatch(/read every file that all users can read.*not filtered.*Unix sockets/)
  })

  test('namespaces, as the user of the server: other files can be changed as well', async () => {
    const result = await attack('namespaces', false)
    const denied = Object.keys(result.found).filter((name) => result.found[name] !== 'ok')
    expect(denied).toEqual(['read the environment of the server', 'signal the server', 'connect by TCP'])
    expect(result.weaker.join(' ')).toMatch(/read and change every file of the user of the server.*not filtered.*Unix sockets/)
  })

  test.runIf(isRoot)('user: the network can be reached as well', async () => {
    const result = await attack('user', true)
    expect(succeeded(result)).toEqual([
      ...itsOwn,
      'read another file',
      'list a folder',
      'read /etc/passwd',
      'connect by TCP',
      'connect to a Unix socket',
    ])
    expect(result.weaker.join(' ')).toMatch(/read every file that all users can read.*not filtered.*network connections/)
  })

  test('limits: nothing is protected but our environment variables', async () => {
    const result = await attack('limits', false)
    expect(succeeded(result)).toEqual(Object.keys(result.found))
    expect(allowedEnvironment).toEqual(expect.arrayContaining(result.environment))
    expect(result.weaker.join(' ')).toMatch(
      /change its files, read its environment, and end it.*not filtered.*network connections/,
    )
  })

  test('a level that does not work is left out, and the reason is reported', async () => {
    const sandbox = await openSandbox({ dir, programs: ['/nowhere/at/all', ...programs] })
    expect([sandbox.level, sandbox.weaker.length > 0]).toEqual(['landlock', true])
    expect(sandbox.unavailable.join(' ')).toMatch(/^bubblewrap.*\/nowhere\/at\/all/)
  })

  test.for(['bubblewrap', 'landlock'] as const)(
    '%s: a program that runs too long is ended with all that it started',
    async (level) => {
      const sandbox = await openSandbox({ dir, programs, levels: [level] })
      const input = join(dir, 'of-another-tenant')
      const seconds = `${5000 + Math.floor(Math.random() * 4000)}.${level.length}`
      const args = ['-c', `sleep ${seconds} & sleep ${seconds}`]
      const done = await runSandboxed(sandbox, {
        program: '/bin/sh',
        args,
        input,
        outputDir: null,
        programs,
        limits: { timeoutMs: 500 },
      })
      expect(done).toMatchObject({ ok: false, reason: 'timeout' })
      const running = () => execFileSync('ps', ['-eo', 'args']).toString().includes(`sleep ${seconds}`)
      await expect.poll(running, { timeout: 5000 }).toBe(false)
    },
  )

  test.for(['bubblewrap', 'landlock'] as const)(
    '%s: a program that computes too long is ended, and one that only waits is not',
    async (level) => {
      const sandbox = await openSandbox({ dir, programs, levels: [level] })
      const input = join(dir, 'of-another-tenant')
      const run = (command: string) =>
        runSandboxed(sandbox, {
          program: '/bin/sh',
          args: ['-c', command],
          input,
          outputDir: null,
          programs,
          limits: { timeoutMs: 60_000, cpuMs: 1000 },
        })
      expect(await run('while :; do :; done')).toMatchObject({ ok: false, reason: 'timeout', detail: 'it computed too long' })
      expect(await run('sleep 2; echo done')).toMatchObject({ ok: true, output: 'done\n' })
    },
  )
})

const allowedEnvironment = [
  'LANG',
  'MALLOC_ARENA_MAX',
  'OPENSSL_CONF',
  'PATH',
  'PWD',
  'TMPDIR',
  'UV_THREADPOOL_SIZE',
  'VIPS_CONCURRENCY',
]
