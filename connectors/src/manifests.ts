import type { Manifest, Platform } from '@carillon/contract'
import { manifest as bluesky } from './bluesky/manifest.ts'
import { manifest as instagram } from './instagram/manifest.ts'
import { manifest as linkedin } from './linkedin/manifest.ts'
import { manifest as mastodon } from './mastodon/manifest.ts'
import { manifest as threads } from './threads/manifest.ts'
import { manifest as tiktok } from './tiktok/manifest.ts'
import { manifest as x } from './x/manifest.ts'

/** The facts of every platform. Only data, because the browser imports this too. */
export const manifests: Record<Platform, Manifest> = { bluesky, instagram, linkedin, mastodon, threads, tiktok, x }
