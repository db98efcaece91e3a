import { setTimeout as sleep } from 'node:timers/promises'
import { logProgress } from '../log-progress.ts'
import { round, summarize, type Summary } from '../stats.ts'
import type { BenchStack } from '../setup/bench-stack.ts'
import { completePng, makePngStart } from './make-png.ts'

/** Width and height of the heavy pictures: 25 to 100 megapixels. */
const heavySizes = [
  [5000, 5000],
  [7000, 7000],
  [9000, 8000],
  [10_000, 10_000],
] as const
const smallSize = [64, 64] as const
const pauseMs = 100

export type Uploads = {
  /** Times of one small upload after another: without other uploads, and while the heavy ones are processed. */
  alone: Summary
  crowded: Summary
  /** How much longer the slowest small upload took than the slowest without the heavy ones. */
  delayMs: number
  heavy: { count: number; tookMs: number; statuses: Record<string, number>; times: Summary }
  smallRefused: number
  heavyRefused: number
  samples: { alone: number[]; crowded: number[] }
}

/** One tenant uploads heavy pictures at once; another one uploads small pictures, one after another. */
export async function measureUploads(
  { stack, headers }: BenchStack,
  { files, small }: { files: number; small: number },
): Promise<Uploads> {
  const { baseUrl, otherApiKey, otherWorkspaceId } = stack.info
  const otherHeaders = { authorization: `Bearer ${otherApiKey}`, 'x-workspace-id': otherWorkspaceId }
  const starts = await Promise.all(heavySizes.map(([width, height]) => makePngStart(width, height)))
  const smallStart = await makePngStart(...smallSize)
  let smallRefused = 0
  const uploadSmall = async () => {
    const { status, tookMs } = await upload(baseUrl, otherHeaders, completePng(smallStart))
    if (status >= 300) smallRefused++
    await sleep(pauseMs)
    return tookMs
  }
  const alone: number[] = []
  // The first one loads what later ones use.
  await uploadSmall()
  while (alone.length < small) alone.push(await uploadSmall())

  const begin = performance.now()
  let isDone = false
  const heavy = Promise.all(
    Array.from({ length: files }, (_, n) => upload(baseUrl, headers, completePng(starts[n % starts.length] ?? smallStart))),
  ).finally(() => (isDone = true))
  const crowded: number[] = []
  while (!isDone) crowded.push(await uploadSmall())
  const answers = await heavy
  const tookMs = Math.round(performance.now() - begin)
  const statuses: Record<string, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  const [aloneTimes, crowdedTimes] = [summarize(alone), summarize(crowded)]
  logProgress(
    `uploads: alone ${JSON.stringify(aloneTimes)} crowded ${JSON.stringify(crowdedTimes)} heavy ${tookMs} ms ${JSON.stringify(statuses)}`,
  )
  return {
    alone: aloneTimes,
    crowded: crowdedTimes,
    delayMs: round(crowdedTimes.max - aloneTimes.max),
    heavy: { count: files, tookMs, statuses, times: summarize(answers.map((each) => each.tookMs)) },
    smallRefused,
    heavyRefused: answers.filter(({ status }) => status >= 300).length,
    samples: { alone: alone.map((ms) => round(ms)), crowded: crowded.map((ms) => round(ms)) },
  }
}

async function upload(
  baseUrl: string,
  headers: Record<string, string>,
  file: Buffer,
): Promise<{ status: number; tookMs: number }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'picture.png')
  const begin = performance.now()
  const answer = await fetch(`${baseUrl}/media/upload`, { method: 'POST', headers, body: form })
  await answer.text()
  return { status: answer.status, tookMs: performance.now() - begin }
}
