import { noLimits, type Manifest, type MediaRules } from '@carillon/contract'

/** Rules that every file fits. */
export const anyMedia: MediaRules = { ...noLimits, max: 4, mimeTypes: [] }

/** The manifest of an invented platform, `Belfry`. The manifests of real platforms are in the connectors package. */
export const testManifest: Manifest = {
  platform: 'bluesky',
  name: 'Belfry',
  checkedOn: '2026-11-15',
  api: { version: '1', sunset: null, docs: [] },
  handle: 'key',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'document'],
  text: {
    max: 300,
    maxWithPhotos: null,
    counting: 'graphemes',
    linkCost: null,
    shortMentions: false,
    bytesMax: 3000,
    linksMax: 2,
    hashtagsMax: null,
    mentionsMax: null,
    cashtagsMax: null,
    countedSettings: [],
    alone: true,
  },
  photos: {
    ...anyMedia,
    bytesMax: 5_000_000,
    mimeTypes: ['image/jpeg', 'image/png'],
    pixelsMax: 4_000_000,
    widthMin: 320,
    ratioMin: 0.8,
    ratioMax: 1.91,
  },
  video: { ...anyMedia, max: 1, secondsMin: 3, secondsMax: 60 },
  document: { ...anyMedia, max: 1, pagesMax: 10 },
  gif: null,
  story: null,
  altText: { kinds: ['image', 'video', 'document'], max: 10 },
  title: { formats: ['text', 'photo', 'photo_carousel', 'video', 'document'], max: null },
  coverSetting: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: true, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'omitted',
  linkCard: null,
  preview: { family: 'microblog', foldAt: null },
  rate: { perConnection: [], perApp: [] },
  metrics: {},
  primaryImpression: null,
}
