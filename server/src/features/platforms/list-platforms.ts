import type { Connector } from '@carillon/connectors'
import { platforms, type MediaRules, type PlatformInfo, type PlatformMedia } from '@carillon/contract'
import { connectMethod } from '../connections/connect/connect-method.ts'
import type { Context } from '../../context.ts'

/** Everything a client needs to know of each platform before it writes a post or connects an account. */
export function listPlatforms(ctx: Context): PlatformInfo[] {
  return platforms.map((platform) => present(ctx, ctx.connectors[platform]))
}

function present(ctx: Context, connector: Connector): PlatformInfo {
  const { manifest, settings } = connector
  return {
    platform: manifest.platform,
    name: manifest.name,
    formats: [...manifest.formats],
    text: { ...manifest.text, countedSettings: [...manifest.text.countedSettings] },
    photos: mediaOf(manifest.photos),
    video: mediaOf(manifest.video),
    document: mediaOf(manifest.document),
    story: manifest.story && {
      photos: mediaOf(manifest.story.photos),
      video: mediaOf(manifest.story.video),
      can: { ...manifest.story.can },
    },
    gif: mediaOf(manifest.gif),
    altText: { kinds: [...manifest.altText.kinds], max: manifest.altText.max },
    altTextMax: manifest.altText.max,
    title: manifest.title && { formats: [...manifest.title.formats], max: manifest.title.max },
    can: { ...manifest.can },
    linkWithMedia: manifest.linkWithMedia,
    preview: manifest.preview,
    settings: { ...settings },
    coverSetting: manifest.coverSetting,
    audienceSetting: manifest.audienceSetting,
    metrics: Object.keys(manifest.metrics),
    primaryImpression: manifest.primaryImpression,
    connect: connectMethod(ctx, connector),
  }
}

function mediaOf(rules: MediaRules | null): PlatformMedia | null {
  return rules && { ...rules, mimeTypes: [...rules.mimeTypes] }
}
