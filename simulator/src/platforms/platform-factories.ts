import type { PlatformFactory } from '../platform.ts'
import { bluesky } from './bluesky/bluesky.ts'
import { instagram } from './instagram/instagram.ts'
import { linkedin } from './linkedin/linkedin.ts'
import { mastodon } from './mastodon/mastodon.ts'
import { threads } from './threads/threads.ts'
import { tiktok } from './tiktok/tiktok.ts'
import { x } from './x/x.ts'

/** Every simulated platform. A new one needs a folder and a line here. */
export const platformFactories: readonly PlatformFactory[] = [bluesky, instagram, linkedin, mastodon, threads, tiktok, x]
