import type { Draft } from '../kit/connector.ts'
import { audienceOf, type Settings } from './settings.ts'

export function createVideoInfo(draft: Draft<Settings>) {
  const { allowDuets, allowStitches, aiGenerated, coverSeconds } = draft.settings
  return {
    ...commonInfo(draft),
    title: draft.text,
    disable_duet: !allowDuets,
    disable_stitch: !allowStitches,
    is_aigc: aiGenerated,
    ...(coverSeconds !== undefined && { video_cover_timestamp_ms: Math.round(coverSeconds * 1000) }),
  }
}

/** What a person finds in the inbox with the photos. Everything else is chosen there. */
export function createInboxInfo({ title, text }: Draft<Settings>) {
  return { ...(title !== null && { title }), description: text }
}

export function createPhotoInfo(draft: Draft<Settings>) {
  return {
    ...commonInfo(draft),
    ...createInboxInfo(draft),
    auto_add_music: draft.settings.addMusic,
  }
}

function commonInfo({ settings }: Draft<Settings>) {
  return {
    privacy_level: audienceOf(settings),
    disable_comment: !settings.allowComments,
    brand_content_toggle: settings.brandedContent,
    brand_organic_toggle: settings.yourBrand,
  }
}
