import { checkGoogleApp } from '../google/check-app.ts'
import { type Client, defineConnector, type Draft, type Figures, type Media, type Outcome } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { readFollowers } from '../kit/auth.ts'
import { auth, origin } from './auth.ts'
import { because, classify } from './errors.ts'
import { findPost } from './find.ts'
import { manifest } from './manifest.ts'
import { type Settings, settings } from './settings.ts'
import { checkVideo, type Note, processingOutcome } from './status.ts'
import { lateUpload, readProgress, sendLastPiece, startUpload } from './upload.ts'
import { AnyBody, Channels, StagedVideo, Thread, VideoFigures } from './wire.ts'

const idsPerCall = 50
const shortSecondsMax = 180

export const youtube = defineConnector({
  manifest,
  settings,
  auth,
  origin,
  classify,
  checkApp: (http, question) => checkGoogleApp(http, auth, question),

  // A person chooses one channel when they agree, so one permission is one channel.
  async account({ http }) {
    const query = { part: 'snippet,statistics', mine: 'true' }
    const { items = [] } = await http.call({ method: 'GET', path: '/youtube/v3/channels', query, returns: Channels })
    const [channel] = items
    if (!channel) throw new PlatformError({ kind: 'auth', platformCode: 'no_channel', ...because('channel_missing') })
    const { title, customUrl, thumbnails } = channel.snippet
    const handle = customUrl?.replace(/^@/, '') || channel.id
    // A channel that hides the number may still have a 0 there.
    const { subscriberCount, hiddenSubscriberCount: isHidden } = channel.statistics ?? {}
    return {
      id: channel.id,
      handle,
      displayName: title || handle,
      avatarUrl: thumbnails?.default?.url ?? null,
      ...(isHidden !== true && readFollowers(subscriberCount)),
    }
  },

  needsStage({ replyTo }) {
    return replyTo === null
  },

  stage(client, draft) {
    return startUpload(client, draft, videoOf(draft))
  },

  // An upload lasts for about a week, which YouTube does not document.
  stageLastsMs: 2 * 86_400_000,
  // Two questions, the last bytes and the playlist.
  submitMsMax: 170_000,

  /** Safe to repeat for the same upload: one upload makes one video. */
  async submit(client, draft, staged) {
    if (draft.replyTo) return comment(client, draft.replyTo.postId, draft.text)
    const upload = parseStaged(StagedVideo, staged)
    const progress = await readProgress(client.http, upload)
    if (progress.state === 'gone') throw lateUpload()
    const videoId =
      progress.state === 'complete' ? progress.videoId : await sendLastPiece(client, upload, videoOf(draft), progress.storedBytes)
    return processingOutcome({ videoId, privacy: draft.settings.privacy, notes: await addToPlaylist(client, draft, videoId) })
  },

  check: checkVideo,

  find: findPost,

  async remove({ http }, postId) {
    await http.call({ method: 'DELETE', path: '/youtube/v3/videos', query: { id: postId }, returns: AnyBody })
  },

  async metrics({ http }, postIds) {
    const figures = new Map<string, Figures>()
    for (let from = 0; from < postIds.length; from += idsPerCall) {
      const query = { part: 'statistics', id: postIds.slice(from, from + idsPerCall).join(',') }
      const { items } = await http.call({ method: 'GET', path: '/youtube/v3/videos', query, returns: VideoFigures })
      for (const { id, statistics } of items) {
        figures.set(id, {
          impressions: Number(statistics.viewCount ?? 0),
          likes: Number(statistics.likeCount ?? 0),
          comments: Number(statistics.commentCount ?? 0),
        })
      }
    }
    return figures
  },
})

/** YouTube makes a Short of every video that has its form, and of no other. */
function videoOf({ media, format }: Draft<Settings>): Media {
  const [video] = media
  if (video?.kind !== 'video') throw new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_alone') })
  const { width, height, durationSeconds } = video
  const isWide = width !== null && height !== null && width > height
  if (format !== 'short_video' || (!isWide && (durationSeconds ?? 0) <= shortSecondsMax)) return video
  const message = 'YouTube makes a Short only of a square or upright video of at most 3 minutes. Publish it as a video.'
  const reason = isWide ? 'file_shape' : 'video_length'
  throw new PlatformError({ kind: 'rejected', platformCode: null, reason, message })
}

/** The video is there already, so nothing that happens here is a failure. */
async function addToPlaylist({ http }: Client, { settings: { playlistId } }: Draft<Settings>, videoId: string): Promise<Note[]> {
  if (playlistId === undefined) return []
  const json = { snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId } } }
  const query = { part: 'snippet' }
  try {
    await http.call({ method: 'POST', path: '/youtube/v3/playlistItems', query, json, returns: AnyBody })
    return []
  } catch {
    return ['playlist_refused']
  }
}

async function comment({ http, account }: Client, videoId: string, text: string): Promise<Outcome> {
  const json = { snippet: { channelId: account.id, videoId, topLevelComment: { snippet: { textOriginal: text } } } }
  const query = { part: 'snippet' }
  const { id } = await http.call({ method: 'POST', path: '/youtube/v3/commentThreads', query, json, returns: Thread })
  return { state: 'published', postId: id, postUrl: null }
}
