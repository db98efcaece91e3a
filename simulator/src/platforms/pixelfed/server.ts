import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'

type Server = { captionMax: number; albumMax: number; photoBytesMax: number; mimes: readonly string[] }

const photos = ['image/jpeg', 'image/png', 'image/gif']
const usual: Server = { captionMax: 500, albumMax: 4, photoBytesMax: 15_000_000, mimes: photos }

/** One simulated origin stands for many servers: the beginning of a handle says on which kind of server the account is. */
const kinds: Readonly<Record<string, Server>> = {
  'roomy-': { captionMax: 5000, albumMax: 20, photoBytesMax: 50_000_000, mimes: [...photos, 'image/webp', 'video/mp4'] },
  'plain-': usual,
}

/** Servers of other people take videos; one as it is installed does not. */
export function serverOf({ handle }: Pick<Account, 'handle'>): Server {
  const prefix = Object.keys(kinds).find((each) => handle.startsWith(each))
  return (prefix === undefined ? undefined : kinds[prefix]) ?? { ...usual, mimes: [...photos, 'video/mp4'] }
}

/** An account that nobody has opened in a browser gets an empty list in place of a result. */
export const isUnused = ({ handle }: Pick<Account, 'handle'>) => handle.startsWith('unused-')

/** The server's description of itself. It does not tell how long an alternative text may be. */
export function viewInstance(context: PlatformContext, { captionMax, albumMax, photoBytesMax, mimes }: Server) {
  return {
    domain: new URL(context.simulator.url).host,
    title: 'Pixelfed (simulator)',
    version: '3.5.3 (compatible; Pixelfed 0.12.6)',
    source_url: 'https://github.com/pixelfed/pixelfed',
    configuration: {
      accounts: { max_featured_tags: 0 },
      statuses: { max_characters: captionMax, max_media_attachments: albumMax, characters_reserved_per_url: 23 },
      media_attachments: {
        supported_mime_types: mimes,
        image_size_limit: photoBytesMax,
        image_matrix_limit: 3_686_400,
        video_size_limit: photoBytesMax,
        video_frame_rate_limit: 240,
        video_matrix_limit: 3_686_400,
      },
    },
  }
}
