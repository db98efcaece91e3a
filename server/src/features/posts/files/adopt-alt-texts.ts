import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { fillMissingAlt } from '../../media/media.store.ts'
import type { PostFiles } from './post-files.ts'

/**
 * The first alt text that somebody writes for a photo becomes that of the file, so that nobody has to write it again. Only posts that leave
 * the draft do this: a draft is saved while its text is being typed.
 */
export async function adoptAltTexts({ tx, principal, nowMs }: RequestScope, { common, own }: PostFiles): Promise<void> {
  const texts = new Map<string, string>()
  for (const { row, alt } of [...common, ...[...own.values()].flat()]) {
    const text = alt?.trim() ?? ''
    if (text !== '' && row?.type === 'image' && row.alt === '' && !texts.has(row.id)) texts.set(row.id, text)
  }
  const { workspaceId, personId } = principal
  // In the order of their ids, so that two posts with the same photos do not wait for each other.
  for (const [id, alt] of [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (await fillMissingAlt(tx, { workspaceId, id }, alt))
      await recordEvents(tx, [{ workspaceId, event: 'media.changed', subjectId: id, personId, atMs: nowMs }])
}
