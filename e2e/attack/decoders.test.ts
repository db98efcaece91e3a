import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { fileOf, formOf, makeMp4 } from '../support/files.ts'
import { hostileReferences } from '../support/hostile/hostile-references.ts'
import { heavyImages } from '../support/hostile/hostile-images.ts'
import { testStack } from '../test-stack.ts'

const serverPid = testStack.pids['Carillon all'] ?? 0

type Uploaded = { id: string; url: string; thumbnailUrl: string | null }

function upload(bytes: Uint8Array<ArrayBuffer>) {
  return call<Uploaded>('POST /media/upload', { form: formOf(['file', fileOf(bytes, 'holiday')]) })
}

/** Guarantee: a file cannot make its reader open another file or call a URL, whatever it contains. */
describe('a file that refers to another file or to a URL', () => {
  const secret = `secret-${randomBytes(16).toString('hex')}`
  const secretPath = join(testStack.dir, 'attack-secret')
  const calls: string[] = []
  let server: Server
  let url: string

  beforeAll(async () => {
    await writeFile(secretPath, `${secret}\n`.repeat(200), { mode: 0o644 })
    server = createServer((request, response) => {
      calls.push(request.url ?? '')
      response.end(secret)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/called`
  })
  afterAll(async () => {
    server.close()
    await rm(secretPath, { force: true })
  })

  test('gives its sender nothing of that file, and nothing is called', async () => {
    for (const [what, make] of hostileReferences(secretPath, url)) {
      const bytes = await make()
      const reply = await upload(bytes)
      expect([what, [201, 415, 422].includes(reply.status)]).toEqual([what, true])
      expect([what, reply.text.includes(secret)]).toEqual([what, false])
      if (reply.status !== 201) continue
      for (const address of [reply.data.url, reply.data.thumbnailUrl]) {
        const shown = address ? Buffer.from(await (await fetch(address)).arrayBuffer()) : Buffer.alloc(0)
        expect([what, shown.includes(secret)]).toEqual([what, false])
      }
    }
    expect(calls).toEqual([])
  })
})

type Seen = {
  program: string
  command: string
  uid: number
  seccomp: number
  noNewPrivileges: number
  network: string
  environment: string
}

/** Reads the facts about a process; null if it has ended meanwhile. */
function inspect(pid: number): Seen | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? -1)
    return {
      program: readlinkSync(`/proc/${pid}/exe`),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
      uid: number('Uid'),
      seccomp: number('Seccomp'),
      noNewPrivileges: number('NoNewPrivs'),
      network: readlinkSync(`/proc/${pid}/ns/net`),
      environment: readFileSync(`/proc/${pid}/environ`, 'utf8'),
    }
  } catch {
    return null
  }
}

/** The processes below another one, whatever their namespaces. */
function descendants(pid: number): number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent] = /^\d+ \(.*\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }]
    } catch {
      return []
    }
  })
  const found = [pid]
  for (const each of found) found.push(...parents.filter(({ parent }) => parent === each).map((child) => child.pid))
  return found.slice(1)
}

/** Before a new process becomes another program, it is a copy of the server with the command of the server. */
function isDecoder({ program, command }: Seen): boolean {
  return /\/(?:ffmpeg|ffprobe|pdftoppm)$/.test(program) || (program.endsWith('/node') && command.includes('decode-process'))
}

/** Watches the decoders of the server while `work` runs. */
async function watchDecoders(work: Promise<unknown>): Promise<Seen[]> {
  const seen = new Map<number, Seen>()
  let isDone = false
  void work.finally(() => (isDone = true))
  while (!isDone) {
    for (const pid of descendants(serverPid)) {
      const facts = inspect(pid)
      if (facts && isDecoder(facts)) seen.set(pid, facts)
    }
    await sleep(5)
  }
  await work
  return [...seen.values()]
}

async function heavyImage(): Promise<Uint8Array<ArrayBuffer>> {
  const [, make] = heavyImages[0] ?? []
  if (!make) throw new Error('there is no heavy image')
  return make()
}

function canUseBubblewrap(): boolean {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Guarantee: the programs that open files have neither the rights, the network nor the environment of the server. */
describe.runIf(process.platform === 'linux')('the programs that open files on the running service', () => {
  test.for(['image', 'video'] as const)('run confined: %s', async (kind) => {
    const bytes = kind === 'image' ? await heavyImage() : await makeMp4()
    const server = inspect(serverPid)
    const decoders = await watchDecoders(upload(bytes))
    expect(decoders.length).toBeGreaterThan(0)
    for (const { program, seccomp, noNewPrivileges, environment } of decoders) {
      expect([program, seccomp, noNewPrivileges]).toEqual([program, 2, 1])
      expect(environment).not.toMatch(/CARILLON|DATABASE|SECRET/)
    }
    // A server that is not root cannot give its decoders another user, and not every machine allows namespaces.
    expect(decoders.filter(({ uid }) => server?.uid === 0 && uid === 0)).toEqual([])
    expect(decoders.filter(({ network }) => canUseBubblewrap() && network === server?.network)).toEqual([])
  })

  test('the log of the start names the sandbox', () => {
    const logs = join(testStack.dir, 'logs')
    const lines = readdirSync(logs).flatMap((name) => readFileSync(join(logs, name), 'utf8').split('\n'))
    expect(
      lines.filter((line) => /media files are opened (?:in a sandbox|with less protection)/.test(line)).length,
    ).toBeGreaterThan(0)
  })
})
