import { manifests } from '@carillon/connectors/manifests'
import type { CaptionWish, Manifest } from '@carillon/contract'
import { countText } from '@carillon/core'
import { problem, Problem } from '../../infra/problem/problem.ts'
import { captionQuestion } from './caption-prompt.ts'
import { cleanText } from './clean-text.ts'
import { fitCaption, fits } from './fit-caption.ts'
import type { Model } from './open-model.ts'
import { withModel, type Ask, type Asking } from './with-model.ts'

type Written = Map<Manifest, string>

/** A caption for each platform, never over its limit: what is missing or too long is asked for once more, and then cut. */
export function generateCaptions(asking: Asking, model: Model | null, wish: CaptionWish) {
  const wanted = wish.platforms.map((platform) => manifests[platform])
  return withModel(asking, model, async (ask) => {
    const first = await write(ask, wish, { manifests: wanted })
    const wrong = wanted.filter((manifest) => !isUsable(manifest, first.get(manifest)))
    const second = wrong.length === 0 ? first : await writeAgain(ask, wish, { wrong, first })
    const captions = wanted.map((manifest) => [manifest.platform, choose(manifest, first, second)] as const)
    return { content: Object.fromEntries(captions) }
  })
}

async function writeAgain(ask: Ask, wish: CaptionWish, { wrong, first }: { wrong: readonly Manifest[]; first: Written }) {
  const faults = wrong.map((manifest) => {
    const caption = first.get(manifest) ?? ''
    return { platform: manifest.platform, caption, length: countText(caption, manifest.text) }
  })
  try {
    return await write(ask, wish, { manifests: wrong, faults })
  } catch (error) {
    // What was too long can still be cut; only what is missing needs the second answer.
    if (error instanceof Problem && faults.every(({ caption }) => caption !== '')) return first
    throw error
  }
}

async function write(ask: Ask, wish: CaptionWish, more: Omit<Parameters<typeof captionQuestion>[0], 'wish'>): Promise<Written> {
  const fields = await ask(captionQuestion({ wish, ...more }))
  return new Map(more.manifests.map((manifest) => [manifest, cleanText(fields?.[manifest.platform])]))
}

function isUsable(manifest: Manifest, caption = ''): boolean {
  return caption !== '' && fits(caption, manifest.text)
}

function choose(manifest: Manifest, first: Written, second: Written): string {
  const caption = fitCaption(second.get(manifest) || first.get(manifest) || '', manifest.text)
  if (caption === '') throw problem('ai_unavailable', { message: 'The AI model gave no usable answer; try again.' })
  return caption
}
