import type { BulkResult, Label } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { labelsList } from '../api/queries.gen.ts'
import { describeCode } from '../errors/describe-error.ts'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const none: readonly Label[] = []

/** The labels of the workspace, by name. */
export function useLabels() {
  const { id: workspaceId } = useWorkspace()
  const { data, isPending } = useQuery(labelsList(workspaceId))
  return { labels: data ?? none, isPending }
}

/** Those of these labels that still exist, in the order of their names. */
export function useShownLabels(ids: readonly string[] | undefined): Label[] {
  const { labels } = useLabels()
  return ids ? labels.filter(({ id }) => ids.includes(id)) : []
}

type LabelChange = { ids: readonly string[]; add: string[]; remove: string[] }

/** The server takes at most this many ids in a request. */
const idsMax = 100

/** Gives posts labels, or takes them away, in whatever state the posts are. Only a refusal is told: the chips show the rest. */
export function useLabelPosts() {
  const { t } = useTranslation('errors')
  const { id: workspaceId } = useWorkspace()
  return useChange({
    run: async ({ ids, add, remove }: LabelChange) => {
      const results: BulkResult[] = []
      for (let at = 0; at < ids.length; at += idsMax)
        results.push(await carillon.content.bulkLabel({ ids: ids.slice(at, at + idsMax), add, remove }, { workspaceId }))
      return results.flatMap(({ failed }) => failed)
    },
    affects: () => [
      ['content.get', workspaceId],
      ['content.list', workspaceId],
      ['content.calendar', workspaceId],
    ],
    onDone: ([first]) => {
      if (!first) return
      const { title, sentence } = describeCode(first.code, first.message, t)
      showToast({ kind: 'failed', title, description: sentence })
    },
  })
}

/** What must be sent so that the posts have these labels and no others of those that were shown as chosen. */
export function differenceOf(before: readonly string[], after: readonly string[]): Pick<LabelChange, 'add' | 'remove'> {
  return { add: after.filter((id) => !before.includes(id)), remove: before.filter((id) => !after.includes(id)) }
}
