import type { Capabilities, Manifest, MediaRules, PlatformMedia } from '@carillon/contract'

type ShownRules = Pick<Capabilities, 'formats' | 'text' | 'photos' | 'video' | 'altText' | 'can'>

/** The rules of a platform or of one account in the API shape. */
export function presentRules({ formats, text, photos, video, altText, can }: Manifest): ShownRules {
  const { refused, ...textRules } = text
  return {
    formats: [...formats],
    text: { ...textRules, countedSettings: [...text.countedSettings], ...(refused && { refused: [...refused] }) },
    photos: presentMedia(photos),
    video: presentMedia(video),
    altText: { kinds: [...altText.kinds], max: altText.max },
    can: { ...can },
  }
}

export function presentMedia(rules: MediaRules | null): PlatformMedia | null {
  return rules && { ...rules, mimeTypes: [...rules.mimeTypes] }
}
