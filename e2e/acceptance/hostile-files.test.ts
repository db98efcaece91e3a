import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { fileOf, formOf, makeMp4 } from '../support/files.ts'
import { heavyDocuments, hostileDocuments } from '../support/hostile/hostile-documents.ts'
import { heavyImages, hostileImages } from '../support/hostile/hostile-images.ts'
import { damagedVideos, hostileVideos } from '../support/hostile/hostile-videos.ts'
import { measureProcessTree, type MemoryMeasurement } from '../support/measure-memory.ts'
import { testStack } from '../test-stack.ts'

/** A hostile file takes at most this long, or as many times the time of an ordinary video where the machine is slow or busy. */
const withinMs = 10_000
const ordinaryTimesMax = 20
let ordinaryMs = 0
const extraBytesMax = 300_000_000
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

type Answered = { status: number; code: string | null; text: string }

async function offer(bytes: Uint8Array<ArrayBuffer>): Promise<MemoryMeasurement<Answered>> {
  const form = formOf(['file', fileOf(bytes, 'holiday')])
  const watched = await measureProcessTree(testStack.pids['Carillon all'] ?? 0, async () => {
    const { status, error, text } = await call('POST /media/upload', { form })
    return { status, code: error?.code ?? null, text }
  })
  expect(watched.tookMs).toBeLessThan(Math.max(withinMs, ordinaryTimesMax * ordinaryMs))
  expect(watched.extraBytes).toBeLessThan(extraBytesMax)
  return watched
}

/** Guarantee: a file that is built to exhaust its reader is rejected quickly and with little memory, whatever its header claims. */
describe('a hostile file', () => {
  let clip: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    clip = await makeMp4()
    ordinaryMs = (await offer(clip)).tookMs
  })

  test.each([...hostileImages, ...hostileDocuments])('%s', async (what, make) => {
    const { result, tookMs, extraBytes } = await offer(await make())
    console.log(`${what}: ${result.status} ${result.code} in ${Math.round(tookMs)} ms, ${megabytes(extraBytes)} more`)
    expect([415, 422]).toContain(result.status)
    expect(['media_type_refused', 'media_unreadable']).toContain(result.code)
  })

  test.each([...heavyImages, ...heavyDocuments])('%s may be accepted, within the same limits', async (what, make) => {
    const { result, tookMs, extraBytes } = await offer(await make())
    console.log(`${what}: ${result.status} in ${Math.round(tookMs)} ms, ${megabytes(extraBytes)} more`)
    expect([201, 415, 422]).toContain(result.status)
  })

  test('videos with a wrong index', async () => {
    for (const [what, make] of hostileVideos(clip)) {
      const { result, tookMs, extraBytes } = await offer(await make())
      console.log(`${what}: ${result.status} ${result.code} in ${Math.round(tookMs)} ms, ${megabytes(extraBytes)} more`)
      expect([what, result.status, result.code]).toEqual([what, 422, 'media_unreadable'])
    }
  }, 120_000)

  test('fifty randomly damaged videos are rejected, or accepted within the limits', async () => {
    const all: MemoryMeasurement<Answered>[] = []
    for (const bytes of damagedVideos(clip, 50, 7)) all.push(await offer(bytes))
    const refused = all.filter(({ result }) => result.status !== 201)
    for (const { result } of refused) expect([result.status, result.code]).toEqual([422, 'media_unreadable'])
    const most = (pick: (watched: MemoryMeasurement<Answered>) => number) => Math.max(...all.map(pick))
    console.log(
      `50 damaged videos: ${refused.length} refused, at most ${Math.round(most(({ tookMs }) => tookMs))} ms and ${megabytes(most(({ extraBytes }) => extraBytes))} more`,
    )
    expect(refused.length).toBeGreaterThan(25)
  }, 300_000)

  test('the service still accepts a valid video afterwards', async () => {
    expect((await offer(clip)).result.status).toBe(201)
  })
})

test('a video whose sound is longer than its pictures is valid', async () => {
  expect((await offer(await makeMp4({ pictureSeconds: 0.3 }))).result.status).toBe(201)
})
