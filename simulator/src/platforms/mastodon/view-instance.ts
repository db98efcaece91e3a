import type { PlatformContext } from '../../state/platform-context.ts'
import { mediaRules } from './media-rules.ts'
import type { ServerKind } from './server-kinds.ts'

/** The server's description of itself. Connectors must read the limits from it instead of assuming them. */
export function viewInstance(context: PlatformContext, server: ServerKind) {
  const { unlimited } = server
  return {
    domain: new URL(context.simulator.url).host,
    ...(server.accountDomain !== undefined && { account_domain: server.accountDomain }),
    title: 'Mastodon (simulator)',
    version: server.version,
    source_url: server.sourceUrl,
    description: 'A simulated instance for tests.',
    languages: ['en'],
    configuration: {
      urls: {},
      accounts: { max_featured_tags: 10, max_pinned_statuses: 5 },
      statuses: {
        max_characters: server.charactersMax,
        max_media_attachments: server.attachmentsMax,
        characters_reserved_per_url: server.linkLength,
      },
      media_attachments: {
        supported_mime_types: server.mimes,
        description_limit: server.altMax,
        image_size_limit: server.imageBytesMax,
        image_matrix_limit: unlimited ?? 33_177_600,
        video_size_limit: mediaRules.videoBytesMax,
        video_frame_rate_limit: unlimited ?? 120,
        video_matrix_limit: unlimited ?? 8_294_400,
      },
      polls: { max_options: 4, max_characters_per_option: 50, min_expiration: 300, max_expiration: 2_629_746 },
    },
    registrations: { enabled: false, approval_required: false, message: null },
    api_versions: { mastodon: 7 },
    rules: [],
  }
}

/** The first version of the same. Before Mastodon 3.4.2 there was no `configuration`; forks said their limit beside it. */
export function viewOldInstance(context: PlatformContext, server: ServerKind) {
  const { domain, title, version, description, configuration } = viewInstance(context, server)
  const head = { uri: domain, title, version, description }
  return server.isOld ? { ...head, max_toot_chars: server.charactersMax } : { ...head, configuration }
}
