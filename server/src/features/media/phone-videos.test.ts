import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectors } from '@carillon/connectors'
import type { MediaRules } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { createResources } from '../../infra/resources/create-resources.ts'
import { readVideo, type VideoFacts } from './decode/read-video.ts'
import { renderVideo } from './decode/render-video.ts'
import { planRendition, type RenditionSource, type VideoPlan } from '@carillon/core'

const run = promisify(execFile)
const aac = ['-c:a', 'aac', '-b:a', '96k']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1']
const picture = (size: string, rate: number) => ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`]
const tone = ['-f', 'lavfi', '-i', 'sine=sample_rate=44100']

/** The first two seconds with all frames, then every fourth one. */
const varying = ['-vf', "select='lt(n,60)+not(mod(n,4))'", '-vsync', 'vfr']

type Phone = { name: string; mimeType: string; make(path: string): Promise<void> }

const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', ...args]).then(() => {})

/** Writes a video on its side, with the note that it must be turned, as phones do. */
async function turn(path: string, ...args: string[]): Promise<void> {
  await ffmpeg(...args, `${path}.flat.mov`)
  await ffmpeg('-i', `${path}.flat.mov`, '-c', 'copy', '-metadata:s:v', 'rotate=90', path)
}

/** What phones and cameras make. The sizes are small where the size is not the point, because each video is converted for each platform. */
const phones: readonly Phone[] = [
  {
    name: 'HEVC in 10 bits, 3 s',
    mimeType: 'video/quicktime',
    make: (path) => ffmpeg(...picture('640x360', 30), ...tone, '-t', '3.1', ...hevc, '-pix_fmt', 'yuv420p10le', ...aac, path),
  },
  {
    name: '4K HEVC, portrait, 3 s',
    mimeType: 'video/quicktime',
    async make(path) {
      const large = ['-f', 'lavfi', '-i', 'testsrc=size=3840x2160:rate=24', ...tone, '-t', '0.5']
      await ffmpeg(...large, ...hevc, '-pix_fmt', 'yuv420p', ...aac, `${path}.part.mov`)
      await turn(path, '-stream_loop', '6', '-i', `${path}.part.mov`, '-c', 'copy')
    },
  },
  {
    name: 'portrait, 60 frames per second, no sound, 3 s',
    mimeType: 'video/quicktime',
    make: (path) => turn(path, ...picture('640x360', 60), '-t', '3.1', ...h264),
  },
  {
    name: '120 frames per second, 3 s',
    mimeType: 'video/mp4',
    make: (path) => ffmpeg(...picture('640x360', 120), ...tone, '-t', '3.1', ...h264, ...aac, path),
  },
  {
    name: 'a varying frame rate, 4 s',
    mimeType: 'video/mp4',
    make: (path) => ffmpeg(...picture('640x360', 30), ...varying, '-t', '4', ...hevc, '-pix_fmt', 'yuv420p', path),
  },
  {
    name: 'two seconds of HEVC',
    mimeType: 'video/quicktime',
    make: (path) => ffmpeg(...picture('640x360', 30), ...tone, '-t', '2', ...hevc, '-pix_fmt', 'yuv420p', ...aac, path),
  },
  {
    name: 'ten minutes',
    mimeType: 'video/quicktime',
    async make(path) {
      await ffmpeg(...picture('640x360', 25), ...tone, '-t', '5', ...h264, '-crf', '40', ...aac, `${path}.part.mov`)
      await ffmpeg('-stream_loop', '119', '-i', `${path}.part.mov`, '-c', 'copy', path)
    },
  },
]

/** Every set of rules for videos that a manifest has, short videos and stories included. */
const targets = Object.values(connectors).flatMap(({ manifest: { platform, video, shortVideo, story } }) => [
  ...(video ? [{ name: platform as string, rules: video }] : []),
  ...(shortVideo ? [{ name: `${platform} short video`, rules: shortVideo }] : []),
  ...(story?.video ? [{ name: `${platform} story`, rules: story.video }] : []),
])

const tooFewBitsPerSecond = 200_000

let dir: string
const ctx = { resources: createResources<Context>() } as Context
const owner = { ctx, workspaceId: 'phone' }
const sources = new Map<string, { path: string; facts: VideoFacts; source: RenditionSource }>()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-phone-'))
  await chmod(dir, 0o755)
  Object.assign(ctx, { storage: { spoolDir: dir } })
  for (const [at, { name, mimeType, make }] of phones.entries()) {
    const path = join(dir, `source-${at}.${mimeType === 'video/mp4' ? 'mp4' : 'mov'}`)
    await make(path)
    const facts = await readVideo(owner, { path, mimeType, thumbnailPath: `${path}-thumbnail` })
    if ('refused' in facts) throw new Error(`${name}: ${facts.refused}`)
    const { width, height, durationSeconds, ...traits } = facts
    const { size: sizeBytes } = await stat(path)
    sources.set(name, {
      path,
      facts,
      source: { type: 'video', mimeType, sizeBytes, width, height, durationSeconds, pages: null, traits },
    })
  }
}, 300_000)
afterAll(() => rm(dir, { recursive: true, force: true }))

/**
 * Guarantee: the videos that phones make are prepared for every platform that takes videos. The result is measured by ffprobe and compared with the
 * manifest; only a video that is too short, too long, too long for the size that the platform takes, or of a shape that it refuses, is refused, because
 * Carillon does not cut.
 */
test.for(phones.map(({ name }) => name))('%s', { timeout: 300_000 }, async (name) => {
  const { path, source } = sourceOf(name)
  const seconds = source.durationSeconds ?? 0
  // Platforms with the same needs get the same file, which is made once.
  const made = new Map<string, string>()
  for (const { name: target, rules } of targets) {
    const plan = planRendition(source, rules)
    const hasWrongLength = seconds < (rules.secondsMin ?? 0) || seconds > (rules.secondsMax ?? Infinity)
    const reasons = plan.kind === 'cannot' ? plan.violations.map((reason) => reason.split(' ', 3).join(' ')) : []
    const ratio = (source.width ?? 0) / (source.height ?? 1)
    const hasWrongShape = ratio < (rules.ratioMin ?? 0) || ratio > (rules.ratioMax ?? Infinity)
    // A platform that takes 10 MB has 0.1 Mbit/s left for the pictures of ten minutes, which nobody wants to see.
    const isTooLarge = rules.bytesMax !== null && (rules.bytesMax * 8) / seconds < tooFewBitsPerSecond
    const expected = [
      ...(hasWrongShape ? ['The picture is'] : []),
      ...(isTooLarge ? ['The video cannot'] : []),
      ...(hasWrongLength ? ['The video lasts'] : []),
    ]
    expect([target, reasons.toSorted()]).toEqual([target, expected])
    if (plan.kind === 'cannot') continue
    const prepared = plan.kind === 'video' ? await render({ path, mimeType: source.mimeType }, plan.plan, made) : path
    await expectToFit(prepared, rules, target)
  }
})

function sourceOf(name: string) {
  const found = sources.get(name)
  if (!found) throw new Error(`there is no video "${name}"`)
  return found
}

async function render(source: { path: string; mimeType: string }, plan: VideoPlan, made: Map<string, string>): Promise<string> {
  const key = JSON.stringify([plan.encode, plan.mimeType])
  const outPath = made.get(key) ?? join(dir, `result-${made.size}`)
  if (made.has(key)) return outPath
  made.set(key, outPath)
  const result = await renderVideo(owner, { ...source, outPath, plan })
  if ('refused' in result) throw new Error(`${JSON.stringify(plan)}: ${result.refused}`)
  return outPath
}

type Probe = {
  streams: {
    codec_type: string
    codec_name: string
    width: number
    height: number
    avg_frame_rate: string
    pix_fmt: string
    sample_rate: string
    nb_frames: string
    side_data_list?: { rotation?: number }[]
  }[]
  format: { duration: string; format_name: string; bit_rate: string }
}

async function expectToFit(path: string, rules: MediaRules, target: string): Promise<void> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path])
  const { streams, format } = JSON.parse(stdout) as Probe
  const video = streams.find((stream) => stream.codec_type === 'video')
  if (!video) throw new Error(`${target}: the result has no video`)
  const audio = streams.find((stream) => stream.codec_type === 'audio')
  const [frames = 0, seconds = 1] = video.avg_frame_rate.split('/').map(Number)
  const { size } = await stat(path)
  const isTurned = Math.abs(video.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0) % 180 === 90
  const [width, height] = isTurned ? [video.height, video.width] : [video.width, video.height]
  expect([target, video.codec_name, video.pix_fmt, audio?.codec_name ?? 'aac']).toEqual([target, 'h264', 'yuv420p', 'aac'])
  expect(Number(audio?.sample_rate ?? 0)).toBeLessThanOrEqual(48_000)
  expect(format.format_name.split(',')).toContain('mp4')
  const measures: [string, number, number | null, number | null][] = [
    ['bytes', size, rules.bytesMin, rules.bytesMax],
    ['seconds', Number(format.duration), rules.secondsMin, rules.secondsMax],
    ['width', width, rules.widthMin, rules.widthMax],
    ['short side', Math.min(width, height), rules.sideMin, rules.shortSideMax],
    ['long side', Math.max(width, height), rules.sideMin, rules.sideMax],
    ['pixels', width * height, null, rules.pixelsMax],
    ['ratio', width / height, rules.ratioMin, rules.ratioMax],
    ['frames per second', Math.round((frames / seconds) * 100) / 100, rules.fpsMin, rules.fpsMax],
    ['frames', Number(video.nb_frames), null, rules.framesMax],
    ['bits per second', Number(format.bit_rate), null, rules.bitsPerSecondMax],
  ]
  for (const [what, value, min, max] of measures) {
    expect(value, `${target}: ${what}`).toBeGreaterThanOrEqual(min ?? -Infinity)
    expect(value, `${target}: ${what}`).toBeLessThanOrEqual(max ?? Infinity)
  }
}
