import type { QueryClient } from '@tanstack/react-query'

/** Runs a request as a mutation, so that an ended session opens the sign-in dialog as everywhere else. Being offline does not delay it. */
export function runTracked<Result>(queryClient: QueryClient, mutationFn: () => Promise<Result>): Promise<Result> {
  return queryClient
    .getMutationCache()
    .build<Result, Error, void, unknown>(queryClient, { mutationFn, networkMode: 'always' })
    .execute()
}
