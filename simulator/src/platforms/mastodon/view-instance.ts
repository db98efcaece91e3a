import type { PlatformContext } from '../../state/platform-context.ts'
import { charactersMax } from './create-statuses.ts'
import { mediaRules } from './media.routes.ts'

/** The description of the instance. Connectors must read the limits from it instead of assuming them. */
export function viewInstance(context: PlatformContext) {
  return {
    domain: new URL(context.simulator.url).host,
    title: 'Mastodon (simulator)',
    version: '4.5.0',
    source_url: 'https://github.com/mastodon/mastodon',
    description: 'A simulated instance for tests.',
    languages: ['en'],
    configuration: {
      urls: {},
      accounts: { max_featured_tags: 10, max_pinned_statuses: 5 },
      statuses: {
        max_characters: charactersMax,
        max_media_attachments: mediaRules.attachmentsMax,
        characters_reserved_per_url: 23,
      },
      media_attachments: {
        supported_mime_types: mediaRules.mimes,
        description_limit: mediaRules.altMax,
        image_size_limit: mediaRules.imageBytesMax,
        image_matrix_limit: 33_177_600,
        video_size_limit: mediaRules.videoBytesMax,
        video_frame_rate_limit: 120,
        video_matrix_limit: 8_294_400,
      },
      polls: { max_options: 4, max_characters_per_option: 50, min_expiration: 300, max_expiration: 2_629_746 },
    },
    registrations: { enabled: false, approval_required: false, message: null },
    api_versions: { mastodon: 7 },
    rules: [],
  }
}
