import type { MediaFolder } from '../media-folders.ts'
import type { Media, media, PendingUpload, UploadTicket } from '../media.ts'
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
  folderId: '6737a1c09b1e8a0012ab3601',
  alt: 'A bell tower above a misty town at sunrise',
  description: '',
  usedBy: ['6737b3a09b1e8a0012ab3801'],
  createdAt: '2026-11-15T20:43:33.120Z',
}

const folder: MediaFolder = {
  id: '6737a1c09b1e8a0012ab3601',
  name: 'Bell towers',
  files: 12,
  createdAt: '2026-11-15T19:30:08.000Z',
  updatedAt: '2026-11-15T19:30:08.000Z',
}

const newPhoto: Media = { ...photo, folderId: null, tags: [], alt: '', usedBy: [] }

const pendingUpload: PendingUpload = {
  id: '6737b2f59b1e8a0012ab3720',
  name: 'concert.mp4',
  sizeBytes: 41_943_040,
  partSizeBytes: 33_554_432,
  expiresAt: '2026-11-16T20:43:33.120Z',
  createdAt: '2026-11-15T20:43:33.120Z',
}
const partUrl = (partNumber: number) => `${mediaUrl}/${pendingUpload.id}/original?partNumber=${partNumber}&${signedQuery}`

const uploadTicket: UploadTicket = {
  id: '6737b2f59b1e8a0012ab3730',
  status: 'open',
  sizeBytesMax: 524_288_000,
  mediaId: null,
  expiresAt: '2026-11-15T20:58:33.120Z',
  createdAt: '2026-11-15T20:43:33.120Z',
}

export const mediaExamples: ExamplesOf<typeof media> = {
  upload: [{ returns: newPhoto }],
  list: [{ returns: { results: [photo], total: 1, page: 1, limit: 10, nextCursor: null } }],
  tags: [
    {
      returns: [
        { tag: 'tower', count: 12 },
        { tag: 'autumn', count: 3 },
      ],
    },
  ],
  folders: [{ returns: [folder] }],
  createFolder: [{ body: { name: folder.name }, returns: { ...folder, files: 0 } }],
  updateFolder: [{ body: { name: 'Towers' }, returns: { ...folder, name: 'Towers' } }],
  removeFolder: [{ returns: { files: 12 } }],
  bulkMove: [
    {
      body: { ids: [photo.id, '6737b2f59b1e8a0012ab3711'], folderId: folder.id },
      returns: {
        requested: 2,
        succeeded: 1,
        failed: [
          {
            id: '6737b2f59b1e8a0012ab3711',
            code: 'media_not_found',
            message: 'There is no such media in this workspace.',
          },
        ],
      },
    },
  ],
  bulkTag: [
    { body: { ids: [photo.id], add: ['autumn'], remove: ['summer'] }, returns: { requested: 1, succeeded: 1, failed: [] } },
  ],
  fetch: [{ body: { url: 'https://tower.example/tower-at-dawn.jpg' }, returns: newPhoto }],
  uploads: [{ returns: [pendingUpload] }],
  uploadStatus: [
    {
      returns: {
        ...pendingUpload,
        parts: [
          { partNumber: 1, url: partUrl(1), etag: '"9b2cf535f27731c974343645a3985328"' },
          { partNumber: 2, url: partUrl(2), etag: null },
        ],
      },
    },
  ],
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
  createUploadTicket: [
    {
      body: { alt: 'A bell' },
      returns: {
        ...uploadTicket,
        url: `https://carillon.example.com/uploads/${uploadTicket.id}/Zk3vQm8sT1yX0bJw5nR7cLdGhE2uPa9fKoViM6tSqYx`,
      },
    },
  ],
  uploadTicket: [{ returns: { ...uploadTicket, status: 'used', mediaId: '6737b2f59b1e8a0012ab3710' } }],
  startUpload: [
    {
      body: { name: 'concert.mp4', sizeBytes: 41_943_040 },
      returns: {
        id: pendingUpload.id,
        partSizeBytes: pendingUpload.partSizeBytes,
        parts: [1, 2].map((partNumber) => ({ partNumber, url: partUrl(partNumber) })),
        expiresAt: pendingUpload.expiresAt,
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
