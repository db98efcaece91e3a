import type { AccountRules } from '@carillon/contract'
import type { Capabilities, Client } from '../kit/connector.ts'
import { type Instance, limit, limitsOf, readInstance, typesOf } from '../mastodon-api/instance.ts'
import { manifest } from './manifest.ts'

const dayMs = 86_400_000

export const capabilities = {
  currentMs: dayMs,
  async read({ http }: Client): Promise<Capabilities> {
    return { rules: rulesOf(await readInstance(http)) }
  },
}

/** Pixelfed does not tell how long an alternative text may be, and what it tells of pixels is not enforced. */
function rulesOf(instance: Instance): AccountRules {
  const { statuses, media_attachments: files } = limitsOf(instance)
  const photoTypes = typesOf(files, manifest.photos.mimeTypes)
  const videoTypes = typesOf(files, manifest.video.mimeTypes)
  const formats = manifest.formats.filter((format) => format !== 'video' || videoTypes.length > 0)
  return {
    ...(formats.length < manifest.formats.length && { formats }),
    text: limit('max', statuses.max_characters),
    photos: {
      ...limit('max', statuses.max_media_attachments),
      ...limit('bytesMax', files.image_size_limit),
      ...(photoTypes.length > 0 && { mimeTypes: photoTypes }),
    },
    video: {
      ...limit('bytesMax', files.video_size_limit),
      ...(videoTypes.length > 0 && { mimeTypes: videoTypes }),
    },
  }
}
