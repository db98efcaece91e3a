import type { AccountRules } from '@carillon/contract'
import { type Static, Type } from 'typebox'
import { isOfShape } from '../kit/is-of-shape.ts'
import type { Capabilities, Client } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { manifest } from './manifest.ts'

/** Any value, because servers with other software leave fields out, and some write limits that are larger than a number can be. */
const Limit = Type.Optional(Type.Unknown())

const Configuration = Type.Object({
  statuses: Type.Optional(
    Type.Object({ max_characters: Limit, max_media_attachments: Limit, characters_reserved_per_url: Limit }),
  ),
  media_attachments: Type.Optional(
    Type.Object({
      supported_mime_types: Limit,
      description_limit: Limit,
      image_size_limit: Limit,
      image_matrix_limit: Limit,
      video_size_limit: Limit,
      video_frame_rate_limit: Limit,
      video_matrix_limit: Limit,
    }),
  ),
})

/** Version 1 has the same `configuration`; older servers have `max_toot_chars` beside it, which many forks kept. */
const Instance = Type.Object({
  version: Limit,
  source_url: Limit,
  /** Only GoToSocial has it. */
  account_domain: Limit,
  max_toot_chars: Limit,
  configuration: Type.Optional(Type.Unknown()),
})

type Instance = Static<typeof Instance>

const dayMs = 86_400_000

export const capabilities = {
  currentMs: dayMs,
  async read({ http }: Client): Promise<Capabilities> {
    const read = (version: string) => http.call({ method: 'GET', path: `/api/${version}/instance`, returns: Instance })
    const instance = await read('v2').catch((error: unknown) => {
      // A server that does not know the second version, or answers with a page.
      if (error instanceof PlatformError && ['auth', 'limited', 'unavailable'].includes(error.kind)) throw error
      return read('v1')
    })
    return { rules: rulesOf(instance) }
  },
}

function rulesOf(instance: Instance): AccountRules {
  const { configuration } = instance
  const { statuses = {}, media_attachments: files = {} } = isOfShape(Configuration, configuration) ? configuration : {}
  const types = Array.isArray(files.supported_mime_types) ? files.supported_mime_types : null
  const [photoTypes, videoTypes] = [manifest.photos.mimeTypes, manifest.video.mimeTypes].map((known: readonly string[]) =>
    types === null ? known : known.filter((type) => types.includes(type)),
  )
  const takesVideo = videoTypes === undefined || videoTypes.length > 0
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
      ...(photoTypes && photoTypes.length > 0 && { mimeTypes: photoTypes }),
    },
    video: {
      ...limit('bytesMax', files.video_size_limit),
      ...limit('pixelsMax', files.video_matrix_limit),
      ...limit('fpsMax', files.video_frame_rate_limit),
      ...(videoTypes && takesVideo && { mimeTypes: videoTypes }),
    },
    ...limit('altTextMax', files.description_limit),
    ...(!recognisesKeys(instance) && { handle: 'readback' as const }),
    // Pixelfed refuses a post for the people mentioned only.
    ...(isPixelfed && { choices: { visibility: ['public', 'unlisted', 'private'] } }),
  }
}

/** A limit that makes no sense, or is beyond what a number can be, is none that we know. */
function limit<Name extends string>(name: Name, value: unknown): { [key in Name]?: number } {
  const isUsable = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
  return isUsable ? ({ [name]: value } as { [key in Name]: number }) : {}
}

/** `3.5.3 (compatible; Pixelfed 0.12.7)` and `https://github.com/pixelfed/pixelfed`. */
function mentions({ version, source_url: source }: Instance, software: string): boolean {
  return [version, source].some((text) => typeof text === 'string' && text.toLowerCase().includes(software))
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
