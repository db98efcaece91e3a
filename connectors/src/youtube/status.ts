import { writeWarning, type WarningCode } from '@carillon/contract'
import type { Static } from 'typebox'
import type { Client, Outcome } from '../kit/connector.ts'
import { failedVideo } from './errors.ts'
import { manifest } from './manifest.ts'
import { VideoStates } from './wire.ts'

const checkAgainMs = 20_000
/** A long video is converted for hours, while it can already be opened. The server stops asking after 120 times. */
const convertedLateMs = 30 * 60_000

/** What `check` has to know about the draft is in the reference: the id of the video, the privacy that was asked for, and warnings. */
type Reference = { videoId: string; privacy: string; notes: readonly Note[] }

const notes = ['playlist_refused'] as const satisfies WarningCode[]
export type Note = (typeof notes)[number]

export function processingOutcome(reference: Reference): Outcome {
  return { state: 'processing', reference: writeReference(reference), checkAfterMs: checkAgainMs }
}

function writeReference({ videoId, privacy, notes: codes }: Reference): string {
  return [videoId, privacy, ...codes].join('|')
}

function readReference(reference: string): Reference {
  const [videoId = '', privacy = '', ...codes] = reference.split('|')
  return { videoId, privacy, notes: notes.filter((note) => codes.includes(note)) }
}

type VideoState = Static<typeof VideoStates>['items'][number]

export async function readVideo({ http }: Client, videoId: string): Promise<VideoState | undefined> {
  const query = { part: 'status,snippet', id: videoId }
  const { items } = await http.call({ method: 'GET', path: '/youtube/v3/videos', query, returns: VideoStates })
  return items.find(({ id }) => id === videoId)
}

export async function checkVideo(client: Client, reference: string): Promise<Outcome> {
  const known = readReference(reference)
  const video = await readVideo(client, known.videoId)
  const { uploadStatus = '', failureReason, rejectionReason } = video?.status ?? {}
  if (['failed', 'rejected', 'deleted'].includes(uploadStatus)) throw failedVideo(failureReason ?? rejectionReason)
  return describeVideo(client, known, video)
}

/** A video that YouTube does not list yet, or that it could not use, is `processing` here; `check` finds the reason. */
export function describeVideo({ http }: Client, known: Reference, video: VideoState | undefined): Outcome {
  const isProcessed = video?.status.uploadStatus === 'processed'
  const isLate =
    video?.status.uploadStatus === 'uploaded' && http.nowMs() - Date.parse(video.snippet.publishedAt) > convertedLateMs
  if (!video || (!isProcessed && !isLate)) return processingOutcome(known)
  const platform = manifest.name
  const isKeptPrivate = video.status.privacyStatus === 'private' && known.privacy !== 'private'
  const warnings = [
    ...(isKeptPrivate ? [writeWarning('kept_private', { platform })] : []),
    ...(isLate ? [writeWarning('video_converted_late', { platform })] : []),
    ...known.notes.map((code) => writeWarning(code, { platform })),
  ]
  return { state: 'published', postId: known.videoId, postUrl: videoUrl(known.videoId), warnings }
}

/** The same address shows a Short, too. */
export function videoUrl(videoId: string): string {
  return `https://www.youtube.com/watch?v=${encodeURIComponent(videoId)}`
}
