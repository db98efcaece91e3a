import { findLinks, textWithLink, type Draft } from '@carillon/core'
import type { PlatformInfo } from '@carillon/sdk'

/** What the platform charges for the post and what follows it, in US dollars, and whether a link makes it dearer; null if nothing. */
export function costOf(draft: Draft, platform: PlatformInfo): { dollars: number; hasLink: boolean } | null {
  const { prices, can } = platform
  if (prices === null) return null
  const further = can.thread ? (draft.thread ?? []).map(({ text }) => text) : []
  const comment = can.firstComment && draft.firstComment !== null ? [draft.firstComment] : []
  const texts = [textWithLink(draft, platform), ...further, ...comment]
  const withLink = texts.filter((text) => findLinks(text, { bare: true }).length > 0).length
  const described = draft.medias.filter(({ alt, kind }) => alt !== '' && platform.altText.kinds.includes(kind)).length
  const dollars = withLink * prices.postWithLink + (texts.length - withLink) * prices.post + described * prices.altText
  return { dollars: Math.round(dollars * 1000) / 1000, hasLink: withLink > 0 }
}
