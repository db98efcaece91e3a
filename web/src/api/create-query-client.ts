import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** `onError` receives the errors of all queries and changes, before those who asked. */
export function createQueryClient(onError: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The SDK has already repeated what may be repeated.
      queries: { retry: false, staleTime: 30_000 },
      mutations: { retry: false },
    },
  })
}
