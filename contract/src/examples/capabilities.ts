import type { connectionsApi } from '../connections.ts'
import type { ExamplesOf } from './case.ts'

export const capabilityExamples: ExamplesOf<typeof connectionsApi> = {
  capabilities: [
    {
      returns: {
        connectionId: '6735f2f09b1e8a0012ab34d4',
        platform: 'mastodon',
        learnedAt: '2026-11-17T09:00:00.000Z',
        isCurrent: true,
        differs: ['text.max'],
        formats: ['text', 'photo', 'photo_carousel', 'video'],
        text: {
          max: 5000,
          maxWithPhotos: null,
          maxWithFiles: null,
          counting: 'graphemes',
          linkCost: 23,
          shortMentions: true,
          bytesMax: null,
          linksMax: null,
          hashtagsMax: null,
          mentionsMax: null,
          cashtagsMax: null,
          countedSettings: ['spoiler'],
          alone: true,
        },
        photos: null,
        video: null,
        altText: { kinds: ['image', 'video'], max: 1500 },
        can: { firstComment: true, thread: true, title: false, linkUrl: false, remove: true, metrics: true },
        choices: {},
        needs: [],
        name: null,
        blocked: null,
      },
    },
  ],
}
