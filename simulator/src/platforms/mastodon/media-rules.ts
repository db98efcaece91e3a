/** The limits of a Mastodon server with default settings. */
export const mediaRules = {
  attachmentsMax: 4,
  altMax: 1500,
  imageBytesMax: 16_777_216,
  videoBytesMax: 103_809_024,
  mimes: [
    'image/jpeg',
    'image/png',
    'image/gif',
    'image/heic',
    'image/heif',
    'image/webp',
    'image/avif',
    'video/webm',
    'video/mp4',
    'video/quicktime',
    'audio/mpeg',
    'audio/ogg',
    'audio/wav',
    'audio/flac',
    'audio/aac',
  ],
} as const
