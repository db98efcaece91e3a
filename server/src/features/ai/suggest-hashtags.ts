import { manifests } from '@carillon/connectors/manifests'
import type { HashtagWish, Manifest } from '@carillon/contract'
import { Problem, problem } from '../../infra/problem/problem.ts'
import { cleanHashtags, hashtagKey } from './clean-hashtags.ts'
import { hashtagQuestion } from './hashtag-prompt.ts'
import type { Model } from './open-model.ts'
import { withModel, type Asking } from './with-model.ts'

const countDefault = 5
/** Some suggestions are lost to duplicates and to what is known already. */
const spare = 3

/** Hashtags for each platform: exactly as many as asked for, unless the model has fewer to give even when asked again. */
export function suggestHashtags(asking: Asking, model: Model | null, wish: HashtagWish) {
  const { text, count = countDefault, existingHashtags = [] } = wish
  const wanted = wish.platforms.map((platform) => manifests[platform])
  const tags = new Map<Manifest, string[]>(wanted.map((manifest) => [manifest, []]))
  const tagsOf = (manifest: Manifest) => tags.get(manifest) ?? []
  const isShort = (manifest: Manifest) => tagsOf(manifest).length < count

  return withModel(asking, model, async (ask) => {
    const createBatcher = async (platforms: readonly Manifest[]) => {
      const avoid = [...existingHashtags, ...platforms.flatMap(tagsOf)]
      const fields = await ask(hashtagQuestion({ text, manifests: platforms, count: count + spare, avoid }))
      for (const manifest of platforms) {
        const before = tagsOf(manifest)
        const known = new Set([...existingHashtags, ...before].map(hashtagKey))
        tags.set(manifest, [...before, ...cleanHashtags(fields?.[manifest.platform], known)])
      }
    }
    await createBatcher(wanted)
    const short = wanted.filter(isShort)
    if (short.length > 0)
      await createBatcher(short).catch((error: unknown) => {
        // Fewer than asked for are better than none.
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
