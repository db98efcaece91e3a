import type { AccountRules } from '@carillon/contract'
import type { Capabilities, Client } from '../kit/connector.ts'
import { type Instance, limit, limitsOf, mentions, readInstance, typesOf } from '../mastodon-api/instance.ts'
import { manifest } from './manifest.ts'

const dayMs = 86_400_000

export const capabilities = {
  currentMs: dayMs,
  async read({ http }: Client): Promise<Capabilities> {
    return { rules: rulesOf(await readInstance(http)) }
  },
}

function rulesOf(instance: Instance): AccountRules {
  const { statuses, media_attachments: files } = limitsOf(instance)
  const photoTypes = typesOf(files, manifest.photos.mimeTypes)
  const videoTypes = typesOf(files, manifest.video.mimeTypes)
  const takesVideo = videoTypes.length > 0
  const isPixelfed = mentions(instance, 'pixelfed')
  const formats = manifest.formats.filter((format) => (format !== 'video' || takesVideo) && (format !== 'text' || !isPixelfed))
  return {
    ...(formats.length < manifest.formats.length && { formats }),
    text: {
      ...limit('max', statuses.max_characters ?? instance.max_toot_chars),
      ...limit('linkCost', statuses.characters_reserved_per_url),
      // GoToSocial counts every character of a link and of a mention, whatever it says about links.
      ...(isGoToSocial(instance) && { counting: 'codepoints' as const, linkCost: null, shortMentions: false }),
      ...(isPixelfed && { alone: false }),
    },
    photos: {
      ...limit('max', statuses.max_media_attachments),
      ...limit('bytesMax', files.image_size_limit),
      ...limit('pixelsMax', files.image_matrix_limit),
      ...(photoTypes.length > 0 && { mimeTypes: photoTypes }),
    },
    video: {
      ...limit('bytesMax', files.video_size_limit),
      ...limit('pixelsMax', files.video_matrix_limit),
      ...limit('fpsMax', files.video_frame_rate_limit),
      ...(takesVideo && { mimeTypes: videoTypes }),
    },
    ...limit('altTextMax', files.description_limit),
    ...(!recognisesKeys(instance) && { handle: 'readback' as const }),
    // Pixelfed refuses a post for the people mentioned only.
    ...(isPixelfed && { choices: { visibility: ['public', 'unlisted', 'private'] } }),
  }
}

/**
 * Whether a repeat is answered with the first post. GoToSocial ignores keys of requests and Pixelfed refuses a second one; of other software we
 * know it only of Pleroma and its fork. Mastodon and its forks do not say `compatible`.
 */
function recognisesKeys(instance: Instance): boolean {
  if (isGoToSocial(instance)) return false
  return !mentions(instance, '(compatible;') || mentions(instance, 'pleroma') || mentions(instance, 'akkoma')
}

function isGoToSocial(instance: Instance): boolean {
  return instance.account_domain !== undefined || mentions(instance, 'gotosocial')
}
