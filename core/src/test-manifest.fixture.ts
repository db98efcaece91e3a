import type { Manifest, MediaRules } from '@carillon/contract'

const noLimits: MediaRules = {
  max: 4,
  bytesMax: null,
  mimeTypes: [],
  pixelsMax: null,
  widthMin: null,
  widthMax: null,
  ratioMin: null,
  ratioMax: null,
  secondsMin: null,
  secondsMax: null,
  pagesMax: null,
}

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
    counting: 'graphemes',
    linkCost: null,
    shortMentions: false,
    bytesMax: 3000,
    linksMax: 2,
    alone: true,
  },
  photos: {
    ...noLimits,
    bytesMax: 5_000_000,
    mimeTypes: ['image/jpeg', 'image/png'],
    pixelsMax: 4_000_000,
    widthMin: 320,
    ratioMin: 0.8,
    ratioMax: 1.91,
  },
  video: { ...noLimits, max: 1, secondsMin: 3, secondsMax: 60 },
  document: { ...noLimits, max: 1, pagesMax: 10 },
  story: null,
  altTextMax: 10,
  can: { firstComment: true, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'omitted',
  preview: { family: 'microblog', foldAt: null },
  rate: { perConnection: [], perApp: [] },
  metrics: {},
  primaryImpression: null,
}
