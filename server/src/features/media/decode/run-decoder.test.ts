import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../../context.ts'
import { createResources } from '../../../infra/resources/create-resources.ts'
import { Problem } from '../../../infra/problem/problem.ts'
import { makePng } from '../files.fixture.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { checkDecoders } from './check-decoders.ts'
import { decoderSandbox, type DecoderSandbox } from './decoder-sandbox.ts'
import { runDecoder } from './run-decoder.ts'

let dir: string
let input: string
const ctx = { resources: createResources<Context>() } as Context
const owner = { ctx, workspaceId: 'tower' }

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-decoder-'))
  Object.assign(ctx, { storage: { spoolDir: dir } })
  input = join(dir, 'input')
  await writeFile(input, await makePng({ width: 64, height: 64 }))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

function runProgram(program: string) {
  return runDecoder(owner, {
    queue: 'inspect',
    program: process.execPath,
    args: (output) => ['-e', program, input, output],
    input,
    output: join(dir, 'output'),
    limits: { timeoutMs: 10_000, fileBytes: 1000 },
  })
}

/** Guarantee: the result of a decoder that was taken over is at most a plain file of the allowed size. */
test('a result that is a link, a folder or too large is refused, and nothing is left behind', async () => {
  const before = await readdir(dir)
  const programs = [
    `require('fs').symlinkSync('/etc/passwd', process.argv[2])`,
    `require('fs').symlinkSync('/proc/self/environ', process.argv[2])`,
    `require('fs').mkdirSync(process.argv[2])`,
    `require('fs').writeFileSync(process.argv[2], 'x'.repeat(5000))`,
  ]
  for (const program of programs) expect([program, (await runProgram(program)).ok]).toEqual([program, false])
  expect(await readdir(dir)).toEqual(before)
  expect(await runProgram(`require('fs').writeFileSync(process.argv[2], 'fine')`)).toMatchObject({ ok: true })
  expect(await readFile(join(dir, 'output'), 'utf8')).toBe('fine')
})

test('an image is opened in the sandbox', async () => {
  await decoderSandbox(ctx)
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const startedMs = performance.now()
    const { width, thumbnail } = await inspectFile(owner, input, { type: 'image', mimeType: 'image/png' })
    times.push(performance.now() - startedMs)
    expect([width, existsSync(thumbnail?.path ?? '')]).toEqual([64, true])
  }
  const { sandbox } = await decoderSandbox(ctx)
  console.log(`${sandbox.level}: an image is opened in ${Math.round(times.toSorted((a, b) => a - b)[2] ?? 0)} ms`)
})

type Line = { level: 'info' | 'warn'; text: string }

/** A context whose sandbox is `changes` of the real one. */
async function contextWith(changes: Partial<DecoderSandbox['sandbox']>, setting: 'auto' | 'require' = 'auto') {
  const real = await decoderSandbox(ctx)
  const lines: Line[] = []
  const log = {
    info: (_: unknown, text: string) => void lines.push({ level: 'info', text }),
    warn: (_: unknown, text: string) => void lines.push({ level: 'warn', text }),
  }
  const changed = Promise.resolve({ ...real, sandbox: { ...real.sandbox, ...changes } })
  const resources = { get: (create: { name: string }) => (create.name === 'createDecoderSandbox' ? changed : undefined) }
  return {
    lines,
    fake: { ...ctx, resources, log, config: { media: { sandbox: setting } } } as unknown as Context,
    resources,
    changed,
  }
}

/** Guarantee: what is weaker or missing is said at start. */
test('the start reports a weaker sandbox and missing programs', async () => {
  const weak = {
    level: 'user' as const,
    weaker: ['Decoders can open network connections.'],
    unavailable: ['bubblewrap: not installed'],
  }
  const { fake, lines } = await contextWith({ ...weak, findProgram: (name) => (name === 'ffmpeg' ? null : `/usr/bin/${name}`) })
  await checkDecoders(fake)
  expect(lines).toEqual([
    { level: 'warn', text: 'ffmpeg is not installed: videos are refused' },
    {
      level: 'warn',
      text: 'media files are opened with less protection than bubblewrap gives. Decoders can open network connections.',
    },
  ])
  const strict = await contextWith(weak, 'require')
  await expect(checkDecoders(strict.fake)).rejects.toThrow(/less protection.*bubblewrap: not installed/)
})

test('a full sandbox is reported without a warning', async () => {
  const { fake, lines } = await contextWith({ level: 'bubblewrap', weaker: [], findProgram: (name) => `/usr/bin/${name}` })
  await checkDecoders(fake)
  expect(lines).toEqual([{ level: 'info', text: 'media files are opened in a sandbox' }])
})

test('without ffmpeg a video is refused with a reason', async () => {
  const { fake, changed } = await contextWith({ findProgram: () => null })
  const resources = createResources<Context>()
  const get = (create: { name: string } & Parameters<typeof resources.get>[0]) =>
    create.name === 'createDecoderSandbox' ? changed : resources.get(create, fake)
  Object.assign(fake, { resources: { ...resources, get } })
  const path = join(dir, 'clip')
  const box = (name: string) => Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from(name)])
  await writeFile(path, Buffer.concat([box('ftyp'), box('moov')]))
  const refused = inspectFile({ ctx: fake, workspaceId: 'tower' }, path, { type: 'video', mimeType: 'video/mp4' })
  await expect(refused).rejects.toMatchObject({
    code: 'media_type_refused',
    message: expect.stringContaining('ffmpeg is not installed'),
  })
  await expect(refused).rejects.toBeInstanceOf(Problem)
})
