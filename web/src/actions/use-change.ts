import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errors/describe-error.ts'
import { showToast } from '../ui/overlay/show-toast.ts'

type Change<Input, Result> = {
  /** Sends the change. */
  run: (input: Input) => Promise<Result>
  /** The keys of what it changes: `['content.list', workspaceId]`. They are loaded again afterwards. */
  affects: (input: Input) => readonly QueryKey[]
  /** Shows the result before the server has answered: changes one cached answer. If the server refuses, the old answer returns. */
  paint?: (input: Input) => { key: QueryKey; update: (shown: unknown) => unknown }
  /** Said when it is done. With `undo`, the message has a button for eight seconds. */
  done?: (input: Input, result: Result) => { title: string; undo?: { label: string; run: () => void } }
  /** Called after success, before the message. */
  onDone?: (result: Result, input: Input) => void
  /** A form shows its errors itself; everything else is told in a message. */
  showsErrors?: boolean
}

/** A change of data: painted at once, sent, rolled back when it is refused, and followed by loading again what it affects. */
export function useChange<Input, Result>(change: Change<Input, Result>) {
  const { run, affects, paint, done, onDone, showsErrors = true } = change
  const queryClient = useQueryClient()
  const { t } = useTranslation('errors')
  return useMutation({
    mutationFn: run,
    async onMutate(input: Input) {
      if (!paint) return null
      const { key, update } = paint(input)
      // A request that is under way would overwrite the painted answer with the old one.
      await queryClient.cancelQueries({ queryKey: key })
      const before = queryClient.getQueriesData({ queryKey: key })
      queryClient.setQueriesData({ queryKey: key }, (shown: unknown) => (shown === undefined ? undefined : update(shown)))
      return before
    },
    onError(error, _input, before) {
      for (const [key, data] of before ?? []) queryClient.setQueryData(key, data)
      if (!showsErrors) return
      const { title, sentence } = describeError(error, t)
      showToast({ kind: 'failed', title, description: sentence })
    },
    onSuccess(result, input) {
      onDone?.(result, input)
      const message = done?.(input, result)
      if (message) showToast({ title: message.title, ...(message.undo && { action: message.undo }) })
    },
    onSettled: (_result, _error, input) =>
      Promise.all(affects(input).map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => {}),
  })
}
