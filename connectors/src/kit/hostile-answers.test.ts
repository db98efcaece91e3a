import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileHttp, traversal, type Draw } from '../../test/hostile-answers.ts'
import { connectors } from '../connectors.gen.ts'
import type { Client, Connector, Draft, Media } from './connector.ts'
import { PlatformError } from './platform-error.ts'

const photo: Media = {
  kind: 'image',
  name: 'bell.jpg',
  mimeType: 'image/jpeg',
  sizeBytes: 3,
  width: 1,
  height: 1,
  durationSeconds: null,
  alt: 'a bell',
  read: async () => new Uint8Array(3),
  stream: async (fromByte = 0) => new Blob(['abc'.slice(fromByte)]).stream(),
  url: async () => 'https://media.example/bell.jpg',
}
const video: Media = { ...photo, kind: 'video', name: 'bell.mp4', mimeType: 'video/mp4', durationSeconds: 3 }
const draft: Draft = { format: 'text', text: 'the text', title: null, linkUrl: null, media: [], settings: {}, replyTo: null }
const atMs = Date.parse('2026-11-16T10:00:00Z')
const handle = { key: '0123456789abcdef01234567', atMs }
const window = { fromMs: atMs - 60_000, untilMs: atMs + 60_000 }

/** Everything that a connector does with answers of a platform, for a text, a photo and a first comment. */
function operationsOf(connector: Connector, client: Client): Record<string, () => Promise<unknown>> {
  const drafts = {
    text: draft,
    photo: { ...draft, format: 'photo' as const, media: [photo] },
    video: { ...draft, format: 'video' as const, media: [video] },
    comment: { ...draft, replyTo: { postId: `../../${traversal}` } },
  }
  const sends = Object.entries(drafts).flatMap(([name, each]) => [
    [
      `submit ${name}`,
      async () => {
        const staged = connector.needsStage(each) ? ((await connector.stage?.(client, each)) ?? null) : null
        return connector.submit(client, each, staged, handle)
      },
    ],
    [
      `find ${name}`,
      async () =>
        connector.find?.(client, { draft: { ...each, media: [] }, staged: null, handle, window, knownPostIds: new Set(['1']) }),
    ],
  ])
  return {
    account: () => connector.account(client),
    capabilities: async () => connector.capabilities?.read(client),
    ...Object.fromEntries(sends),
    check: async () => connector.check?.(client, `../../${traversal}`),
    metrics: async () => connector.metrics?.(client, ['1', `../../${traversal}`]),
    remove: async () => connector.remove?.(client, `../../${traversal}`),
  }
}

/** More calls than this for one operation mean that a platform can keep a connector busy. */
const callsMax = 60
/** For one answer, on a busy machine. */
const cpuMsMax = 200

/** Runs every operation against hostile answers, and returns what went wrong. */
async function attack(connector: Connector, draw: Draw): Promise<string[]> {
  const complaints: string[] = []
  const requested: string[] = []
  const http = hostileHttp(connector, draw, requested)
  // A token that can also be a key to sign with.
  const client: Client = { http, account: { id: 'did:plc:bell', handle: 'bell' }, credentials: { accessToken: '7'.repeat(64) } }
  for (const [name, run] of Object.entries(operationsOf(connector, client))) {
    requested.length = 0
    const before = process.threadCpuUsage()
    try {
      await run()
    } catch (error) {
      if (!(error instanceof PlatformError)) complaints.push(`${name} failed with ${String(error)}`)
    }
    const { user, system } = process.threadCpuUsage(before)
    const cpuMs = (user + system) / 1000 / Math.max(requested.length, 1)
    if (cpuMs > cpuMsMax) complaints.push(`${name} took ${Math.round(cpuMs)} ms of processor time for an answer`)
    if (requested.length > callsMax) complaints.push(`${name} made ${requested.length} calls`)
    const own = requested.map((url) => new URL(url)).filter(({ origin }) => origin === http.origin)
    for (const { pathname } of own) if (pathname.split('/').includes(traversal)) complaints.push(`${name} called ${pathname}`)
  }
  return complaints
}

/** The answers are the same in every run, unless another start is given to look for more. */
const firstSeed = Number(process.env['CARILLON_FUZZ_SEED'] ?? 1)
const runs = 100

test.for(Object.values(connectors).map((connector) => [connector.manifest.name, connector] as const))(
  'guarantee: any answer of %s ends in a value or an error of the platform, soon, and no id leaves its place in a path',
  { timeout: 120_000 },
  async ([, connector]) => {
    const complaints: string[] = []
    for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
      let drawn = 0
      const found = await attack(connector, (arbitrary) => {
        const [value] = fc.sample(arbitrary, { seed: seed * 1_000 + drawn++, numRuns: 1 })
        return value as never
      })
      complaints.push(...found.map((complaint) => `CARILLON_FUZZ_SEED=${seed}: ${complaint}`))
    }
    expect(complaints).toEqual([])
  },
)
