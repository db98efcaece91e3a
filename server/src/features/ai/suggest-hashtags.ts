import { manifests } from '@carillon/connectors/manifests'
import type { HashtagWish, Manifest } from '@carillon/contract'
import { Problem, problem } from '../../infra/problem/problem.ts'
import { cleanHashtags, hashtagKey } from './clean-hashtags.ts'
import { hashtagPrompt } from './hashtag-prompt.ts'
import type { Model } from './open-model.ts'
import { withModel, type AiScope } from './with-model.ts'

const countDefault = 5
/** More are requested than needed, because duplicates and known hashtags are removed. */
const spareCount = 3

/** Suggests hashtags for each platform: exactly the requested number, unless the model gives fewer even after a second prompt. */
export function suggestHashtags(scope: AiScope, model: Model | null, request: HashtagWish) {
  const { text, count = countDefault, existingHashtags = [] } = request
  const wanted = request.platforms.map((platform) => manifests[platform])
  const tags = new Map<Manifest, string[]>(wanted.map((manifest) => [manifest, []]))
  const tagsOf = (manifest: Manifest) => tags.get(manifest) ?? []
  const isShort = (manifest: Manifest) => tagsOf(manifest).length < count

  return withModel(scope, model, async (ask) => {
    const addSuggestions = async (platforms: readonly Manifest[]) => {
      const avoid = [...existingHashtags, ...platforms.flatMap(tagsOf)]
      const fields = await ask(hashtagPrompt({ text, manifests: platforms, count: count + spareCount, avoid }))
      for (const manifest of platforms) {
        const before = tagsOf(manifest)
        const known = new Set([...existingHashtags, ...before].map(hashtagKey))
        tags.set(manifest, [...before, ...cleanHashtags(fields?.[manifest.platform], known)])
      }
    }
    await addSuggestions(wanted)
    const short = wanted.filter(isShort)
    if (short.length > 0)
      await addSuggestions(short).catch((error: unknown) => {
        // Fewer hashtags than requested are better than none.
        const hasSome = short.every((manifest) => tagsOf(manifest).length > 0)
        if (!(error instanceof Problem) || !hasSome) throw error
      })
    return wanted.map((manifest) => present(manifest, tagsOf(manifest).slice(0, count)))
  })
}

function present({ platform }: Manifest, hashtags: string[]) {
  if (hashtags.length === 0) throw problem('ai_unavailable', { message: 'The AI model gave no usable answer; try again.' })
  return { platform, hashtags }
}
