import type { Platform } from '@carillon/contract'
import { bluesky } from './bluesky/bluesky.ts'
import { instagram } from './instagram/instagram.ts'
import type { Connector } from './kit/connector.ts'
import { linkedin } from './linkedin/linkedin.ts'
import { mastodon } from './mastodon/mastodon.ts'
import { threads } from './threads/threads.ts'
import { tiktok } from './tiktok/tiktok.ts'
import { x } from './x/x.ts'

export * from './kit/index.ts'
export { manifests } from './manifests.ts'

/** The code for each platform. */
export const connectors: Record<Platform, Connector> = { bluesky, instagram, linkedin, mastodon, threads, tiktok, x }
