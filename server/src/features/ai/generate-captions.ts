import { manifests } from '@carillon/connectors/manifests'
import type { CaptionWish, Manifest } from '@carillon/contract'
import { countText } from '@carillon/core'
import { problem, Problem } from '../../infra/problem/problem.ts'
import { captionPrompt } from './caption-prompt.ts'
import { cleanText } from './clean-text.ts'
import { fitCaption, fits } from './fit-caption.ts'
import type { Model } from './open-model.ts'
import { withModel, type AskModel, type AiScope } from './with-model.ts'

type Captions = Map<Manifest, string>

/** Writes a caption for each platform. A missing or too long caption is requested once more; if it is still too long, it is cut. */
export function generateCaptions(scope: AiScope, model: Model | null, request: CaptionWish) {
  const wanted = request.platforms.map((platform) => manifests[platform])
  return withModel(scope, model, async (ask) => {
    const first = await writeCaptions(ask, request, { manifests: wanted })
    const unusable = wanted.filter((manifest) => !isUsable(manifest, first.get(manifest)))
    const second = unusable.length === 0 ? first : await writeAgain(ask, request, { unusable, first })
    const captions = wanted.map((manifest) => [manifest.platform, choose(manifest, first, second)] as const)
    return { content: Object.fromEntries(captions) }
  })
}

async function writeAgain(
  ask: AskModel,
  request: CaptionWish,
  { unusable, first }: { unusable: readonly Manifest[]; first: Captions },
) {
  const faults = unusable.map((manifest) => {
    const caption = first.get(manifest) ?? ''
    return { platform: manifest.platform, caption, length: countText(caption, manifest.text) }
  })
  try {
    return await writeCaptions(ask, request, { manifests: unusable, faults })
  } catch (error) {
    // Captions that are too long can still be cut; only missing ones need the second answer.
    if (error instanceof Problem && faults.every(({ caption }) => caption !== '')) return first
    throw error
  }
}

async function writeCaptions(
  ask: AskModel,
  request: CaptionWish,
  more: Omit<Parameters<typeof captionPrompt>[0], 'request'>,
): Promise<Captions> {
  const fields = await ask(captionPrompt({ request, ...more }))
  return new Map(more.manifests.map((manifest) => [manifest, cleanText(fields?.[manifest.platform])]))
}

function isUsable(manifest: Manifest, caption = ''): boolean {
  return caption !== '' && fits(caption, manifest.text)
}

function choose(manifest: Manifest, first: Captions, second: Captions): string {
  const caption = fitCaption(second.get(manifest) || first.get(manifest) || '', manifest.text)
  if (caption === '') throw problem('ai_unavailable', { message: 'The AI model gave no usable answer; try again.' })
  return caption
}
