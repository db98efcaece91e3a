import type { Context } from '../../../context.ts'
import type { Answer, RequestScope } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { discardStoredFile, insertStoredFile, type StoredFile } from '../../media/upload/store-file.ts'

type StorePlan<R> = { fingerprint?: Buffer | null; store(scope: RequestScope): Promise<R | Answer<R>> }

/** Saves the files of a request in the same transaction as the post that uses them, or discards them if the request fails. */
export async function prepareWithFiles<R>(
  ctx: Context,
  prepare: (stored: StoredFile[]) => Promise<StorePlan<R>>,
): Promise<Prepared<R>> {
  const stored: StoredFile[] = []
  const discard = async () => {
    await Promise.all(stored.map((file) => discardStoredFile(ctx, file)))
  }
  try {
    const { fingerprint = null, store } = await prepare(stored)
    return {
      fingerprint,
      async store(scope) {
        for (const file of stored) await insertStoredFile(ctx, scope.tx, file)
        return store(scope)
      },
      discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}
