import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const needed = { title: 'a title', start: 'a start', end: 'an end' }
const needsEvent = (topic: string, name: string) =>
  Object.entries(needed).map(([other, part]) => {
    return { setting: 'topic', value: topic, other, others: [null], message: `${name} needs ${part}.` }
  })

/**
 * Fields, states and kinds of posts are those of the reference of local posts (page of 2026-09-11), the quota that of content/limits, both
 * read 2026-11-19. The lengths and the sizes of photos are on no page of the API: they are those that three other services enforce
 * (docs.zernio.com, postproxy.dev, ayrshare.com/docs, read 2026-11-19), and what counts as a character is not said, so the stricter count is
 * taken. Videos have a value in the API and are answered with "Video uploaded from post is not currently supported"
 * (spotonlive/php-google-my-business issue 18).
 */
export const manifest = {
  platform: 'googlebusiness',
  name: 'Google Business Profile',
  alsoCalled: ['gmb', 'google my business', 'google business', 'google_business'],
  checkedOn: '2026-11-19',
  api: {
    version: 'v4.9',
    sunset: null,
    docs: [
      'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts',
      'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/create',
      'https://developers.google.com/my-business/reference/accountmanagement/rest/v1/accounts/list',
      'https://developers.google.com/my-business/reference/businessinformation/rest/v1/accounts.locations/list',
      'https://developers.google.com/my-business/content/limits',
      'https://developers.google.com/my-business/content/sunset-dates',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo'],
  text: { ...noTextLimits, max: 1500, counting: 'utf16', alone: true },
  // One says at least 250 × 250 pixels, another 400 × 300, which fits both. One of less than 10 kB is refused, too, and hardly has this size.
  photos: {
    ...noLimits,
    max: 1,
    bytesMax: 5_000_000,
    mimeTypes: ['image/jpeg', 'image/png'],
    widthMin: 400,
    sideMin: 300,
  },
  video: null,
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  // A photo of a post has an address and nothing else.
  altText: { kinds: [], max: null },
  // That of an event or an offer is a setting: an update has none.
  title: null,
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [...needsEvent('event', 'An event'), ...needsEvent('offer', 'An offer')],
  can: { firstComment: false, thread: false, title: false, linkUrl: true, remove: true, metrics: false },
  linkWithMedia: 'field',
  // A link is a button.
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  // A project has 300 calls a minute, and a post is followed by questions for its state. The 10 edits of a profile are documented for its
  // facts.
  rate: { perConnection: [{ count: 10, windowMs: 60_000 }], perApp: [{ count: 100, windowMs: 60_000 }] },
  // Figures of single posts ended on 2023-02-20 with reportInsights; what came after it counts the whole profile.
  metrics: {},
  primaryImpression: null,
} as const satisfies Manifest
