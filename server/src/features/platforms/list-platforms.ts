import type { Connector } from '@carillon/connectors'
import { platforms, type PlatformInfo } from '@carillon/contract'
import { readAllPlatformApps, type KnownApp } from '../connections/apps/platform-apps.ts'
import { presentMedia, presentRules } from '../connections/capabilities/show-capabilities.ts'
import { connectMethod } from '../connections/connect/connect-method.ts'
import type { Context } from '../../context.ts'
import { readsFigures } from '../connections/connector-of.ts'

/** Everything a client needs to know of each platform before it writes a post or connects an account. */
export async function listPlatforms(ctx: Context): Promise<PlatformInfo[]> {
  const appsOf = await readAllPlatformApps(ctx)
  return platforms.map((platform) => present(ctx, ctx.connectors[platform], appsOf(platform)[0]))
}

function present(ctx: Context, connector: Connector, app: KnownApp | undefined): PlatformInfo {
  const { manifest, settings } = connector
  const hasFigures = readsFigures(ctx, connector)
  return {
    platform: manifest.platform,
    name: manifest.name,
    ...presentRules(manifest),
    shortVideo: presentMedia(manifest.shortVideo ?? null),
    document: presentMedia(manifest.document),
    story: manifest.story && {
      photos: presentMedia(manifest.story.photos),
      video: presentMedia(manifest.story.video),
      can: { ...manifest.story.can },
    },
    gif: presentMedia(manifest.gif),
    altTextMax: manifest.altText.max,
    title: manifest.title && {
      formats: [...manifest.title.formats],
      max: manifest.title.max,
      ofLink: manifest.title.ofLink ?? false,
    },
    can: { ...manifest.can, metrics: hasFigures },
    linkWithMedia: manifest.linkWithMedia,
    preview: manifest.preview,
    settings: { ...settings },
    mixedCarousel: manifest.mixedCarousel,
    coverSetting: manifest.coverSetting,
    aiLabel: manifest.aiLabel && { setting: manifest.aiLabel.setting, formats: [...manifest.aiLabel.formats] },
    audienceSetting: manifest.audienceSetting,
    settingConflicts: manifest.settingConflicts.map((conflict) => ({ ...conflict, others: [...conflict.others] })),
    disclosure: manifest.disclosure ? { ...manifest.disclosure, kinds: [...manifest.disclosure.kinds] } : null,
    handover: manifest.handover ?? null,
    listLimits: (manifest.listLimits ?? []).map((limit) => ({ ...limit })),
    filesBytesMax: manifest.filesBytesMax ?? null,
    prices: manifest.prices && { ...manifest.prices },
    metrics: hasFigures ? Object.keys(manifest.metrics) : [],
    primaryImpression: manifest.primaryImpression,
    connect: connectMethod(ctx, connector, app),
  }
}
