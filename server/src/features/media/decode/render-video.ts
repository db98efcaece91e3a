import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { VideoPlan } from '@carillon/core'
import type { DecodeResult, RenderedFile } from './decode-job.ts'
import { inputArgs, readVideo, runTool } from './read-video.ts'
import type { DecodeOwner } from './run-decoder.ts'

const renderTimeoutMs = 600_000
const renderMemoryBytes = 1536 * 1024 * 1024
/** The memory of a decoder and an encoder grows with their threads. */
const threads = 4
/** The largest file that a conversion without a limit on its size may write. */
const fileBytesMax = 16_000_000_000
/** If the result exceeds the size limit, it is encoded again with this factor on the bitrate. */
const bitrateFactors = [1, 0.8]

export type RenderedVideo = RenderedFile & { durationSeconds: number }

/** Converts a video: into another container, or encoded again within a size limit, always without metadata. */
export async function renderVideo(
  owner: DecodeOwner,
  job: { path: string; mimeType: string; outPath: string; plan: VideoPlan },
): Promise<DecodeResult<RenderedVideo>> {
  const { path, mimeType, outPath, plan } = job
  for (const bitrateFactor of bitrateFactors) {
    const args = [
      ...quietArgs,
      ...inputArgs(path, mimeType),
      ...streamArgs,
      ...encodingArgs(plan, bitrateFactor),
      ...containerArgs(plan),
    ]
    const done = await runTool(owner, {
      queue: 'render',
      program: 'ffmpeg',
      args: (output) => [...args, output],
      input: path,
      output: outPath,
      // A first attempt may exceed the limit, and is then repeated with a lower bitrate.
      limits: {
        timeoutMs: renderTimeoutMs,
        dataBytes: renderMemoryBytes,
        fileBytes: plan.bytesMax === null ? fileBytesMax : plan.bytesMax * 2,
      },
    })
    if (!done.ok && done.reason === 'timeout') return { refused: 'The video takes too long to convert.' }
    if (!done.ok || !existsSync(outPath)) return { refused: 'The video could not be converted.' }
    const { size } = await stat(outPath)
    if (plan.bytesMin !== null && size < plan.bytesMin)
      return { refused: 'The converted video is smaller than the platform accepts.' }
    if (plan.bytesMax === null || size <= plan.bytesMax)
      return measureVideo(owner, outPath, { mimeType: plan.mimeType, sizeBytes: size })
  }
  return { refused: 'The video could not be made small enough.' }
}

const quietArgs = ['-v', 'error', '-nostdin', '-y', '-threads', String(threads)]

/** One video and one audio stream; chapters, subtitles and metadata are left out. */
const streamArgs = ['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']

function encodingArgs({ encode, mimeType }: VideoPlan, bitrateFactor: number): string[] {
  if (!encode) return ['-c', 'copy']
  const isWebm = mimeType === 'video/webm'
  // Encoders require an even width and height.
  const scale = `scale=${roundToEven(encode.width)}:${roundToEven(encode.height)}:flags=bicubic,setsar=1`
  // A constant rate: phones vary it, and platforms measure it in different ways.
  const filters = encode.framesPerSecond === null ? scale : `fps=${encode.framesPerSecond},${scale}`
  const quality = ['-crf', isWebm ? '32' : '21']
  const rate = encode.bitsPerSecond && Math.floor(encode.bitsPerSecond * bitrateFactor)
  // Constant quality, but never above the bitrate that fits the size limit.
  const rateLimit = !rate ? [] : isWebm ? ['-b:v', String(rate)] : ['-maxrate', String(rate), '-bufsize', String(rate * 2)]
  const codec = isWebm
    ? ['-c:v', 'libvpx-vp9', '-row-mt', '1', '-c:a', 'libopus']
    : ['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac']
  const sound = ['-b:a', '128k', '-ac', '2', '-ar', '48000']
  return ['-vf', filters, ...codec, ...quality, ...rateLimit, '-pix_fmt', 'yuv420p', '-threads', String(threads), ...sound]
}

/** The index comes first, so that a platform can process the file while it is still being uploaded. */
function containerArgs({ mimeType }: VideoPlan): string[] {
  if (mimeType === 'video/webm') return ['-f', 'webm']
  return ['-f', mimeType === 'video/mp4' ? 'mp4' : 'mov', '-movflags', '+faststart']
}

function roundToEven(side: number): number {
  return Math.max(2, side - (side % 2))
}

async function measureVideo(
  owner: DecodeOwner,
  outPath: string,
  { mimeType, sizeBytes }: { mimeType: string; sizeBytes: number },
): Promise<DecodeResult<RenderedVideo>> {
  const facts = await readVideo(owner, { path: outPath, mimeType, thumbnailPath: `${outPath}-thumbnail` })
  if ('refused' in facts) return facts
  const { width, height, durationSeconds } = facts
  return { width, height, durationSeconds, sizeBytes }
}
