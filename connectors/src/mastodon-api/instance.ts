import { type Static, Type } from 'typebox'
import type { Http } from '../kit/http.ts'
import { isOfShape } from '../kit/is-of-shape.ts'
import { PlatformError } from '../kit/platform-error.ts'

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

export type Instance = Static<typeof Instance>

export async function readInstance(http: Http): Promise<Instance> {
  const read = (version: string) => http.call({ method: 'GET', path: `/api/${version}/instance`, returns: Instance })
  return read('v2').catch((error: unknown) => {
    // A server that does not know the second version, or answers with a page.
    if (error instanceof PlatformError && ['auth', 'limited', 'unavailable'].includes(error.kind)) throw error
    return read('v1')
  })
}

/** What a server says about statuses and files, as far as it does. */
export function limitsOf({ configuration }: Instance): Required<Static<typeof Configuration>> {
  const { statuses = {}, media_attachments: files = {} } = isOfShape(Configuration, configuration) ? configuration : {}
  return { statuses, media_attachments: files }
}

/** Of the types that a platform has, those that the server takes; all of them if it does not say. */
export function typesOf(
  { supported_mime_types: types }: { supported_mime_types?: unknown },
  known: readonly string[],
): readonly string[] {
  return Array.isArray(types) ? known.filter((type) => types.includes(type)) : known
}

/** A limit that makes no sense, or is beyond what a number can be, is none that we know. */
export function limit<Name extends string>(name: Name, value: unknown): { [key in Name]?: number } {
  const isUsable = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
  return isUsable ? ({ [name]: value } as { [key in Name]: number }) : {}
}

/** `3.5.3 (compatible; Pixelfed 0.12.7)` and `https://github.com/pixelfed/pixelfed`. */
export function mentions({ version, source_url: source }: Instance, software: string): boolean {
  return [version, source].some((text) => typeof text === 'string' && text.toLowerCase().includes(software))
}
