import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { platforms as allPlatforms } from '@carillon/contract'
import { compareTranscripts, judgeDifferences } from '@carillon/scripts/compare-transcripts'
import { readExplanations, readTranscript, recordTranscript, type LiveRun } from '@carillon/scripts/record-transcript'
import { upStack, type Stack } from '@carillon/stack'
import { root } from '@carillon/stack/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectRealServers } from '../support/connect-real-servers.ts'

/** `CARILLON_TEST_PLATFORMS=bluesky,mastodon` tests these alone. */
const chosen = process.env['CARILLON_TEST_PLATFORMS']?.split(',')
const platforms = allPlatforms.filter((platform) => chosen?.includes(platform) ?? true)

/** The real servers that can be installed, with their transcripts. `CARILLON_TEST_RECORD=1` writes these again. */
const knownServers = [
  // A data server alone does not count likes and replies; that is the work of Bluesky's own servers.
  { platform: 'bluesky', server: 'pds', can: ['published', 'readBack', 'deleted'] },
  // snac does not know DELETE of a status.
  { platform: 'mastodon', server: 'snac', can: ['published', 'readBack', 'figures'] },
] as const
const realServers = knownServers.filter(({ platform }) => platforms.includes(platform))
type RealPlatform = (typeof realServers)[number]['platform']

const isRecording = process.env['CARILLON_TEST_RECORD'] === '1'
const fileOf = (platform: string, server: string) => join(root, `simulator/transcripts/${platform}/${server}.json`)

const atOnce = 6
/** Each platform adds to the time that it takes, and a busy machine multiplies it. */
const recordMsMax = 1_800_000

let stack: Stack
let real: Awaited<ReturnType<typeof connectRealServers>>
const simulated = new Map<string, LiveRun[]>()
const recorded = new Map<RealPlatform, LiveRun>()

beforeAll(async () => {
  stack = await upStack({ name: 'live', fsync: false })
  real = await connectRealServers(stack)
  const isReal = (platform: string) => realServers.some((each) => each.platform === platform)
  const works = [
    ...platforms.flatMap((platform) =>
      (isReal(platform) ? ['live-a'] : ['live-a', 'live-b']).map((handle) => () => simulate(platform, handle)),
    ),
    ...realServers.map(
      ({ platform }) =>
        () =>
          recordReal(platform),
    ),
  ]
  // Most of the time is waiting.
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let work = works.pop(); work !== undefined; work = works.pop()) await work()
    }),
  )
}, recordMsMax)

async function simulate(platform: string, handle: string): Promise<void> {
  const { slug } = await stack.connect(platform, handle)
  const run = await recordTranscript(stack, slug)
  simulated.set(platform, [...(simulated.get(platform) ?? []), run])
}

async function recordReal(platform: RealPlatform): Promise<void> {
  const slug = real.connections[platform]?.slug
  if (slug !== undefined) recorded.set(platform, await recordTranscript(stack, slug))
}

afterAll(async () => {
  await real?.stop()
  await stack?.stop()
})

/** The steps that failed, with the words of the platform. */
function failuresOf({ results }: LiveRun, steps: readonly ('published' | 'readBack' | 'figures' | 'deleted')[]): string[] {
  return results.flatMap((result) =>
    steps.filter((step) => result[step].state === 'failed').map((step) => `${result.kind} ${step}: ${result[step].words}`),
  )
}

const allSteps = ['published', 'readBack', 'figures', 'deleted'] as const

describe.each(platforms)('the simulated %s', (platform) => {
  test('everything that its manifest declares holds', () => {
    for (const run of simulated.get(platform) ?? []) {
      expect(run.results.length).toBeGreaterThan(0)
      expect(failuresOf(run, allSteps)).toEqual([])
    }
  })

  test('guarantee: what stays on the account is named, and nothing else stays', async () => {
    const response = await fetch(`${stack.info.simulatorUrl}/_control/posts?platform=${platform}`)
    const posts = (await response.json()) as { id: string; text: string; deleted: boolean; replyTo: string | null }[]
    const isGone = new Set(posts.filter(({ deleted }) => deleted).map(({ id }) => id))
    const shown = posts.filter(({ deleted, text }) => !deleted && text.includes('Carillon live test'))
    // On some platforms a comment goes with its post; its own mark stays as it was.
    const made = shown.filter(({ replyTo }) => replyTo === null || !isGone.has(replyTo)).map(({ text }) => text)
    const named = (simulated.get(platform) ?? []).flatMap(({ results }) => results.flatMap(({ left }) => left))
    expect(made).toHaveLength(named.length)
  })
})

// What differs from one run to the next says nothing about a platform.
test.each(platforms)('%s: a replay on the simulator is the same exchange', (platform) => {
  const [first, second = first] = simulated.get(platform) ?? []
  if (!first || !second) throw new Error('it was not tested')
  expect(compareTranscripts(first.transcript, second.transcript)).toEqual([])
})

describe.each(realServers)('a real server: $platform on $server', ({ platform, server, can }) => {
  const file = fileOf(platform, server)

  test('everything that it can do holds', ({ skip }) => {
    const run = recorded.get(platform)
    if (!run) return skip(`${server} cannot be installed on this machine`)
    expect(failuresOf(run, can)).toEqual([])
    // What could not be deleted is named.
    expect(run.results.every(({ deleted, left }) => (deleted.state === 'held') === (left.length === 0))).toBe(true)
  })

  test('the transcript in the repository is that of this server', async ({ skip }) => {
    const run = recorded.get(platform)
    if (!run) return skip(`${server} cannot be installed on this machine`)
    if (isRecording) {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, run.text)
    }
    expect(compareTranscripts(await readTranscript(file), run.transcript)).toEqual([])
  })

  test('guarantee: the simulator differs from it only where the reason is written down, and every reason is still one', async () => {
    const [simulator] = simulated.get(platform) ?? []
    if (!simulator) throw new Error('it was not tested')
    const differences = compareTranscripts(await readTranscript(file), simulator.transcript)
    const { unexplained, unused } = judgeDifferences(differences, await readExplanations(file))
    expect({ unexplained, unused }).toEqual({ unexplained: [], unused: [] })
  })

  test('guarantee: the transcript has nothing of the account', async () => {
    const text = recorded.get(platform)?.text ?? JSON.stringify(await readTranscript(file))
    for (const word of ['alice', 'did:plc', 'Bearer', '127.0.0.1', 'localhost', 'only a test', 'Stripes'])
      expect(text).not.toContain(word)
  })
})
