import type { Media, media } from '../media.ts'
import type { ExamplesOf } from './case.ts'

const signedQuery = 'expires=1794820800&signature=5d0f6c1b8a2e4f7093'
const mediaUrl = 'https://carillon.example.com/files/6735f0c29b1e8a0012ab34cd/media'
const photoUrl = `${mediaUrl}/6737b2f59b1e8a0012ab3710`

const photo: Media = {
  id: '6737b2f59b1e8a0012ab3710',
  name: 'tower-at-dawn.jpg',
  type: 'image',
  mimeType: 'image/jpeg',
  sizeBytes: 482_113,
  url: `${photoUrl}/original?${signedQuery}`,
  thumbnailUrl: `${photoUrl}/thumbnail?${signedQuery}`,
  width: 2048,
  height: 1365,
  durationSeconds: null,
  pages: null,
  tags: ['tower', 'autumn'],
  alt: 'A bell tower above a misty town at sunrise',
  description: '',
  usedBy: ['6737b3a09b1e8a0012ab3801'],
  createdAt: '2026-11-15T20:43:33.120Z',
}

const newPhoto: Media = { ...photo, tags: [], alt: '', usedBy: [] }

export const mediaExamples: ExamplesOf<typeof media> = {
  upload: [{ returns: newPhoto }],
  list: [{ returns: { results: [photo], total: 1, page: 1, limit: 10, nextCursor: null } }],
  get: [{ returns: photo }],
  update: [{ body: { alt: photo.alt, tags: photo.tags }, returns: { ...photo, usedBy: [] } }],
  remove: [{ returns: null }],
  bulkDelete: [
    {
      body: { ids: [photo.id, '6737b2f59b1e8a0012ab3711'] },
      returns: {
        requested: 2,
        succeeded: 1,
        failed: [
          {
            id: '6737b2f59b1e8a0012ab3711',
            code: 'media_in_use',
            message: 'A post that may still be published uses this file.',
          },
        ],
      },
    },
  ],
  startUpload: [
    {
      body: { name: 'concert.mp4', sizeBytes: 41_943_040 },
      returns: {
        id: '6737b2f59b1e8a0012ab3720',
        partSizeBytes: 33_554_432,
        parts: [1, 2].map((partNumber) => ({
          partNumber,
          url: `${mediaUrl}/6737b2f59b1e8a0012ab3720/original?partNumber=${partNumber}&${signedQuery}`,
        })),
        expiresAt: '2026-11-16T20:43:33.120Z',
      },
    },
  ],
  completeUpload: [
    {
      body: { parts: [1, 2].map((partNumber) => ({ partNumber, etag: '"9b2cf535f27731c974343645a3985328"' })) },
      returns: {
        ...newPhoto,
        id: '6737b2f59b1e8a0012ab3720',
        name: 'concert.mp4',
        type: 'video',
        mimeType: 'video/mp4',
        sizeBytes: 41_943_040,
        width: 1920,
        height: 1080,
        durationSeconds: 61.4,
      },
    },
  ],
  abortUpload: [{ returns: null }],
}
