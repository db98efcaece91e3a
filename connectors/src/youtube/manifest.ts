import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

export const manifest = {
  platform: 'youtube',
  name: 'YouTube',
  checkedOn: '2026-11-17',
  api: {
    version: 'v3',
    sunset: null,
    docs: [
      'https://developers.google.com/youtube/v3/docs/videos/insert',
      'https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol',
      'https://developers.google.com/youtube/v3/docs/videos',
      'https://developers.google.com/youtube/v3/determine_quota_cost',
      'https://developers.google.com/youtube/v3/docs/errors',
      'https://developers.google.com/youtube/v3/docs/commentThreads/insert',
      'https://support.google.com/youtube/answer/15424877',
    ],
  },
  handle: 'reference',
  handleLastsMs: null,
  formats: ['video', 'short_video'],
  // The description. YouTube counts its bytes (docs/videos, snippet.description).
  text: { ...noTextLimits, max: 5000, counting: 'utf8-bytes', alone: false, refused: ['<', '>'] },
  photos: null,
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 274_877_906_944,
    mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
    // An account without a confirmed phone number may upload 15 minutes.
    secondsMax: 43_200,
  },
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: [], max: null },
  title: { formats: ['video', 'short_video'], max: 100 },
  coverSetting: null,
  aiLabel: { setting: 'aiGenerated', formats: ['video', 'short_video'] },
  audienceSetting: null,
  // Commas between the tags count, and the quotation marks that YouTube puts around a tag with a space.
  listLimits: [{ setting: 'tags', max: 500, between: 1, forSpaces: 2 }],
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: true, linkUrl: false, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'feed', foldAt: 125 },
  prices: null,
  // A project has 100 uploads a day unless its operator was given more, and a channel has a limit that YouTube does not name. Both answers
  // say that they are used up.
  rate: { perConnection: [], perApp: [] },
  metrics: { likes: 'likeCount', comments: 'commentCount', impressions: 'viewCount' },
  followers: 'subscriberCount',
  primaryImpression: 'impressions',
} as const satisfies Manifest
