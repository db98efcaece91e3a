import type { BulkResult, MediaFolder } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { mediaFolders } from '../../api/queries.gen.ts'

const none: readonly MediaFolder[] = []

/** The folders of the library, by name. */
export function useFolders(workspaceId: string): readonly MediaFolder[] {
  return useQuery(mediaFolders(workspaceId)).data ?? none
}

/** What is loaded again after files moved or a folder changed. */
export function affectedByFolders(workspaceId: string) {
  return [
    ['media.list', workspaceId],
    ['media.folders', workspaceId],
    ['media.get', workspaceId],
  ]
}

/** Puts one file that has just arrived into the folder that was open. If it is refused, the file stays without a folder. */
export function useMoveInto(workspaceId: string) {
  const { mutateAsync } = useChange({
    run: async ({ id, folderId }: { id: string; folderId: string }) => {
      await carillon.media.bulkMove({ ids: [id], folderId }, { workspaceId })
    },
    affects: () => affectedByFolders(workspaceId),
  })
  return (id: string, folderId: string | null) =>
    folderId === null ? Promise.resolve() : mutateAsync({ id, folderId }).catch(() => undefined)
}

/** The server takes at most this many ids in a request. */
const idsMax = 100

/** Sends a bulk request for any number of files, and adds up the answers. */
export async function sendInParts(
  ids: readonly string[],
  send: (ids: string[]) => Promise<BulkResult>,
): Promise<Pick<BulkResult, 'succeeded' | 'failed'>> {
  const sum: Pick<BulkResult, 'succeeded' | 'failed'> = { succeeded: 0, failed: [] }
  for (let at = 0; at < ids.length; at += idsMax) {
    const { succeeded, failed } = await send(ids.slice(at, at + idsMax))
    sum.succeeded += succeeded
    sum.failed.push(...failed)
  }
  return sum
}
