import { existsSync } from 'node:fs'
import type { ProcessResult } from '../../../infra/sandbox/run-process.ts'
import { type DecodeResult, MissingToolError } from './decode-job.ts'
import { type DecodeOwner, type Decoding, runDecoder } from './run-decoder.ts'

export type VideoFacts = {
  width: number
  height: number
  durationSeconds: number
  videoCodec: string
  pixelFormat: string
  audioCodec: string | null
  framesPerSecond?: number
  audioHertz?: number
  hasMetadata: boolean
}

type VideoFile = { path: string; mimeType: string; thumbnailPath: string }

type Stream = {
  codec_type?: string
  codec_name?: string
  width?: number
  height?: number
  pix_fmt?: string
  avg_frame_rate?: string
  sample_rate?: string
  tags?: Record<string, string>
  side_data_list?: { rotation?: number }[]
  disposition?: { attached_pic?: number }
}
type Probe = { streams?: Stream[]; format?: { duration?: string; tags?: Record<string, string> } }

const sideMax = 8192
/** On a machine that is busy with other things, opening a file may take long and is no reason to refuse it. */
export const openLimits = { cpuMs: 5000, timeoutMs: 60_000 }
const probeMemoryBytes = 150 * 1024 * 1024
const frameMemoryBytes = 220 * 1024 * 1024
const thumbnailBytesMax = 64_000_000
/** Tags that describe the encoding and not the person or the place. */
const harmlessTags = new Set([
  'major_brand',
  'minor_version',
  'compatible_brands',
  'encoder',
  'language',
  'handler_name',
  'vendor_id',
  'duration',
  'encoder_options',
])

/** The demuxer is given and only local files are allowed, because a disguised playlist could make ffmpeg fetch URLs. */
export function inputArgs(path: string, mimeType: string): string[] {
  return ['-protocol_whitelist', 'file', '-f', mimeType === 'video/webm' ? 'matroska' : 'mov', '-i', `file:${path}`]
}

/** Reads the size and length of a video and makes a thumbnail from one frame. */
export async function readVideo(owner: DecodeOwner, video: VideoFile): Promise<DecodeResult<VideoFacts>> {
  const { path, mimeType } = video
  const show = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json']
  const probed = await runTool(owner, {
    queue: 'inspect',
    program: 'ffprobe',
    args: () => [...show, ...inputArgs(path, mimeType)],
    input: path,
    output: null,
    limits: { ...openLimits, dataBytes: probeMemoryBytes, fileBytes: 0 },
  })
  if (!probed.ok) return { refused: probed.reason === 'timeout' ? 'It takes too long to open.' : 'The video cannot be read.' }
  const facts = readFacts(parseProbe(probed.output))
  if ('refused' in facts) return facts
  // The first frame is often black, so a later one is tried first. There may be none if the audio is longer than the video.
  const isDrawn = (await drawFrame(owner, video, Math.min(1, facts.durationSeconds / 2))) || (await drawFrame(owner, video, 0))
  return isDrawn ? facts : { refused: 'The video has no picture that can be shown.' }
}

/** ffmpeg exits with success and writes no file if there is no frame at this time, so the file is checked too. */
async function drawFrame(owner: DecodeOwner, video: VideoFile, atSeconds: number): Promise<boolean> {
  const { path, mimeType, thumbnailPath } = video
  const seek = atSeconds.toFixed(3)
  const frame = [
    '-an',
    '-frames:v',
    '1',
    '-vf',
    'scale=480:480:force_original_aspect_ratio=decrease',
    '-c:v',
    'mjpeg',
    '-q:v',
    '4',
  ]
  const args = ['-v', 'error', '-xerror', '-nostdin', '-threads', '1', '-ss', seek, ...inputArgs(path, mimeType), ...frame]
  const done = await runTool(owner, {
    queue: 'inspect',
    program: 'ffmpeg',
    args: (output) => [...args, '-pix_fmt', 'yuvj420p', '-f', 'image2', '-y', output],
    input: path,
    output: thumbnailPath,
    limits: { ...openLimits, dataBytes: frameMemoryBytes, fileBytes: thumbnailBytesMax },
  })
  return done.ok && existsSync(thumbnailPath)
}

export async function runTool(owner: DecodeOwner, decoding: Decoding): Promise<ProcessResult> {
  const done = await runDecoder(owner, decoding)
  if (!done.ok && done.reason === 'missing') throw new MissingToolError(decoding.program)
  return done
}

/** What a video makes ffprobe print is not trusted. */
function parseProbe(output: string): Probe {
  try {
    return Object(JSON.parse(output)) as Probe
  } catch {
    return {}
  }
}

function readFacts({ streams = [], format = {} }: Probe): DecodeResult<VideoFacts> {
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1)
  const audio = streams.find((stream) => stream.codec_type === 'audio')
  const durationSeconds = Number(format.duration)
  if (!video?.codec_name || !video.width || !video.height) return { refused: 'The file has no moving picture.' }
  if (!(durationSeconds > 0)) return { refused: 'The video has no length.' }
  if (video.width > sideMax || video.height > sideMax)
    return { refused: `The video has ${video.width} × ${video.height} pixels; at most ${sideMax} a side are taken.` }
  const isRotated = Math.abs(video.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0) % 180 === 90
  const tags = [format.tags ?? {}, ...streams.map((stream) => stream.tags ?? {})].flatMap((group) => Object.keys(group))
  return {
    width: isRotated ? video.height : video.width,
    height: isRotated ? video.width : video.height,
    durationSeconds: Math.round(durationSeconds * 1000) / 1000,
    videoCodec: video.codec_name,
    pixelFormat: video.pix_fmt ?? 'unknown',
    audioCodec: audio?.codec_name ?? null,
    ...optional('framesPerSecond', readRate(video.avg_frame_rate)),
    ...optional('audioHertz', Number(audio?.sample_rate)),
    hasMetadata: tags.some((tag) => !harmlessTags.has(tag.toLowerCase())),
  }
}

/** `30000/1001` is 29.97. */
function readRate(rate = ''): number {
  const [frames, seconds] = rate.split('/').map(Number)
  return Math.round(((frames ?? NaN) / (seconds ?? NaN)) * 100) / 100
}

function optional<Name extends string>(name: Name, value: number): Partial<Record<Name, number>> {
  return Number.isFinite(value) && value > 0 ? ({ [name]: value } as Record<Name, number>) : {}
}
