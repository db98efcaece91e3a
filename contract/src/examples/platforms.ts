import type { PlatformInfo, platformsApi } from '../platforms-api.ts'
import type { ExamplesOf } from './case.ts'

const bluesky: PlatformInfo = {
  platform: 'bluesky',
  name: 'Bluesky',
  formats: ['text', 'photo', 'photo_carousel', 'video'],
  text: {
    max: 300,
    maxWithPhotos: null,
    counting: 'graphemes',
    linkCost: null,
    shortMentions: false,
    bytesMax: 3000,
    linksMax: null,
    hashtagsMax: null,
    mentionsMax: null,
    cashtagsMax: null,
    countedSettings: [],
    alone: true,
  },
  photos: null,
  video: null,
  document: null,
  story: null,
  gif: null,
  altText: { kinds: ['image', 'video'], max: null },
  altTextMax: null,
  title: null,
  can: { firstComment: true, thread: true, title: false, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'omitted',
  preview: { family: 'microblog', foldAt: null },
  settings: {
    type: 'object',
    properties: { language: { type: 'string', title: 'Language', maxLength: 35 } },
    additionalProperties: false,
  },
  coverSetting: null,
  audienceSetting: null,
  metrics: ['likes', 'comments', 'shares', 'saves'],
  primaryImpression: null,
  connect: {
    method: 'password',
    available: true,
    reason: null,
    instance: 'optional',
    fields: [
      { name: 'identifier', label: 'Handle or e-mail', secret: false },
      { name: 'password', label: 'App password', secret: true },
    ],
    redirectUri: null,
    scopes: [],
    setting: null,
    portalUrl: null,
    simulated: false,
    feedUrl: null,
  },
}

export const platformExamples: ExamplesOf<typeof platformsApi> = {
  list: [{ returns: [bluesky] }],
}
