import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useState, useSyncExternalStore, type Dispatch } from 'react'
import { carillon } from '../../api/client.ts'
import { useNeedsApproval } from '../../workspaces/use-workspace.ts'
import { composeReducer, type ComposeAction } from '../state/compose-reducer.ts'
import type { ComposeState } from '../state/compose-state.ts'
import { DraftSaver, type DraftCalls, type SaveView } from './draft-saver.ts'
import { type LocalCopy, newKey } from './local-copy.ts'
import { runTracked } from './run-tracked.ts'

type ComposerParts = { state: ComposeState; dispatch: Dispatch<ComposeAction>; saver: DraftSaver; saving: SaveView }

/** The state of the composer, and the saver that follows it. */
export function useComposer(start: LocalCopy, onCreated: (postId: string) => void): ComposerParts {
  const queryClient = useQueryClient()
  const needsApproval = useNeedsApproval()
  const [state, dispatch] = useReducer(composeReducer, start.state)
  const [saver] = useState(
    () =>
      new DraftSaver(start, createCalls(queryClient, start.workspaceId, needsApproval), {
        onCreated,
        nowMs: () => Date.now(),
        newKey,
      }),
  )
  const saving = useSyncExternalStore(saver.subscribe, saver.view)
  useEffect(() => saver.change(state), [saver, state])
  useEffect(() => {
    // Also saves what was restored from the copy of this browser.
    saver.retry()
    const retry = () => saver.retry()
    addEventListener('online', retry)
    // The first answer after signing in again shows that saving can go on.
    const stopWatching = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success' && saver.view().status === 'signedOut') saver.retry()
    })
    return () => {
      stopWatching()
      removeEventListener('online', retry)
      // Leaving the page saves at once what the timer would have saved.
      void saver.flush({ isAutosave: true }).catch(() => {})
    }
  }, [saver, queryClient])
  return { state, dispatch, saver, saving }
}

function createCalls(queryClient: QueryClient, workspaceId: string, needsApproval: boolean): DraftCalls {
  const run = <Result>(request: () => Promise<Result>) => runTracked(queryClient, request)
  const options = (ifUpdatedAt: string | null) => ({ workspaceId, ...(ifUpdatedAt !== null && { ifUpdatedAt }) })
  return {
    create: (idempotencyKey) =>
      run(async () => {
        const accepted = await carillon.content.createText({ connections: [], saveDraft: true }, { workspaceId, idempotencyKey })
        if (!('draftId' in accepted)) throw new Error('the server published a draft')
        return accepted.draftId
      }),
    update: (id, change, { ifUpdatedAt, isAutosave }) =>
      run(() => carillon.content.update(id, change, { ...options(ifUpdatedAt), autosave: isAutosave })),
    publish: (id, { ifUpdatedAt, key, queueId }) =>
      run(() => {
        const given = { ...options(ifUpdatedAt), idempotencyKey: key }
        if (needsApproval) return carillon.content.submit(id, {}, given)
        return queueId === undefined
          ? carillon.content.publish(id, given)
          : carillon.content.enqueue(id, { queue: queueId }, given)
      }),
  }
}
