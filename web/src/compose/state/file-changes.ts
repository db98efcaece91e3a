import { mediaRules, planRendition, type Draft, type DraftMedia, type FileChange } from '@carillon/core'
import type { PlatformInfo } from '@carillon/sdk'

/** What follows from the size of a picture alone. The rest depends on what only the server has read in the file; it reports that after saving. */
const foreseeable: ReadonlySet<FileChange['code']> = new Set(['smaller', 'larger', 'compressed'])

type ChangeFinding = { path: string; code: 'media_converted'; message: string; params: Record<string, unknown> }

/** What a platform's rules make of the pictures, by the same plan with which the server converts them. */
export function fileChanges({ medias, format }: Draft, platform: PlatformInfo): ChangeFinding[] {
  return medias.flatMap((media, index) => {
    const rules = media.kind === 'image' && media.sizeBytes > 0 ? mediaRules(media, format, platform) : null
    const plan = rules && planRendition(toSource(media), rules)
    if (plan?.kind !== 'image') return []
    return plan.changes
      .filter(({ code }) => foreseeable.has(code))
      .map(({ code, message, params }) => ({
        path: `medias[${index}]`,
        code: 'media_converted',
        message: `${platform.name}: ${message}`,
        params: { ...params, platform: platform.name, change: code },
      }))
  })
}

function toSource({ kind, ...facts }: DraftMedia) {
  return { ...facts, type: kind, traits: {} }
}
