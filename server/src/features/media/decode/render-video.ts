import { stat } from 'node:fs/promises'
import type { VideoPlan } from '../plan-rendition.ts'
import type { DecodeResult, RenderedFile } from './decode-job.ts'
import { inputArgs, readVideo, runTool } from './read-video.ts'

const renderTimeoutMs = 600_000
const renderBytes = 1024 * 1024 * 1024
/** Should the encoder spend more than it was given, it gets less the next time. */
const budgets = [1, 0.8]

export type RenderedVideo = RenderedFile & { durationSeconds: number }

/** Makes a video fit: another container, or encoded anew within a size; always without what it says about itself. */
export async function renderVideo(job: {
  path: string
  mimeType: string
  outPath: string
  plan: VideoPlan
}): Promise<DecodeResult<RenderedVideo>> {
  const { path, mimeType, outPath, plan } = job
  for (const budget of budgets) {
    const args = [
      '-v',
      'error',
      '-nostdin',
      '-y',
      ...inputArgs(path, mimeType),
      ...streams,
      ...coding(plan, budget),
      ...container(plan),
      outPath,
    ]
    const done = await runTool('ffmpeg', args, { timeoutMs: renderTimeoutMs, dataBytes: renderBytes })
    if (!done.ok)
      return { refused: done.reason === 'timeout' ? 'The video takes too long to convert.' : 'The video could not be converted.' }
    const { size } = await stat(outPath)
    if (plan.bytesMax === null || size <= plan.bytesMax) return measured(outPath, plan, size)
  }
  return { refused: 'The video could not be made small enough.' }
}

/** One picture track and one of sound; chapters, subtitles and all words about the file are left out. */
const streams = ['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']

function coding({ encode, mimeType }: VideoPlan, budget: number): string[] {
  if (!encode) return ['-c', 'copy']
  const isWebm = mimeType === 'video/webm'
  // Encoders want even sides.
  const scale = `scale=${even(encode.width)}:${even(encode.height)}:flags=bicubic,setsar=1`
  const quality = ['-crf', isWebm ? '32' : '21']
  const rate = encode.bitsPerSecond && Math.floor(encode.bitsPerSecond * budget)
  // Good, and never dearer than what fits.
  const bound = !rate ? [] : isWebm ? ['-b:v', String(rate)] : ['-maxrate', String(rate), '-bufsize', String(rate * 2)]
  const codec = isWebm
    ? ['-c:v', 'libvpx-vp9', '-row-mt', '1', '-c:a', 'libopus']
    : ['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac']
  return ['-vf', scale, ...codec, ...quality, ...bound, '-pix_fmt', 'yuv420p', '-b:a', '128k', '-ac', '2']
}

/** The index in front, so that a platform can begin to read before it has all. */
function container({ mimeType }: VideoPlan): string[] {
  if (mimeType === 'video/webm') return ['-f', 'webm']
  return ['-f', mimeType === 'video/mp4' ? 'mp4' : 'mov', '-movflags', '+faststart']
}

function even(side: number): number {
  return Math.max(2, side - (side % 2))
}

async function measured(outPath: string, { mimeType }: VideoPlan, sizeBytes: number): Promise<DecodeResult<RenderedVideo>> {
  const facts = await readVideo(outPath, mimeType, `${outPath}-thumbnail`)
  if ('refused' in facts) return facts
  const { width, height, durationSeconds } = facts
  return { width, height, durationSeconds, sizeBytes }
}
